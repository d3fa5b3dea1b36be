public static List<String> findEmails(String text) {
    List<String> found = new ArrayList<String>();
    Pattern pattern = Pattern.compile("[a-zA-Z0-9._]+@[a-zA-Z0-9.]+");
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
        found.add(matcher.group());
    }
    return found;
}
// ---
public Set<String> extractLinks(String html) {
    Set<String> links = new HashSet<String>();
    Matcher m = Pattern.compile("href=\"([^\"]*)\"", Pattern.CASE_INSENSITIVE).matcher(html);
    while (m.find()) {
        String link = m.group(1);
        if (!link.startsWith("#")) {
            links.add(link);
        }
    }
    return links;
}
// ---
private String[] splitNumbers(CharSequence in) {
    Vector<String> out = new Vector<String>();
    Pattern p = Pattern.compile("\\d+");
    Matcher m = p.matcher(in);
    boolean more = m.find();
    while (more) {
        out.add(in.subSequence(m.start(), m.end()).toString());
        more = m.find();
    }
    return out.toArray(new String[out.size()]);
}
