public static void copyFile(File in, File out) throws IOException {
    FileChannel inChannel = new FileInputStream(in).getChannel();
    FileChannel outChannel = new FileOutputStream(out).getChannel();
    try {
        inChannel.transferTo(0, inChannel.size(), outChannel);
    } catch (IOException e) {
        throw e;
    } finally {
        if (inChannel != null) inChannel.close();
        if (outChannel != null) outChannel.close();
    }
}
// ---
private void duplicate(String from, String to) throws Exception {
    FileChannel source = null;
    FileChannel target = null;
    try {
        source = new FileInputStream(new File(from)).getChannel();
        target = new FileOutputStream(new File(to)).getChannel();
        long size = source.size();
        long position = 0;
        while (position < size) {
            position += source.transferTo(position, 1024 * 1024, target);
        }
    } finally {
        if (source != null) {
            source.close();
        }
        if (target != null) {
            target.close();
        }
    }
}
// ---
public void copy(File src, File dst) throws IOException {
    InputStream in = new FileInputStream(src);
    OutputStream out = new FileOutputStream(dst);
    byte[] buf = new byte[1024];
    int len;
    while ((len = in.read(buf)) > 0) {
        out.write(buf, 0, len);
    }
    in.close();
    out.close();
}
// ---
public static boolean copyFile(String inFile, String outFile) {
    FileInputStream is = null;
    FileOutputStream os = null;
    try {
        is = new FileInputStream(inFile);
        os = new FileOutputStream(outFile);
        byte[] buffer = new byte[4096];
        int bytesRead = is.read(buffer);
        while (bytesRead != -1) {
            os.write(buffer, 0, bytesRead);
            bytesRead = is.read(buffer);
        }
        return true;
    } catch (IOException ex) {
        System.err.println("Cannot copy " + inFile + ": " + ex.getMessage());
        return false;
    } finally {
        try {
            if (is != null) is.close();
            if (os != null) os.close();
        } catch (IOException ignored) {
        }
    }
}
// ---
protected void fileCopy(final File source, final File destination) throws IOException {
    if (!destination.exists()) {
        destination.createNewFile();
    }
    BufferedInputStream reader = new BufferedInputStream(new FileInputStream(source));
    BufferedOutputStream writer = new BufferedOutputStream(new FileOutputStream(destination));
    int c;
    while ((c = reader.read()) != -1) {
        writer.write(c);
    }
    writer.flush();
    writer.close();
    reader.close();
}
// ---
public static void copyfile(File sourceFile, File destFile) throws IOException {
    if (!destFile.exists()) {
        destFile.createNewFile();
    }
    FileChannel source = null;
    FileChannel destination = null;
    try {
        source = new FileInputStream(sourceFile).getChannel();
        destination = new FileOutputStream(destFile).getChannel();
        destination.transferFrom(source, 0, source.size());
    } finally {
        if (source != null) {
            source.close();
        }
        if (destination != null) {
            destination.close();
        }
    }
}
