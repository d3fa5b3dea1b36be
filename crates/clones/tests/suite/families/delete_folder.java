public static boolean deleteDirectory(File path) {
    if (path.exists()) {
        File[] files = path.listFiles();
        for (int i = 0; i < files.length; i++) {
            if (files[i].isDirectory()) {
                deleteDirectory(files[i]);
            } else {
                files[i].delete();
            }
        }
    }
    return path.delete();
}
// ---
private void removeRecursively(File dir) throws IOException {
    if (dir.isDirectory()) {
        for (File child : dir.listFiles()) {
            removeRecursively(child);
        }
    }
    if (!dir.delete()) {
        throw new IOException("could not delete " + dir.getAbsolutePath());
    }
}
// ---
public static boolean deleteDir(File dir) {
    if (dir.isDirectory()) {
        String[] children = dir.list();
        for (int i = 0; i < children.length; i++) {
            boolean success = deleteDir(new File(dir, children[i]));
            if (!success) {
                return false;
            }
        }
    }
    return dir.delete();
}
// ---
public void clean(String folder) {
    File root = new File(folder);
    if (!root.exists()) {
        return;
    }
    File[] content = root.listFiles();
    if (content != null) {
        for (File f : content) {
            if (f.isDirectory()) clean(f.getPath());
            else f.delete();
        }
    }
    root.delete();
}
