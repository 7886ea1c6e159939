#!/usr/bin/env python3
"""The runner of tests with skipped and failed cases."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).with_name("run.py")

PASSED = "    def test_passed(self):\n        pass\n"
SKIPPED = "    @unittest.skip('no disk')\n    def test_skipped(self):\n        pass\n"
FAILED = "    def test_failed(self):\n        self.fail()\n"
SKIPPED_AS_A_WHOLE = ("    @classmethod\n    def setUpClass(cls):\n"
                      "        raise unittest.SkipTest('no disk')\n")


class Run(unittest.TestCase):
    def run_cases(self, *cases):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "made_test.py"
            file.write_text("import unittest\n\n\nclass Made(unittest.TestCase):\n" + "".join(cases),
                            encoding="utf-8")
            return subprocess.run([sys.executable, "-B", RUN, file], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False, timeout=60)

    def test_one_skipped_case_of_two_passes_with_a_note(self):
        result = self.run_cases(PASSED, SKIPPED)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"skipped: test_skipped", result.stdout)
        self.assertIn(b"no disk", result.stdout)

    def test_a_file_all_of_whose_cases_are_skipped_is_skipped(self):
        self.assertEqual(self.run_cases(SKIPPED).returncode, 77)
        self.assertEqual(self.run_cases(SKIPPED_AS_A_WHOLE, PASSED).returncode, 77)
        other = f"\n\nclass Other(unittest.TestCase):\n{PASSED}"
        self.assertEqual(self.run_cases(SKIPPED_AS_A_WHOLE, PASSED, other).returncode, 0)

    def test_a_file_without_a_case_fails(self):
        self.assertEqual(self.run_cases("    def tset_passed(self):\n        pass\n").returncode, 1)

    def test_a_failed_case_fails(self):
        self.assertEqual(self.run_cases(PASSED, SKIPPED, FAILED).returncode, 1)


if __name__ == "__main__":
    unittest.main()
