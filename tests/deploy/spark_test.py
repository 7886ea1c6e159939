#!/usr/bin/env python3
"""cli/deploy/spark/embed.py with a stand-in for PySpark that starts the very command, a process a
partition."""

import os
import pathlib
import subprocess
import sys
import unittest

import pipes
import tool
from tool import DONE, ELMO, run

SCRIPT = tool.TOP / "cli/deploy/spark/embed.py"
STAND_IN = tool.TOP / "tests/deploy/stand_in"


class Spark(tool.ToolTest):
    def submit(self, text, partitions):
        self.write("texts.jsonl", text)
        environment = {"PATH": os.environ["PATH"], "ELMO": str(pathlib.Path(ELMO).resolve()),
                       "PYTHONPATH": str(STAND_IN), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [sys.executable, "-B", SCRIPT, "texts.jsonl", "vectors", str(partitions), "--model",
             self.model, "--layers", "top"], cwd=self.folder, env=environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=tool.TIMEOUT_SECONDS)

    def test_partitions_in_any_order_give_what_one_process_does(self):
        text = pipes.records(30)
        self.assert_exit(self.submit(text, 40), DONE)
        written = sorted((self.folder / "vectors").glob("part-*"))
        self.assertEqual(len(written), 40)
        self.assertTrue([path for path in written if path.stat().st_size == 0], "none was empty")
        lines = [line for path in written for line in path.read_text().splitlines()]
        single = run("embed", "--quiet", "--model", self.model, "--layers", "top", "--format",
                     "jsonl", "--input-format", "jsonl", text=text)
        self.assert_exit(single, DONE)
        self.assertEqual(pipes.by_id(lines), pipes.by_id(single.stdout.decode().splitlines()))

    def test_a_process_that_fails_fails_the_job(self):
        result = self.submit(pipes.records(5) + '{"id": "bad", "text": 7}\n', 3)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"exited with error code 3", result.stderr)
        self.assertFalse((self.folder / "vectors/_SUCCESS").exists())


if __name__ == "__main__":
    unittest.main()
