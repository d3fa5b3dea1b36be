"""Several answers of a model to one task, judged by its tests, with pass@k."""

from __future__ import annotations

import formicary

ANSWERS = [
    "def add(a, b):\n    return a + b\n",
    "def add(a, b):\n    return a - b\n",
    "def add(a, b):\n    while True:\n        pass\n",
]
TEST = "assert add(2, 3) == 5 and add(-1, 1) == 0\n"


def main() -> None:
    """Judges the answers and prints how each fared."""
    items = [{"id": n, "group": "add", "language": "python", "code": code, "test": TEST} for n, code in enumerate(ANSWERS)]
    report = formicary.judge(items, timeout=2, pass_at=[1, 2])
    for result in report:
        print(result.id, result.verdict)
    print("pass@1 and pass@2:", report.summary["pass_at"])
    assert [str(result.verdict) for result in report] == ["accepted", "runtime_error", "time_limit"]


if __name__ == "__main__":
    main()
