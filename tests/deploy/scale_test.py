#!/usr/bin/env python3
"""cli/deploy/SCALE.md shows what its script prints."""

import subprocess
import sys
import unittest

import tool

FOLDER = tool.TOP / "cli/deploy"


class Scale(unittest.TestCase):
    def test_the_tables_match_the_script(self):
        printed = subprocess.run([sys.executable, "-B", FOLDER / "scale.py"], check=True,
                                 stdout=subprocess.PIPE).stdout.decode()
        page = (FOLDER / "SCALE.md").read_text(encoding="utf-8")
        tables = [table for table in printed.split("\n\n") if table]
        self.assertEqual(len(tables), 3)
        for table in tables:
            self.assertIn(table.strip() + "\n", page)


if __name__ == "__main__":
    unittest.main()
