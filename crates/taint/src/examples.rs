//! Examples of the rules that follow data, for their documentation; every one is a test.

use formicary_model::Language;

/// Language, bad code, good code.
type Examples = &'static [(Language, &'static str, &'static str)];

pub(super) const SQL: Examples = &[
    (
        Language::Python,
        "from flask import request\ndef f(cursor):\n    cursor.execute(\"SELECT * FROM t WHERE n = '\" + request.args[\"n\"] + \"'\")\n",
        "from flask import request\ndef f(cursor):\n    cursor.execute(\"SELECT * FROM t WHERE n = ?\", (request.args[\"n\"],))\n",
    ),
    (
        Language::JavaScript,
        "app.get('/', (req, res) => { db.query(`SELECT * FROM t WHERE n = '${req.query.n}'`) })\n",
        "app.get('/', (req, res) => { db.query('SELECT * FROM t WHERE n = ?', [req.query.n]) })\n",
    ),
];

pub(super) const COMMAND: Examples = &[
    (
        Language::Python,
        "import os\nfrom flask import request\ndef f():\n    os.system(\"ls \" + request.args[\"n\"])\n",
        "import subprocess\nfrom flask import request\ndef f():\n    subprocess.run([\"ls\", request.args[\"n\"]])\n",
    ),
    (
        Language::Go,
        "package a\nimport (\"net/http\"; \"os/exec\")\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command(\"sh\", \"-c\", r.FormValue(\"c\")).Run() }\n",
        "package a\nimport (\"net/http\"; \"os/exec\")\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command(\"ls\", r.FormValue(\"c\")).Run() }\n",
    ),
];

pub(super) const CODE: Examples = &[(
    Language::Python,
    "from flask import request\ndef f():\n    return str(eval(request.args[\"n\"]))\n",
    "import ast\nfrom flask import request\ndef f():\n    return str(ast.literal_eval(request.args[\"n\"]))\n",
)];

pub(super) const LDAP: Examples = &[(
    Language::Python,
    "import ldap\nfrom flask import request\ndef f():\n    c = ldap.initialize(\"x\")\n    c.search_s(\"dc=x\", 2, \"(uid=\" + request.args[\"n\"] + \")\")\n",
    "import ldap\nfrom ldap.filter import escape_filter_chars\nfrom flask import request\ndef f():\n    c = ldap.initialize(\"x\")\n    c.search_s(\"dc=x\", 2, \"(uid=\" + escape_filter_chars(request.args[\"n\"]) + \")\")\n",
)];

pub(super) const XPATH: Examples = &[(
    Language::Python,
    "from flask import request\ndef f(tree):\n    return tree.xpath(\"//a[@n='\" + request.args[\"n\"] + \"']\")\n",
    "from flask import request\ndef f(tree):\n    return tree.xpath(\"//a[@n=$n]\", n=request.args[\"n\"])\n",
)];

pub(super) const TEMPLATE: Examples = &[(
    Language::Python,
    "from flask import request, render_template_string\ndef f():\n    return render_template_string(\"<p>\" + request.args[\"n\"])\n",
    "from flask import request, render_template_string\ndef f():\n    return render_template_string(\"<p>{{ n }}\", n=request.args[\"n\"])\n",
)];

pub(super) const HEADER: Examples = &[(
    Language::Java,
    "class A { void doGet(HttpServletRequest request, HttpServletResponse response) { response.setHeader(\"X-N\", request.getParameter(\"n\")); } }\n",
    "class A { void doGet(HttpServletRequest request, HttpServletResponse response) { response.setHeader(\"X-N\", \"fixed\"); } }\n",
)];

pub(super) const LOG: Examples = &[(
    Language::Python,
    "import logging\nfrom flask import request\ndef f():\n    logging.info(\"name \" + request.args[\"n\"])\n",
    "import logging\nfrom flask import request\ndef f():\n    logging.info(\"name %d\", int(request.args[\"n\"]))\n",
)];

pub(super) const PATH: Examples = &[(
    Language::Python,
    "from flask import request\ndef f():\n    return open(\"/data/\" + request.args[\"n\"]).read()\n",
    "import os\nfrom flask import request\ndef f():\n    path = os.path.realpath(\"/data/\" + request.args[\"n\"])\n    if not path.startswith(\"/data/\"):\n        return None\n    return open(path).read()\n",
)];

