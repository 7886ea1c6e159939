#!/usr/bin/env python3
"""Input that comes bit by bit, and commands that are stopped while they wait for it."""

import json
import os
import select
import signal
import time
import unittest

import tool
from tool import DONE, STOPPED, start

# Nothing takes as long unless it waits for what never comes.
PATIENCE_SECONDS = 60


class Waiting(tool.ToolTest):
    def ask(self, process, text):
        """Writes `text` and gives the answer's first line, which must come before more is written."""
        process.stdin.write(text.encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
        self.assertTrue(ready, f"no answer to {text!r}")
        return process.stdout.readline().decode()

    def assert_ends(self, process, code):
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, code, errors)

    def test_tokenize_answers_before_the_input_ends(self):
        word = "1\tword\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        for arguments, question, answer in (
                (("--lines",), "A\n", "A\n"),
                (("--lines",), "It rains.\n", "It rains .\n"),
                (("--input-format", "tokens"), "don't\n", "don't\n"),
                (("--input-format", "jsonl"), '{"text": "One two"}\n', "One two\n"),
                (("--input-format", "conllu"), word, "word\n"),
                ((), "A short line.\n\n", "A short line .\n")):
            with self.subTest(arguments=arguments):
                with start("tokenize", *arguments, bufsize=0) as process:
                    for _ in range(3):
                        self.assertEqual(self.ask(process, question), answer)
                    self.assert_ends(process, DONE)

    def test_records_of_tokenize_are_answers_too(self):
        with start("tokenize", "--lines", "--format", "jsonl", bufsize=0) as process:
            for number in range(3):
                record = json.loads(self.ask(process, "One two\n"))
                self.assertEqual((record["sentence"], record["tokens"]), (number, ["One", "two"]))
            self.assert_ends(process, DONE)

    def stop_while_waiting(self, process):
        time.sleep(0.2)  # most likely it waits by now; if not, what follows holds as well
        self.assertIsNone(process.poll(), "it did not wait")
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
        self.assert_ends(process, STOPPED)

    def training(self, output):
        valid = self.write("valid", '{"text": "One two three."}\n')
        return ("train", "--preset", "tiny", "--steps", 1, "--valid", valid, "-o", output)

    def wait_for(self, condition, process):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_a_first_signal_stops_a_run_whose_fifo_nobody_writes_to(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, fifo) as process:
            self.wait_for(output.exists, process)
            self.stop_while_waiting(process)
        with start(*self.training(self.folder / "trained"), fifo) as process:
            self.wait_for((self.folder / "trained").exists, process)
            self.stop_while_waiting(process)

    def test_a_stop_in_the_middle_of_a_record_is_not_a_bad_record(self):
        output = self.folder / "trained"
        with start(*self.training(output), "--input-format", "jsonl", bufsize=0) as process:
            process.stdin.write(b'{"text": "One two"}\n{"text": "Thr')
            self.wait_for(output.exists, process)
            self.stop_while_waiting(process)
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, "--input-format", "jsonl",
                   bufsize=0) as process:
            process.stdin.write(b'{"text": "One two"}\n{"text": "Thr')
            self.wait_for(output.exists, process)
            self.stop_while_waiting(process)


if __name__ == "__main__":
    unittest.main()
