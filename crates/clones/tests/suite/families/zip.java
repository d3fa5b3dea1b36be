public static void zipFolder(File folder, File target) throws IOException {
    ZipOutputStream out = new ZipOutputStream(new FileOutputStream(target));
    byte[] buf = new byte[1024];
    for (File file : folder.listFiles()) {
        FileInputStream in = new FileInputStream(file);
        out.putNextEntry(new ZipEntry(file.getName()));
        int len;
        while ((len = in.read(buf)) > 0) {
            out.write(buf, 0, len);
        }
        out.closeEntry();
        in.close();
    }
    out.close();
}
// ---
public void compress(String[] names, String zipName) {
    try {
        FileOutputStream dest = new FileOutputStream(zipName);
        ZipOutputStream zos = new ZipOutputStream(new BufferedOutputStream(dest));
        zos.setMethod(ZipOutputStream.DEFLATED);
        byte data[] = new byte[2048];
        for (int i = 0; i < names.length; i++) {
            BufferedInputStream origin = new BufferedInputStream(new FileInputStream(names[i]), 2048);
            ZipEntry entry = new ZipEntry(names[i]);
            zos.putNextEntry(entry);
            int count;
            while ((count = origin.read(data, 0, 2048)) != -1) {
                zos.write(data, 0, count);
            }
            origin.close();
        }
        zos.close();
    } catch (Exception e) {
        e.printStackTrace();
    }
}
// ---
private void addDirToZip(ZipOutputStream zos, File dir, String base) throws IOException {
    File[] children = dir.listFiles();
    for (int i = 0; i < children.length; i++) {
        if (children[i].isDirectory()) {
            addDirToZip(zos, children[i], base + children[i].getName() + "/");
            continue;
        }
        FileInputStream fis = new FileInputStream(children[i]);
        ZipEntry anEntry = new ZipEntry(base + children[i].getName());
        zos.putNextEntry(anEntry);
        byte[] readBuffer = new byte[2156];
        int bytesIn = 0;
        while ((bytesIn = fis.read(readBuffer)) != -1) {
            zos.write(readBuffer, 0, bytesIn);
        }
        fis.close();
    }
}
