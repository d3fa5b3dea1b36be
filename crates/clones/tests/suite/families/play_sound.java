public static void play(File file) throws Exception {
    AudioInputStream stream = AudioSystem.getAudioInputStream(file);
    AudioFormat format = stream.getFormat();
    DataLine.Info info = new DataLine.Info(SourceDataLine.class, format);
    SourceDataLine line = (SourceDataLine) AudioSystem.getLine(info);
    line.open(format);
    line.start();
    byte[] samples = new byte[4096];
    int count = 0;
    while ((count = stream.read(samples, 0, samples.length)) != -1) {
        line.write(samples, 0, count);
    }
    line.drain();
    line.close();
}
// ---
public void playClip(URL sound) {
    try {
        AudioInputStream audio = AudioSystem.getAudioInputStream(sound);
        Clip clip = AudioSystem.getClip();
        clip.open(audio);
        clip.start();
    } catch (UnsupportedAudioFileException e) {
        e.printStackTrace();
    } catch (LineUnavailableException e) {
        e.printStackTrace();
    } catch (IOException e) {
        e.printStackTrace();
    }
}
// ---
private void playWave(String name) {
    SourceDataLine sdl = null;
    try {
        AudioInputStream ais = AudioSystem.getAudioInputStream(new File(name));
        AudioFormat af = ais.getFormat();
        sdl = (SourceDataLine) AudioSystem.getLine(new DataLine.Info(SourceDataLine.class, af));
        sdl.open(af);
        sdl.start();
        int read = 0;
        byte[] buffer = new byte[65536];
        while (read >= 0) {
            read = ais.read(buffer, 0, buffer.length);
            if (read >= 0) sdl.write(buffer, 0, read);
        }
    } catch (Exception e) {
        System.err.println(e);
    } finally {
        if (sdl != null) {
            sdl.drain();
            sdl.close();
        }
    }
}
