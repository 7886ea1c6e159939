#!/usr/bin/env python3
"""Every number on the command line is checked against the range that the help shows."""

import re
import unittest

import tool
from tool import USAGE, run

COMMANDS = ("embed", "perplexity", "init", "train", "finetune")
# Units of options that take a number.
UNITS = r"(?:N|TOKENS|STEPS|E|RATE|NORM|MINUTES|BYTES|G|TIME\|STEPS|W0,\.\.\.,WL)"
NO_NUMBERS = ("", "x", "nan", "inf", "1 2", "1e400")


def numbers():
    """Every option that takes a number, once: (command, option, its help)."""
    seen = set()
    for command in COMMANDS:
        text = run(command, "--help").stdout.decode()
        entries = re.findall(rf"^  (--[a-z-]+) {UNITS}\b(.*(?:\n {{30}}.*)*)", text, re.MULTILINE)
        for option, said in entries:
            said = re.sub(r"\s+", " ", said)
            if (option, said) not in seen:
                seen.add((option, said))
                yield command, option, said


class Numbers(tool.ToolTest):
    def refuse(self, command, option, value):
        result = run(command, f"{option}={value}")
        self.assert_exit(result, USAGE)
        self.assertEqual(result.stdout, b"")
        message = result.stderr.decode()
        self.assertTrue(message.startswith(f"elmo: {option}: "), message)
        self.assertIn("expected", message)
        if value:
            self.assertIn(f"found '{value}'", message)

    def test_invalid_numbers_are_refused(self):
        for command, option, _ in numbers():
            for value in NO_NUMBERS:
                with self.subTest(command=command, option=option, value=value):
                    self.refuse(command, option, value)

    def test_numbers_out_of_the_range_in_the_help_are_refused(self):
        for command, option, said in numbers():
            outside = []
            if re.search(r"\(1 to ", said) or "more than 0" in said:
                outside += ["0", "-1", "-0.5"]
            if re.search(r"\(0 to |at least 0", said):
                outside += ["-1"]
            if re.search(r" to (\d|2\^)", said):
                outside += ["18446744073709551616", "1e30"]
            if "less than 1" in said:
                outside += ["1", "1.5"]
            if "at most" in said:
                outside += ["1e30"]
            if option not in ("--gamma", "--mix-weights"):
                self.assertTrue(outside, f"{command} {option} shows no range: {said}")
            for value in outside:
                with self.subTest(command=command, option=option, value=value):
                    self.refuse(command, option, value)

    def test_too_many_epochs_are_refused(self):
        text = self.write("text.txt", "A few words.\n")
        output = self.folder / "out"
        result = run("train", text, "--valid", text, "--preset", "tiny", "-o", output, "--epochs",
                     "1e30")
        self.assert_exit(result, USAGE)
        self.assertIn("found '1e30'", result.stderr.decode())
        self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main()
