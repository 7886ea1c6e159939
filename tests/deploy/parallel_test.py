#!/usr/bin/env python3
"""cli/deploy/parallel with GNU parallel, on this machine."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

import h5py
import pipes
import shards
import tool
from tool import BAD_INPUT, DONE, ELMO, english, run

FOLDER = tool.TOP / "cli/deploy/parallel"


def gnu_parallel():
    """True if GNU's `parallel` is installed; moreutils has another one."""
    if shutil.which("parallel") is None:
        return False
    told = subprocess.run(["parallel", "--version"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
    return told.stdout.startswith(b"GNU parallel")


@unittest.skipUnless(gnu_parallel(), "needs GNU parallel")
class Parallel(tool.ToolTest):
    def script(self, name, *arguments, text="", **variables):
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        (home / ".parallel").mkdir(exist_ok=True)
        (home / ".parallel/will-cite").touch()
        environment = dict(os.environ, ELMO=str(pathlib.Path(ELMO).resolve()), HOME=str(home),
                           **variables)
        return subprocess.run(["sh", FOLDER / name, *map(str, arguments)], input=text.encode(),
                              cwd=self.folder, env=environment, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=tool.TIMEOUT_SECONDS)

    def test_a_pipe_gives_the_output_of_one_process_in_order(self):
        text = pipes.records(200)
        arguments = ("--model", self.model, "--layers", "top")
        result = self.script("pipe.sh", *arguments, text=text, BLOCK="4k", JOBS="3")
        self.assert_exit(result, DONE)
        single = run("embed", "--quiet", "--format", "jsonl", "--input-format", "jsonl", *arguments,
                     text=text)
        written, expected = (pipes.by_id(result.stdout.decode().splitlines())
                             for result in (result, single))
        self.assertEqual(written, expected)
        self.assertEqual(list(written), list(expected))

    def test_a_pipe_ends_with_the_exit_code_of_the_failure(self):
        text = pipes.records(50) + '{"id": "bad", "text": 7}\n' + pipes.records(50)
        result = self.script("pipe.sh", "--model", self.model, text=text, BLOCK="2k", JOBS="2")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(b"text", result.stderr)

    def test_parts_are_one_run(self):
        text, whole = self.write("a text.txt", english(9000)), self.folder / "whole"
        arguments = (text, "--model", self.model)
        result = self.script("parts.sh", 5, "parts", *arguments, JOBS="2")
        self.assert_exit(result, DONE)
        self.assert_exit(run("embed", "--quiet", "-o", whole, *arguments), DONE)
        expected, actual = (shards.contents(folder / "index.h5")
                            for folder in (whole, self.folder / "parts"))
        self.assertTrue(expected == actual, "what was merged differs")

    def test_the_arguments_of_the_command_are_unchanged(self):
        text = self.write("a {} b's.txt\n", "In 1984 it was 12 . {} {4} {1} it's\n" * 3)
        odd = ("--model", self.model, "--layers", "top", "--match", r"[0-9]{4}|\{(4|1)?\}|it's")
        result = self.script("parts.sh", 2, "parts", text, "--input-format", "tokens", *odd)
        self.assert_exit(result, DONE)
        words = [b"1984", b"{}", b"{4}", b"{1}", b"it's"]
        self.assertEqual(list(h5py.File(self.folder / "parts/index.h5")["tokens"][:5]), words)
        record = json.dumps({"id": "a", "text": "In 1984 it was 12"}) + "\n"
        result = self.script("pipe.sh", *odd, text=record, JOBS="1")
        self.assert_exit(result, DONE)
        self.assertEqual(json.loads(result.stdout)["tokens"], ["1984"])

    def test_a_failed_part_is_not_counted_as_an_earlier_success(self):
        text = self.write("a.txt", "One . Two .\n")
        arguments = (2, "parts", text, "--model", self.model)
        self.assert_exit(self.script("parts.sh", *arguments), DONE)
        failed = self.script("parts.sh", *arguments, "--layers", "top")
        self.assertIn(b"was begun with other settings", failed.stderr)
        self.assertNotEqual(failed.returncode, DONE)

    def test_parts_that_fail_are_named(self):
        text = self.write("a.jsonl", pipes.records(40) + '{"id": "bad", "text": 7}\n')
        result = self.script("parts.sh", 4, "parts", text, "--input-format", "jsonl", "--model",
                             self.model, JOBS="2")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(b"--array=3\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
