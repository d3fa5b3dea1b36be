public boolean upload(String server, String user, String password, File file) throws IOException {
    FTPClient ftp = new FTPClient();
    ftp.connect(server);
    int reply = ftp.getReplyCode();
    if (!FTPReply.isPositiveCompletion(reply)) {
        ftp.disconnect();
        return false;
    }
    if (!ftp.login(user, password)) {
        ftp.logout();
        return false;
    }
    ftp.setFileType(FTP.BINARY_FILE_TYPE);
    ftp.enterLocalPassiveMode();
    InputStream input = new FileInputStream(file);
    boolean stored = ftp.storeFile(file.getName(), input);
    input.close();
    ftp.logout();
    ftp.disconnect();
    return stored;
}
// ---
public static void ftpDownload(String host, int port, String login, String pass, String remote, String local) {
    FTPClient client = new FTPClient();
    FileOutputStream fos = null;
    try {
        client.connect(host, port);
        client.login(login, pass);
        client.enterLocalPassiveMode();
        client.setFileType(FTP.BINARY_FILE_TYPE);
        fos = new FileOutputStream(local);
        client.retrieveFile(remote, fos);
    } catch (IOException e) {
        e.printStackTrace();
    } finally {
        try {
            if (fos != null) fos.close();
            if (client.isConnected()) client.disconnect();
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
// ---
private void connect() throws Exception {
    ftpClient = new FTPClient();
    ftpClient.setControlEncoding("UTF-8");
    ftpClient.connect(settings.getHost(), settings.getPort());
    if (!FTPReply.isPositiveCompletion(ftpClient.getReplyCode())) {
        ftpClient.disconnect();
        throw new Exception("FTP server refused connection");
    }
    if (!ftpClient.login(settings.getUser(), settings.getPassword())) {
        throw new Exception("login failed");
    }
    ftpClient.changeWorkingDirectory(settings.getFolder());
}
