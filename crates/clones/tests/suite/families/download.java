public static String getPage(String address) throws IOException {
    URL url = new URL(address);
    BufferedReader in = new BufferedReader(new InputStreamReader(url.openStream()));
    StringBuilder sb = new StringBuilder();
    String line;
    while ((line = in.readLine()) != null) {
        sb.append(line).append("\n");
    }
    in.close();
    return sb.toString();
}
// ---
private String fetch(String urlString) {
    String content = "";
    try {
        URL url = new URL(urlString);
        URLConnection conn = url.openConnection();
        conn.setConnectTimeout(5000);
        BufferedReader rd = new BufferedReader(new InputStreamReader(conn.getInputStream(), "UTF-8"));
        String inputLine;
        while ((inputLine = rd.readLine()) != null) {
            content += inputLine;
        }
        rd.close();
    } catch (MalformedURLException e) {
        e.printStackTrace();
    } catch (IOException e) {
        e.printStackTrace();
    }
    return content;
}
// ---
public void download(String from, String to) throws Exception {
    URL u = new URL(from);
    HttpURLConnection connection = (HttpURLConnection) u.openConnection();
    connection.setRequestMethod("GET");
    connection.connect();
    InputStream is = connection.getInputStream();
    FileOutputStream fos = new FileOutputStream(to);
    byte[] data = new byte[8192];
    int count;
    while ((count = is.read(data)) != -1) {
        fos.write(data, 0, count);
    }
    fos.close();
    is.close();
    connection.disconnect();
}
// ---
public static StringBuffer readUrl(final String location) {
    StringBuffer buffer = new StringBuffer();
    BufferedReader reader = null;
    try {
        reader = new BufferedReader(new InputStreamReader(new URL(location).openStream()));
        String s = reader.readLine();
        while (s != null) {
            buffer.append(s);
            buffer.append(System.getProperty("line.separator"));
            s = reader.readLine();
        }
    } catch (Exception e) {
        logger.warn("could not read " + location, e);
    } finally {
        if (reader != null) {
            try {
                reader.close();
            } catch (IOException e) {
            }
        }
    }
    return buffer;
}
// ---
public boolean saveUrl(String filename, String urlString) {
    BufferedInputStream in = null;
    FileOutputStream fout = null;
    try {
        in = new BufferedInputStream(new URL(urlString).openStream());
        fout = new FileOutputStream(filename);
        byte buffer[] = new byte[1024];
        int count;
        while ((count = in.read(buffer, 0, 1024)) != -1) {
            fout.write(buffer, 0, count);
        }
        in.close();
        fout.close();
        return true;
    } catch (IOException e) {
        return false;
    }
}
// ---
public String sendGet(String target) throws IOException {
    HttpURLConnection con = (HttpURLConnection) new URL(target).openConnection();
    con.setRequestMethod("GET");
    con.setRequestProperty("User-Agent", "Mozilla/5.0");
    int code = con.getResponseCode();
    if (code != HttpURLConnection.HTTP_OK) {
        throw new IOException("status " + code);
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(con.getInputStream()));
    String inputLine;
    StringBuffer response = new StringBuffer();
    while ((inputLine = in.readLine()) != null) {
        response.append(inputLine);
    }
    in.close();
    return response.toString();
}
