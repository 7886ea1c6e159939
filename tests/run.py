#!/usr/bin/env python3
"""Runs the unittest cases of a file and says which of them it skipped.

    run.py FILE

Exits with 0 if all cases that ran passed, 77 if every case was skipped, and 1 otherwise, also if there
is no case.
"""

import importlib
import pathlib
import sys
import unittest


class Result(unittest.TextTestResult):
    """Counts the cases that passed. A class that is skipped as a whole counts as skipped, not as
    run."""

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main(file):
    path = pathlib.Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    cases = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(path.stem))
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(cases)
    for case, reason in result.skipped:
        print(f"skipped: {case}: {reason}")
    if not result.wasSuccessful():
        return 1
    if result.passed:
        return 0
    return 77 if result.skipped else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
