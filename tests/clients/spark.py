#!/usr/bin/env python3
"""cli/deploy/spark on PySpark, two executors on this machine: executors are killed halfway, a record
is malformed, partitions are empty. Order and values equal those of one process.

Runs in the virtual environment of `make check-clients`, which has PySpark.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import pyspark

import pipes
import shards
import tool
from tool import ELMO

FOLDER = tool.TOP / "cli/deploy/spark"
HOME = pathlib.Path(pyspark.__file__).parent
PARTITIONS = 50
SECONDS = 1200  # of a job, unless it hangs
# Patterns of command lines: an executor's JVM, and the Python process that runs a task in it.
EXECUTOR, WORKER = b"CoarseGrainedExecutorBackend", b"pyspark.daemon"
MALFORMED = '{"id": "bad", "text": 7}\n'


def descendants(process):
    """Processes that `process` has started, these started, and so on: parent and command line of
    each."""
    children = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            words = (path / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        children.setdefault(parent, {})[int(path.name)] = (parent, words)
    found, waiting = {}, [process]
    while waiting:
        started = children.get(waiting.pop(), {})
        found.update(started)
        waiting += started
    return found


def suspended(process):
    """Suspends a process. False if it has ended."""
    try:
        os.kill(process, signal.SIGSTOP)
        while True:
            state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            if state in "TZX":
                return state == "T"
            time.sleep(0.001)
    except OSError:
        return False


def kill_during_a_task(job, victim):
    """Kills the process of `job` with `victim` in its command line that a running `elmo embed`
    descends from. False if none was running."""
    found = descendants(job.pid)
    for task, (process, words) in found.items():
        if b"\0embed\0" in words and suspended(task):
            while victim not in found[process][1]:
                process = found[process][0]
            os.kill(process, signal.SIGKILL)
            os.kill(task, signal.SIGCONT)
            return True
    return False


class Spark(tool.ToolTest):
    def start(self, script, *arguments):
        """Starts a job on two executors of one core and 1024 MiB each."""
        # Spark's own folder keeps the executors' output.
        shutil.rmtree(HOME / "work", ignore_errors=True)
        environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1",
                       "PYSPARK_PYTHON": sys.executable, "LC_ALL": "C.UTF-8",
                       "ELMO": str(pathlib.Path(ELMO).resolve())}
        self.log = self.folder / "spark.log"
        with open(self.log, "wb") as log:
            job = subprocess.Popen(
                [HOME / "bin/spark-submit", "--master", "local-cluster[2,1,1024]", "--conf",
                 "spark.ui.enabled=false", FOLDER / script, *map(str, arguments), "--model",
                 self.model, "--layers", "top"],
                cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(job.kill)
        return job

    def end(self, job):
        """Waits for the job's end: its exit code and what it printed."""
        code = job.wait(timeout=SECONDS)
        return code, self.log.read_text(errors="replace")

    def kill(self, job, victim, done):
        """Kills a process of `job` with `victim` in its command line, in the middle of a task, once
        `done` counts half of the partitions."""
        killed = False
        while not killed:
            self.assertIsNone(job.poll(), "the job has ended: " + self.log.read_text(errors="replace"))
            time.sleep(0.01)
            killed = done() >= PARTITIONS // 2 and kill_during_a_task(job, victim)

    def embed_lines(self, text, output, *arguments):
        return self.start("embed.py", self.write("texts.jsonl", text), output, PARTITIONS,
                          *arguments)

    def embed_parts(self, text, output, *arguments):
        return self.start("embed_parts.py", PARTITIONS, output, self.write("texts.jsonl", text),
                          "--input-format", "jsonl", *arguments)

    def assert_lines_of_one_process(self, text, output, *arguments):
        written = sorted(output.glob("part-*"))
        self.assertGreaterEqual(len(written), PARTITIONS)
        lines = [line for path in written for line in path.read_text().splitlines()]
        self.assertEqual(pipes.in_order(lines),
                         pipes.in_order(pipes.single(self.model, text, "--format", "jsonl",
                                                     *arguments)))
        return written

    def assert_run_of_one_process(self, text, output):
        whole = self.folder / "whole"
        pipes.single(self.model, text, "-o", whole, "--overwrite")
        expected, found = (shards.contents(folder / "index.h5") for folder in (whole, output))
        self.assertTrue(expected == found, "what was merged differs")

    def test_a_killed_executor_changes_nothing(self):
        text, output = pipes.records(5000), self.folder / "vectors"
        job = self.embed_lines(text, output)
        self.kill(job, EXECUTOR, lambda: len(list(output.glob("_temporary/0/task_*"))))
        code, log = self.end(job)
        self.assertEqual(code, 0, log)
        self.assertIn("ExecutorLostFailure", log)
        self.assert_lines_of_one_process(text, output)

    def test_partitions_may_be_empty(self):
        text, output = pipes.records(20), self.folder / "vectors"
        code, log = self.end(self.embed_lines(text, output))
        self.assertEqual(code, 0, log)
        written = self.assert_lines_of_one_process(text, output)
        self.assertTrue([path for path in written if path.stat().st_size == 0], "none was empty")

    def test_a_malformed_record_fails_the_job_or_is_skipped(self):
        text, output = pipes.records(100) + MALFORMED + pipes.records(100), self.folder / "vectors"
        code, log = self.end(self.embed_lines(text, output))
        self.assertNotEqual(code, 0)
        self.assertIn("exited with error code 3", log)
        self.assertFalse((output / "_SUCCESS").exists())
        shutil.rmtree(output)
        code, log = self.end(self.embed_lines(text, output, "--skip-bad-records"))
        self.assertEqual(code, 0, log)
        self.assert_lines_of_one_process(text, output, "--skip-bad-records")

    def parts_begun(self, output):
        return len(list(output.glob("part-*")))

    def test_parts_of_a_killed_executor_and_worker_are_continued(self):
        text = pipes.records(5000)
        for victim in (EXECUTOR, WORKER):
            with self.subTest(victim.decode()):
                output = self.folder / victim.decode()
                job = self.embed_parts(text, output)
                self.kill(job, victim, lambda: self.parts_begun(output))
                code, log = self.end(job)
                self.assertEqual(code, 0, log)
                self.assertIn("Lost task", log)
                self.assertIn(f"{PARTITIONS} parts", log)
                self.assert_run_of_one_process(text, output)

    def test_the_part_with_a_malformed_record_is_named(self):
        text, output = pipes.records(20) + MALFORMED, self.folder / "vectors"
        code, log = self.end(self.embed_parts(text, output))
        self.assertNotEqual(code, 0)
        self.assertRegex(log, "elmo ended with 3: elmo: .*: found a number in the field 'text'")
        self.assertFalse((output / "index.h5").exists())

    def test_parts_may_be_empty_and_stay_unchanged_once_they_are_merged(self):
        text, output = pipes.records(20), self.folder / "vectors"
        for _ in range(2):
            code, log = self.end(self.embed_parts(text, output))
            self.assertEqual(code, 0, log)
            self.assert_run_of_one_process(text, output)


if __name__ == "__main__":
    unittest.main()
