public static void unzip(File zip, File dir) throws IOException {
    ZipFile zipFile = new ZipFile(zip);
    Enumeration entries = zipFile.entries();
    while (entries.hasMoreElements()) {
        ZipEntry entry = (ZipEntry) entries.nextElement();
        if (entry.isDirectory()) {
            new File(dir, entry.getName()).mkdirs();
            continue;
        }
        InputStream in = zipFile.getInputStream(entry);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(new File(dir, entry.getName())));
        byte[] buffer = new byte[1024];
        int len;
        while ((len = in.read(buffer)) >= 0) {
            out.write(buffer, 0, len);
        }
        in.close();
        out.close();
    }
    zipFile.close();
}
// ---
public void extract(String archive, String target) {
    try {
        ZipInputStream zis = new ZipInputStream(new BufferedInputStream(new FileInputStream(archive)));
        ZipEntry entry;
        while ((entry = zis.getNextEntry()) != null) {
            System.out.println("Extracting: " + entry);
            int count;
            byte data[] = new byte[2048];
            FileOutputStream fos = new FileOutputStream(target + File.separator + entry.getName());
            BufferedOutputStream dest = new BufferedOutputStream(fos, 2048);
            while ((count = zis.read(data, 0, 2048)) != -1) {
                dest.write(data, 0, count);
            }
            dest.flush();
            dest.close();
        }
        zis.close();
    } catch (Exception e) {
        e.printStackTrace();
    }
}
// ---
private static void unpackZip(InputStream stream, File destination) throws IOException {
    ZipInputStream zin = new ZipInputStream(stream);
    try {
        ZipEntry ze = zin.getNextEntry();
        while (ze != null) {
            File file = new File(destination, ze.getName());
            if (ze.isDirectory()) {
                file.mkdirs();
            } else {
                file.getParentFile().mkdirs();
                FileOutputStream fout = new FileOutputStream(file);
                for (int c = zin.read(); c != -1; c = zin.read()) {
                    fout.write(c);
                }
                fout.close();
            }
            zin.closeEntry();
            ze = zin.getNextEntry();
        }
    } finally {
        zin.close();
    }
}
// ---
public List<File> unzipAll(File file, File folder) throws IOException {
    List<File> files = new ArrayList<File>();
    ZipFile zf = new ZipFile(file);
    for (Enumeration<? extends ZipEntry> en = zf.entries(); en.hasMoreElements();) {
        ZipEntry e = en.nextElement();
        File out = new File(folder, e.getName());
        if (e.isDirectory()) {
            out.mkdirs();
        } else {
            out.getParentFile().mkdirs();
            IOUtils.copy(zf.getInputStream(e), new FileOutputStream(out));
            files.add(out);
        }
    }
    zf.close();
    return files;
}
