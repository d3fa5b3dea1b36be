"""Run, diagnose, mend, run again."""

from __future__ import annotations

from formicary.coding import Debugger, execute_code

PROGRAM = """
def mean(values):
    total = 0
    for value in values:
        total += valeu
    return total / len(values)

print(mean([1, 2, 3]))
"""


def main() -> None:
    """Finds a patch for the program's own failure."""
    failed = execute_code("python", PROGRAM)
    print(failed["status"], "-", failed["stderr"].splitlines()[-1])
    found = Debugger().debug(PROGRAM, failed["stdout"], failed["stderr"], failed["exit_code"], language="python")
    print("cause:", found)
    # Without tests a patch is a suggestion; with `test_code` it would be verified, and `found.fixed`.
    assert found.patch is not None and found.suggested_code is not None
    print(found.patch.diff)
    print("now it prints", execute_code("python", found.suggested_code)["stdout"])


if __name__ == "__main__":
    main()
