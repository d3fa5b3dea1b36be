"""Every Python example of the project's documents runs, and so do the examples that come with the package."""

from __future__ import annotations

import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
from typing import List, Tuple

import pytest

REPOSITORY = pathlib.Path(os.environ.get("FORMICARY_REPOSITORY", pathlib.Path(__file__).resolve().parents[3]))
EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def blocks() -> List[Tuple[str, str]]:
    """The Python blocks of README and docs that use this package."""
    found = []
    for path in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for number, match in enumerate(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)):
            if re.search(r"^(import|from) formicary", match.group(1), re.MULTILINE):
                found.append((f"{path.name}-{number}", match.group(1)))
    return found


def test_there_are_examples_to_run() -> None:
    assert len(blocks()) >= 5 and len(list(EXAMPLES.glob("*.py"))) >= 2


@pytest.mark.parametrize(("name", "code"), blocks(), ids=lambda value: value if len(value) < 40 else "code")
def test_the_documents_examples_run(name: str, code: str, project: pathlib.Path) -> None:
    (project / "src").mkdir()
    (project / "src" / "module.py").write_text("import os\n\n\ndef f(x):\n    return x\n")
    script = project / "example.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, cwd=project)
    assert done.returncode == 0, done.stderr
    for wanted in re.findall(r"#> (.*)", code):
        assert wanted in done.stdout, (wanted, done.stdout)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_the_packages_examples_run(path: pathlib.Path, project: pathlib.Path) -> None:
    shutil.copy(path, project / "example.py")
    runpy.run_path(str(project / "example.py"), run_name="__main__")
