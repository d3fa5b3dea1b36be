public static void openURL(String url) {
    String osName = System.getProperty("os.name");
    try {
        if (osName.startsWith("Mac OS")) {
            Class fileMgr = Class.forName("com.apple.eio.FileManager");
            Method openURL = fileMgr.getDeclaredMethod("openURL", new Class[] { String.class });
            openURL.invoke(null, new Object[] { url });
        } else if (osName.startsWith("Windows")) {
            Runtime.getRuntime().exec("rundll32 url.dll,FileProtocolHandler " + url);
        } else {
            String[] browsers = { "firefox", "opera", "konqueror", "mozilla", "netscape" };
            String browser = null;
            for (int count = 0; count < browsers.length && browser == null; count++) {
                if (Runtime.getRuntime().exec(new String[] { "which", browsers[count] }).waitFor() == 0) {
                    browser = browsers[count];
                }
            }
            if (browser == null) {
                throw new Exception("Could not find web browser");
            }
            Runtime.getRuntime().exec(new String[] { browser, url });
        }
    } catch (Exception e) {
        JOptionPane.showMessageDialog(null, "Error: " + e.getLocalizedMessage());
    }
}
// ---
public void browse(String address) {
    try {
        Desktop desktop = Desktop.getDesktop();
        if (Desktop.isDesktopSupported() && desktop.isSupported(Desktop.Action.BROWSE)) {
            desktop.browse(new URI(address));
        }
    } catch (IOException e) {
        JOptionPane.showMessageDialog(frame, "Cannot open " + address);
    } catch (URISyntaxException e) {
        e.printStackTrace();
    }
}
// ---
private static void launchBrowser(final String page) {
    String os = System.getProperty("os.name").toLowerCase();
    Runtime rt = Runtime.getRuntime();
    try {
        if (os.indexOf("win") >= 0) {
            rt.exec("rundll32 url.dll,FileProtocolHandler " + page);
        } else if (os.indexOf("mac") >= 0) {
            rt.exec("open " + page);
        } else {
            String[] browsers = { "firefox", "mozilla", "konqueror", "opera" };
            StringBuffer cmd = new StringBuffer();
            for (int i = 0; i < browsers.length; i++) {
                cmd.append((i == 0 ? "" : " || ") + browsers[i] + " \"" + page + "\" ");
            }
            rt.exec(new String[] { "sh", "-c", cmd.toString() });
        }
    } catch (IOException e) {
        e.printStackTrace();
    }
}
// ---
public static void showDocument(URI uri) throws IOException {
    if (!Desktop.isDesktopSupported()) {
        throw new IOException("no desktop");
    }
    Desktop d = Desktop.getDesktop();
    if (!d.isSupported(Desktop.Action.BROWSE)) {
        throw new IOException("no browser");
    }
    d.browse(uri);
}
