public static Document parse(File file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    DocumentBuilder builder = factory.newDocumentBuilder();
    Document document = builder.parse(file);
    document.getDocumentElement().normalize();
    return document;
}
// ---
private Document loadXml(String xml) {
    try {
        DocumentBuilder db = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        InputSource is = new InputSource();
        is.setCharacterStream(new StringReader(xml));
        return db.parse(is);
    } catch (ParserConfigurationException e) {
        log.error("Error: " + e.getMessage());
        return null;
    } catch (SAXException e) {
        log.error("Error: " + e.getMessage());
        return null;
    } catch (IOException e) {
        log.error("Error: " + e.getMessage());
        return null;
    }
}
// ---
public void readConfiguration(InputStream input) throws IOException {
    Document dom = null;
    try {
        DocumentBuilderFactory dbf = DocumentBuilderFactory.newInstance();
        DocumentBuilder db = dbf.newDocumentBuilder();
        dom = db.parse(input);
    } catch (ParserConfigurationException pce) {
        throw new IOException(pce);
    } catch (SAXException se) {
        throw new IOException(se);
    }
    NodeList list = dom.getDocumentElement().getElementsByTagName("property");
    for (int i = 0; i < list.getLength(); i++) {
        Element e = (Element) list.item(i);
        values.put(e.getAttribute("name"), e.getTextContent());
    }
}
