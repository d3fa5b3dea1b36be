public static List<String> readLines(String fileName) throws IOException {
    List<String> lines = new ArrayList<String>();
    BufferedReader reader = new BufferedReader(new FileReader(fileName));
    String line = null;
    while ((line = reader.readLine()) != null) {
        lines.add(line);
    }
    reader.close();
    return lines;
}
// ---
public String readFile(File f) {
    StringBuilder contents = new StringBuilder();
    try {
        BufferedReader input = new BufferedReader(new FileReader(f));
        try {
            String line = null;
            while ((line = input.readLine()) != null) {
                contents.append(line);
                contents.append(System.getProperty("line.separator"));
            }
        } finally {
            input.close();
        }
    } catch (IOException ex) {
        ex.printStackTrace();
    }
    return contents.toString();
}
// ---
private Vector load(String path) {
    Vector result = new Vector();
    try {
        FileInputStream fstream = new FileInputStream(path);
        DataInputStream in = new DataInputStream(fstream);
        BufferedReader br = new BufferedReader(new InputStreamReader(in));
        String strLine;
        while ((strLine = br.readLine()) != null) {
            result.addElement(strLine);
        }
        in.close();
    } catch (Exception e) {
        System.err.println("Error: " + e.getMessage());
    }
    return result;
}
// ---
public ArrayList<String> getAllLines(File source) throws FileNotFoundException {
    Scanner scanner = new Scanner(new FileInputStream(source));
    ArrayList<String> all = new ArrayList<String>();
    try {
        while (scanner.hasNextLine()) {
            all.add(scanner.nextLine());
        }
    } finally {
        scanner.close();
    }
    return all;
}
