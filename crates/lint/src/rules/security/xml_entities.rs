//! XML parsers that fetch what a document names.

use super::SECURITY;
use super::calls::{calls, is_bool, named};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "xml-entities",
    title: "An XML parser that fetches what the document names",
    why: "A document can name a file or an address as an entity: the parser reads it and puts it into the text.",
    suggestion: "Forbid document types (`disallow-doctype-decl`), or use `defusedxml`.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(611),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: &[
        (
            Language::Python,
            "from lxml import etree\np = etree.XMLParser(resolve_entities=True)\n",
            "from lxml import etree\np = etree.XMLParser(resolve_entities=False)\n",
        ),
        (
            Language::Python,
            "import xml.sax\nxml.sax.parse(f, h)\np = xml.sax.make_parser()\np.setFeature(xml.sax.handler.feature_external_ges, True)\n",
            "import xml.sax\nxml.sax.parse(f, h)\n",
        ),
        (Language::JavaScript, "libxml.parseXml(x, { noent: true })", "libxml.parseXml(x, { noent: false })"),
        (
            Language::Java,
            "class A { void f() throws Exception { DocumentBuilderFactory.newInstance().newDocumentBuilder(); } }",
            "class A { void f() throws Exception { DocumentBuilderFactory d = DocumentBuilderFactory.newInstance(); d.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true); } }",
        ),
    ],
    ..SECURITY
};

/// Settings of Java's parsers each of which shuts the door.
const SHUTS: &[&str] = &[
    "disallow-doctype-decl",
    "FEATURE_SECURE_PROCESSING",
    "ACCESS_EXTERNAL_DTD",
    "SUPPORT_DTD",
    "external-general-entities",
    "isSupportingExternalEntities",
    "IS_SUPPORTING_EXTERNAL_ENTITIES",
    "setExpandEntityReferences",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let mut spans = Vec::new();
    match file.language() {
        Language::Python => {
            for call in calls(file, &["XMLParser", "setFeature"]) {
                let lxml = call.path == "lxml.etree.XMLParser"
                    && (call.keyword("resolve_entities").is_some_and(|value| is_bool(file, value, true))
                        || call.keyword("no_network").is_some_and(|value| is_bool(file, value, false)));
                let sax = call.method() == "setFeature"
                    && call
                        .first()
                        .is_some_and(|name| super::calls::path(file, name).ends_with("feature_external_ges"))
                    && call.arguments.get(1).is_some_and(|on| is_bool(file, on.value, true));
                if lxml || sax {
                    spans.push(call.span);
                }
            }
        }
        Language::Java => {
            // One setting anywhere in the file is taken as a sign that the author knows.
            if SHUTS.iter().any(|word| file.unit.source.contains(word)) {
                return;
            }
            for call in
                calls(file, &["newInstance", "newFactory", "createXMLReader", "SAXBuilder", "SAXReader"])
            {
                let factory = [
                    "DocumentBuilderFactory",
                    "SAXParserFactory",
                    "XMLInputFactory",
                    "TransformerFactory",
                    "SchemaFactory",
                ];
                let made = factory.iter().any(|name| call.receiver().ends_with(name));
                if made
                    || matches!(
                        call.path.as_str(),
                        "XMLReaderFactory.createXMLReader" | "SAXBuilder" | "SAXReader"
                    )
                {
                    spans.push(call.span);
                }
            }
        }
        _ => {
            for (_, value) in named(file, &["noent"]) {
                if is_bool(file, value, true) {
                    spans.push(file.unit.expr(value).span);
                }
            }
        }
    }
    for span in spans {
        report.find(span, "the parser fetches what the document names");
    }
}
