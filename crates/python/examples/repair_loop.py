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
    """Mends the program by its own failure."""
    failed = execute_code("python", PROGRAM)
    print(failed["status"], "-", failed["stderr"].splitlines()[-1])
    found = Debugger().debug(PROGRAM, failed["stdout"], failed["stderr"], failed["exit_code"], language="python")
    print("cause:", found)
    assert found.fixed and found.patch is not None and found.fixed_code is not None
    print(found.patch.diff)
    print("now it prints", execute_code("python", found.fixed_code)["stdout"])


if __name__ == "__main__":
    main()
