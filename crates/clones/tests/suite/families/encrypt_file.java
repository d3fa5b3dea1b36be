public static byte[] encrypt(byte[] data, String key) throws Exception {
    SecretKeySpec spec = new SecretKeySpec(key.getBytes("UTF-8"), "AES");
    Cipher cipher = Cipher.getInstance("AES");
    cipher.init(Cipher.ENCRYPT_MODE, spec);
    return cipher.doFinal(data);
}
// ---
public String encode(String plain, char[] secret) {
    try {
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBEWithMD5AndDES");
        SecretKey key = factory.generateSecret(new PBEKeySpec(secret));
        Cipher pbe = Cipher.getInstance("PBEWithMD5AndDES");
        pbe.init(Cipher.ENCRYPT_MODE, key, new PBEParameterSpec(SALT, 20));
        return base64(pbe.doFinal(plain.getBytes("UTF-8")));
    } catch (GeneralSecurityException e) {
        throw new RuntimeException(e);
    } catch (UnsupportedEncodingException e) {
        throw new RuntimeException(e);
    }
}
// ---
private void encryptFile(File in, File out, byte[] rawKey) throws Exception {
    SecretKeySpec keySpec = new SecretKeySpec(rawKey, "AES");
    Cipher c = Cipher.getInstance("AES/CBC/PKCS5Padding");
    c.init(Cipher.ENCRYPT_MODE, keySpec, new IvParameterSpec(IV));
    FileInputStream fis = new FileInputStream(in);
    CipherOutputStream cos = new CipherOutputStream(new FileOutputStream(out), c);
    byte[] block = new byte[8];
    int i;
    while ((i = fis.read(block)) != -1) {
        cos.write(block, 0, i);
    }
    cos.close();
    fis.close();
}
