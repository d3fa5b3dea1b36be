public void serve(int port) throws IOException {
    ServerSocket server = new ServerSocket(port);
    while (true) {
        Socket client = server.accept();
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream()));
        PrintWriter out = new PrintWriter(client.getOutputStream(), true);
        String request = in.readLine();
        out.println("echo: " + request);
        client.close();
    }
}
// ---
public void run() {
    ServerSocket listener = null;
    try {
        listener = new ServerSocket(PORT);
        while (!stopped) {
            final Socket s = listener.accept();
            new Thread(new Handler(s)).start();
        }
    } catch (IOException e) {
        System.err.println("Could not listen on port " + PORT);
        System.exit(1);
    } finally {
        try {
            listener.close();
        } catch (IOException e) {
        }
    }
}
// ---
private static void talk(String host, int port, String text) throws Exception {
    Socket socket = new Socket(host, port);
    PrintWriter out = new PrintWriter(socket.getOutputStream(), true);
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
    out.println(text);
    System.out.println("Server said: " + in.readLine());
    in.close();
    out.close();
    socket.close();
}
