public static String md5(String text) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("MD5");
    digest.update(text.getBytes());
    byte[] hash = digest.digest();
    StringBuffer hexString = new StringBuffer();
    for (int i = 0; i < hash.length; i++) {
        String hex = Integer.toHexString(0xff & hash[i]);
        if (hex.length() == 1) {
            hexString.append('0');
        }
        hexString.append(hex);
    }
    return hexString.toString();
}
// ---
private String encrypt(String password) {
    try {
        MessageDigest md = MessageDigest.getInstance("MD5");
        byte[] result = md.digest(password.getBytes("UTF-8"));
        StringBuilder sb = new StringBuilder();
        for (byte b : result) {
            sb.append(String.format("%02x", b));
        }
        return sb.toString();
    } catch (NoSuchAlgorithmException e) {
        throw new RuntimeException(e);
    } catch (UnsupportedEncodingException e) {
        throw new RuntimeException(e);
    }
}
// ---
public static String getMD5Hash(String in) {
    StringBuffer result = new StringBuffer(32);
    try {
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        md5.update(in.getBytes());
        Formatter f = new Formatter(result);
        for (byte b : md5.digest()) {
            f.format("%02x", b);
        }
    } catch (NoSuchAlgorithmException ex) {
        ex.printStackTrace();
    }
    return result.toString();
}
// ---
public String hash(String plaintext) throws Exception {
    MessageDigest md = null;
    md = MessageDigest.getInstance("SHA");
    md.update(plaintext.getBytes("UTF-8"));
    byte raw[] = md.digest();
    String hash = (new BASE64Encoder()).encode(raw);
    return hash;
}
// ---
public static String sha1(String s) {
    try {
        MessageDigest md = MessageDigest.getInstance("SHA-1");
        md.update(s.getBytes("iso-8859-1"), 0, s.length());
        byte[] sha1hash = md.digest();
        StringBuffer buf = new StringBuffer();
        for (int i = 0; i < sha1hash.length; i++) {
            int halfbyte = (sha1hash[i] >>> 4) & 0x0F;
            int twoHalfs = 0;
            do {
                if ((0 <= halfbyte) && (halfbyte <= 9)) buf.append((char) ('0' + halfbyte));
                else buf.append((char) ('a' + (halfbyte - 10)));
                halfbyte = sha1hash[i] & 0x0F;
            } while (twoHalfs++ < 1);
        }
        return buf.toString();
    } catch (Exception e) {
        return null;
    }
}
// ---
public static String md5Hex(String message) {
    try {
        MessageDigest md = MessageDigest.getInstance("MD5");
        md.reset();
        md.update(message.getBytes());
        byte[] array = md.digest();
        StringBuffer sb = new StringBuffer();
        for (int i = 0; i < array.length; ++i) {
            sb.append(Integer.toHexString((array[i] & 0xFF) | 0x100).substring(1, 3));
        }
        return sb.toString();
    } catch (NoSuchAlgorithmException e) {
        log.error("no md5", e);
    }
    return null;
}
