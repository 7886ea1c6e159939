#!/usr/bin/env python3
"""Runs the examples of README.md, in order, in a folder that starts empty.

In a ```console block, lines that begin with "$ " are commands and the lines below each are what it
prints; "..." stands for any text, within a line or for whole lines. A ```python block has to run;
one whose modules are not installed is skipped, saying so. Other blocks are not run.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tool

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(markdown):
    """Every block as (line number, language, content)."""
    for block in BLOCK.finditer(markdown):
        yield markdown.count("\n", 0, block.start()) + 1, block.group(1), block.group(2)


def commands(console):
    """A console block as (command, expected output) pairs; commands may go on after a backslash."""
    pairs = []
    lines = console.splitlines()
    while lines:
        line = lines.pop(0)
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + lines.pop(0).lstrip("> ")
            pairs.append((command, []))
        else:
            pairs[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in pairs]


def matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, actual.strip(), re.DOTALL) is not None


def missing_modules(source):
    names = re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE)
    return [name for name in names if importlib.util.find_spec(name) is None]


class Reading(unittest.TestCase):
    def test_output_is_compared_with_wildcards(self):
        self.assertTrue(matches("a\nb ... d\n", "a\nb c d"))
        self.assertTrue(matches("a\n...\nd", "a\nb\nc\nd\n"))
        self.assertFalse(matches("a b", "a c"))
        self.assertFalse(matches("", "a"))

    def test_commands_and_their_output_are_told_apart(self):
        self.assertEqual(commands("$ a \\\n    b\nx\ny\n$ c\n"), [("a b", "x\ny"), ("c", "")])


class Readme(unittest.TestCase):
    def test_examples(self):
        found = list(examples(README.read_text(encoding="utf-8")))
        self.assertTrue([language for _, language, _ in found if language == "console"])
        environment = dict(os.environ)
        environment["PATH"] = f"{pathlib.Path(tool.ELMO).resolve().parent}:{environment['PATH']}"
        with tempfile.TemporaryDirectory() as folder:
            keywords = {"cwd": folder, "env": environment, "stdout": subprocess.PIPE,
                        "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL, "text": True,
                        "timeout": tool.TIMEOUT_SECONDS, "check": False}
            for line, language, content in found:
                if language == "console":
                    for command, expected in commands(content):
                        with self.subTest(line=line, command=command):
                            actual = subprocess.run(["bash", "-c", command], **keywords).stdout
                            self.assertTrue(matches(expected, actual),
                                            f"printed:\n{actual}\nexpected:\n{expected}")
                elif language == "python":
                    missing = missing_modules(content)
                    if missing:
                        print(f"README.md:{line}: not run, without {', '.join(missing)}",
                              file=sys.stderr)
                        continue
                    with self.subTest(line=line):
                        result = subprocess.run([sys.executable, "-c", content], **keywords)
                        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