pub(super) const XSS: Examples = &[
    (
        Language::Python,
        "from flask import Flask, request\napp = Flask(__name__)\n@app.route(\"/\")\ndef f():\n    return \"<p>\" + request.args[\"n\"]\n",
        "import html\nfrom flask import Flask, request\napp = Flask(__name__)\n@app.route(\"/\")\ndef f():\n    return \"<p>\" + html.escape(request.args[\"n\"])\n",
    ),
    (
        Language::JavaScript,
        "app.get('/', (req, res) => { res.send('<p>' + req.query.n) })\n",
        "app.get('/', (req, res) => { res.json({ n: req.query.n }) })\n",
    ),
];

pub(super) const REQUEST: Examples = &[(
    Language::Python,
    "import requests\nfrom flask import request\ndef f():\n    return requests.get(request.args[\"n\"]).text\n",
    "import requests\nfrom flask import request\ndef f():\n    return requests.get(\"https://example.com/\" + request.args[\"n\"]).text\n",
)];

pub(super) const REDIRECT: Examples = &[(
    Language::Python,
    "from flask import request, redirect\ndef f():\n    return redirect(request.args[\"n\"])\n",
    "from flask import request, redirect\ndef f():\n    return redirect(\"/users/\" + request.args[\"n\"])\n",
)];

pub(super) const XML: Examples = &[(
    Language::Python,
    "import lxml.etree\nfrom flask import request\ndef f():\n    return lxml.etree.fromstring(request.data, lxml.etree.XMLParser(resolve_entities=True))\n",
    "import lxml.etree\nfrom flask import request\ndef f():\n    return lxml.etree.fromstring(request.data, lxml.etree.XMLParser(resolve_entities=False))\n",
)];

pub(super) const DESERIALISE: Examples = &[(
    Language::Python,
    "import pickle\nfrom flask import request\ndef f():\n    return pickle.loads(request.data)\n",
    "import json\nfrom flask import request\ndef f():\n    return json.loads(request.data)\n",
)];

pub(super) const TRUST: Examples = &[(
    Language::Python,
    "from flask import request, session\ndef f():\n    session[\"user\"] = request.args[\"n\"]\n",
    "from flask import request, session\ndef f():\n    session[\"page\"] = int(request.args[\"n\"])\n",
)];

pub(super) const REGEX: Examples = &[(
    Language::Python,
    "import re\nfrom flask import request\ndef f(text):\n    return re.search(request.args[\"n\"], text)\n",
    "import re\nfrom flask import request\ndef f(text):\n    return re.search(re.escape(request.args[\"n\"]), text)\n",
)];

pub(super) const FORMAT: Examples = &[(
    Language::C,
    "#include <stdio.h>\nint main(int argc, char **argv) { printf(argv[1]); return 0; }\n",
    "#include <stdio.h>\nint main(int argc, char **argv) { printf(\"%s\", argv[1]); return 0; }\n",
)];

pub(super) const RANDOM: Examples = &[(
    Language::Python,
    "import random\nfrom flask import make_response\ndef f():\n    response = make_response(\"ok\")\n    response.set_cookie(\"sid\", str(random.random()), secure=True, httponly=True)\n    return response\n",
    "import secrets\nfrom flask import make_response\ndef f():\n    response = make_response(\"ok\")\n    response.set_cookie(\"sid\", secrets.token_hex(), secure=True, httponly=True)\n    return response\n",
)];

#[cfg(test)]
mod tests {
    use crate::{Settings, analyze};
    use formicary_lint::{Options, SourceFile};

    #[test]
    fn examples_hold() {
        let mut wrong = String::new();
        for info in crate::classes::infos() {
            assert!(!info.examples.is_empty(), "{} has no example", info.name);
            for (language, bad, good) in info.examples {
                for (code, expected) in [(bad, true), (good, false)] {
                    let file = SourceFile::new(format!("example.{}", language.extensions()[0]), *code);
                    let analysis = analyze(&[file], &Options::default(), &Settings::new());
                    let found = analysis.followed.findings.iter().any(|finding| finding.rule == info.name);
                    if found != expected {
                        wrong += &format!("{} in {language}, expected {expected}: {code}\n", info.name);
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}
