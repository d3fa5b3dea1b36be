public static BufferedImage resize(BufferedImage image, int width, int height) {
    BufferedImage resized = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    Graphics2D g = resized.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
    g.drawImage(image, 0, 0, width, height, null);
    g.dispose();
    return resized;
}
// ---
public void createThumbnail(String in, String out, int max) throws IOException {
    BufferedImage src = ImageIO.read(new File(in));
    double scale = (double) max / Math.max(src.getWidth(), src.getHeight());
    int w = (int) (src.getWidth() * scale);
    int h = (int) (src.getHeight() * scale);
    BufferedImage thumb = new BufferedImage(w, h, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = thumb.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.drawImage(src, 0, 0, w, h, null);
    graphics.dispose();
    ImageIO.write(thumb, "jpg", new File(out));
}
// ---
private Image scaleTo(Image original, Dimension size) {
    int type = BufferedImage.TYPE_INT_RGB;
    BufferedImage copy = new BufferedImage(size.width, size.height, type);
    Graphics2D pen = (Graphics2D) copy.getGraphics();
    pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    pen.drawImage(original, AffineTransform.getScaleInstance(0.5, 0.5), null);
    pen.dispose();
    return copy;
}
