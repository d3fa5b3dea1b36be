public void sendMail(String to, String subject, String text) throws MessagingException {
    Properties props = new Properties();
    props.put("mail.smtp.host", host);
    props.put("mail.smtp.auth", "true");
    Session session = Session.getDefaultInstance(props, null);
    MimeMessage message = new MimeMessage(session);
    message.setFrom(new InternetAddress(from));
    message.addRecipient(Message.RecipientType.TO, new InternetAddress(to));
    message.setSubject(subject);
    message.setText(text);
    Transport.send(message);
}
// ---
public static boolean send(final String user, final String password, String recipient, String title, String body) {
    Properties properties = System.getProperties();
    properties.setProperty("mail.smtp.host", "smtp.gmail.com");
    properties.setProperty("mail.smtp.port", "587");
    properties.setProperty("mail.smtp.starttls.enable", "true");
    Session session = Session.getInstance(properties, new Authenticator() {
        protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication(user, password);
        }
    });
    try {
        Message msg = new MimeMessage(session);
        msg.setFrom(new InternetAddress(user));
        msg.setRecipients(Message.RecipientType.TO, InternetAddress.parse(recipient));
        msg.setSubject(title);
        msg.setContent(body, "text/html");
        msg.setSentDate(new Date());
        Transport.send(msg);
        return true;
    } catch (MessagingException e) {
        e.printStackTrace();
        return false;
    }
}
// ---
private void notify(List<String> addresses, String content) {
    try {
        Session mail = Session.getInstance(configuration);
        MimeMessage m = new MimeMessage(mail);
        m.setFrom(new InternetAddress(configuration.getProperty("mail.from")));
        for (String address : addresses) {
            m.addRecipient(Message.RecipientType.TO, new InternetAddress(address));
        }
        m.setSubject("Notification", "UTF-8");
        m.setText(content, "UTF-8");
        Transport transport = mail.getTransport("smtp");
        transport.connect();
        transport.sendMessage(m, m.getAllRecipients());
        transport.close();
    } catch (Exception ex) {
        log.warn("mail was not sent", ex);
    }
}
