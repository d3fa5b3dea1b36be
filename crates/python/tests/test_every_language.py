"""Every language with a real program that reads its input: cold, with a sandbox that stands ready, and in a session."""

from __future__ import annotations

import pytest

import formicary
from formicary.coding import execute_code

COPIES = {
    "python": "import sys\nsys.stdout.write(sys.stdin.read().upper())\n",
    "javascript": "process.stdout.write(require('fs').readFileSync(0, 'utf8').toUpperCase())\n",
    "typescript": "import { readFileSync } from 'fs';\nconst text: string = readFileSync(0, 'utf8');\n"
    "process.stdout.write(text.toUpperCase());\n",
    "java": "import java.util.Scanner;\npublic class Main {\n  public static void main(String[] args) {\n"
    "    Scanner in = new Scanner(System.in);\n"
    "    while (in.hasNextLine()) System.out.println(in.nextLine().toUpperCase());\n  }\n}\n",
    "c": "#include <ctype.h>\n#include <stdio.h>\nint main(void) {\n  int c;\n"
    "  while ((c = getchar()) != EOF) putchar(toupper(c));\n  return 0;\n}\n",
    "cpp": "#include <cctype>\n#include <iostream>\nint main() {\n  char c;\n"
    "  while (std::cin.get(c)) std::cout << (char)std::toupper(c);\n}\n",
    "go": 'package main\nimport (\n\t"fmt"\n\t"io"\n\t"os"\n\t"strings"\n)\nfunc main() {\n'
    "\ttext, _ := io.ReadAll(os.Stdin)\n\tfmt.Print(strings.ToUpper(string(text)))\n}\n",
    "rust": "use std::io::Read;\nfn main() {\n    let mut text = String::new();\n"
    '    std::io::stdin().read_to_string(&mut text).unwrap();\n    print!("{}", text.to_uppercase());\n}\n',
    "bash": "while read -r line; do echo \"${line^^}\"; done\n",
}


def _there(language: str) -> None:
    (known,) = [one for one in formicary.languages() if one.id == language]
    if not known.available:
        pytest.skip(f"{language} is not on this host: {known.why}")


@pytest.mark.parametrize("language", list(COPIES))
def test_a_program_reads_its_input_cold_and_ready(language: str) -> None:
    _there(language)
    # The first run may be cold; what stands ready is used afterwards, and for certain after a wait for it.
    for wait in (False, False, True, False):
        if wait:
            formicary.warm_up(language)
        result = execute_code(language, COPIES[language], stdin="one\ntwo\n")
        assert (result["status"], result["stdout"]) == ("success", "ONE\nTWO\n"), result


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("python", "x = 40", "print(x + 2)"),
        ("javascript", "var x = 40", "console.log(x + 2)"),
        ("bash", "x=40", "echo $((x + 2))"),
    ],
)
def test_a_session_goes_on(language: str, first: str, second: str) -> None:
    name = f"every-{language}"
    execute_code(language, first, session_id=name)
    result = execute_code(language, second, session_id=name)
    assert result["stdout"] == "42\n", result
