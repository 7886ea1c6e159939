#!/usr/bin/env python3
"""cli/deploy/spark with a stand-in for PySpark that starts the very commands, a process a partition.
tests/clients/spark.py does the same with Spark."""

import os
import pathlib
import subprocess
import sys
import unittest

import pipes
import shards
import tool
from tool import DONE, ELMO, FAILURE, wait_until

FOLDER = tool.TOP / "cli/deploy/spark"
STAND_IN = tool.TOP / "tests/deploy/stand_in"


ENVIRONMENT = {"PATH": os.environ["PATH"], "ELMO": str(pathlib.Path(ELMO).resolve()),
               "PYTHONPATH": f"{STAND_IN}:{FOLDER}", "LC_ALL": "C.UTF-8"}

# Stands for `elmo embed` of a part that takes long.
LONG_PART = """
trap 'echo > stopped; exit 4' TERM
echo > started
for _ in $(seq 6000); do sleep 0.05; done
"""


class Spark(tool.ToolTest):
    def submit(self, script, *arguments):
        return subprocess.run(
            [sys.executable, "-B", FOLDER / script, *map(str, arguments), "--model", self.model,
             "--layers", "top"], cwd=self.folder, env=ENVIRONMENT, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=tool.TIMEOUT_SECONDS)

    def embed_lines(self, text, partitions):
        return self.submit("embed.py", self.write("texts.jsonl", text), "vectors", partitions)

    def embed_parts(self, text, parts):
        return self.submit("embed_parts.py", parts, "vectors", self.write("texts.jsonl", text),
                           "--input-format", "jsonl")

    def test_partitions_give_the_output_of_one_process_in_order(self):
        text = pipes.records(30)
        self.assert_exit(self.embed_lines(text, 40), DONE)
        written = sorted((self.folder / "vectors").glob("part-*"))
        self.assertEqual(len(written), 40)
        self.assertTrue([path for path in written if path.stat().st_size == 0], "none was empty")
        lines = [line for path in written for line in path.read_text().splitlines()]
        self.assertEqual(pipes.in_order(lines),
                         pipes.in_order(pipes.single(self.model, text, "--format", "jsonl")))

    def test_a_failed_process_fails_the_job(self):
        result = self.embed_lines(pipes.records(5) + '{"id": "bad", "text": 7}\n', 3)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"exited with error code 3", result.stderr)
        self.assertFalse((self.folder / "vectors/_SUCCESS").exists())

    def test_parts_are_one_run(self):
        text = pipes.records(30)
        self.assert_exit(self.embed_parts(text, 40), DONE)
        pipes.single(self.model, text, "-o", self.folder / "whole")
        expected, found = (shards.contents(self.folder / name / "index.h5")
                           for name in ("whole", "vectors"))
        self.assertTrue(expected == found, "what was merged differs")

    def test_a_failed_part_is_named_with_its_reason(self):
        result = self.embed_parts(pipes.records(5) + '{"id": "bad", "text": 7}\n', 3)
        self.assert_exit(result, FAILURE)
        self.assertRegex(result.stderr.decode(), "part 2: elmo ended with 3: elmo: .*: found a number in the field 'text'")
        self.assertFalse((self.folder / "vectors/index.h5").exists())

    def test_a_part_is_stopped_when_its_worker_is_killed(self):
        self.write("part.sh", LONG_PART)
        worker = subprocess.Popen(
            [sys.executable, "-B", "-c",
             "import embed_parts; embed_parts.embed(['sh', 'part.sh'], 0)"],
            cwd=self.folder, env=ENVIRONMENT)
        self.addCleanup(worker.wait)
        self.addCleanup(worker.kill)
        wait_until((self.folder / "started").exists, worker)
        worker.kill()
        wait_until((self.folder / "stopped").exists)


if __name__ == "__main__":
    unittest.main()
