#!/usr/bin/env python3
"""Runs the examples of every page, in order, each page's in a folder that starts empty.

In a ```console block, lines that begin with "$ " are commands and the lines below each are what it
prints; "..." stands for any text, within a line or for whole lines. A ```python block has to run,
and to print what a ```text block after it holds; one whose modules are not installed is skipped,
saying so. Other blocks are not run.
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

sys.path.insert(0, str(tool.TOP / "cli/python"))

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(markdown):
    """Every block as (line number, language, content)."""
    for block in BLOCK.finditer(markdown):
        yield markdown.count("\n", 0, block.start()) + 1, block.group(1), block.group(2)


def commands(console):
    """A console block as (command, expected output) pairs; commands may continue after a backslash."""
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
    names += ["numpy"] if "elmo" in names else []
    return [name for name in names if importlib.util.find_spec(name) is None]


class Reading(unittest.TestCase):
    def test_output_is_compared_with_wildcards(self):
        self.assertTrue(matches("a\nb ... d\n", "a\nb c d"))
        self.assertTrue(matches("a\n...\nd", "a\nb\nc\nd\n"))
        self.assertFalse(matches("a b", "a c"))
        self.assertFalse(matches("", "a"))

    def test_commands_and_their_output_are_distinguished(self):
        self.assertEqual(commands("$ a \\\n    b\nx\ny\n$ c\n"), [("a b", "x\ny"), ("c", "")])


class Examples(unittest.TestCase):
    def setUp(self):
        self.path = f"{pathlib.Path(tool.ELMO).resolve().parent}:{os.environ['PATH']}"

    def output_of(self, folder, *command):
        # PyTorch warns of more loader processes than cores.
        environment = dict(os.environ, PATH=self.path, PYTHONWARNINGS="ignore",
                           PYTHONPATH=os.pathsep.join(sys.path))
        return subprocess.run(command, cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=tool.TIMEOUT_SECONDS)

    def assert_prints(self, expected, result):
        self.assertTrue(matches(expected, result.stdout),
                        f"printed:\n{result.stdout}\nexpected:\n{expected}")

    def run_examples(self, page, folder):
        printed = None  # by the last python block
        for line, language, content in examples(page.read_text(encoding="utf-8")):
            with self.subTest(page=page.name, line=line):
                if language == "console":
                    for command, expected in commands(content):
                        self.assert_prints(expected, self.output_of(folder, "bash", "-c", command))
                elif language == "python":
                    missing = missing_modules(content)
                    printed = None if missing else self.output_of(folder, sys.executable, "-c",
                                                                  content)
                    if missing:
                        print(f"{page.name}:{line}: not run, without {', '.join(missing)}",
                              file=sys.stderr)
                    else:
                        self.assertEqual(printed.returncode, 0, printed.stdout)
                elif language == "text" and printed:
                    self.assert_prints(content, printed)
                    printed = None

    def test_examples(self):
        for page in tool.pages():
            with tempfile.TemporaryDirectory() as folder:
                self.run_examples(page, folder)

    def test_pages_with_instructions_have_examples(self):
        for page in ("README.md", "io/text/TEXT.md", "io/text/RULES.md", "io/shard/READING.md", "io/shard/RUNS.md",
                     "io/shard/CHOOSING.md", "io/model/MODELS.md", "cli/ALLENNLP.md", "cli/python/README.md",
                     "core/train/TRAINING.md", "core/tasks/TASKS.md", "core/analysis/ANALYSIS.md"):
            languages = [found[1] for found in examples((tool.TOP / page).read_text(encoding="utf-8"))]
            self.assertIn("console", languages, page)


if __name__ == "__main__":
    unittest.main()
