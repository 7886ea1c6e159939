#!/usr/bin/env python3
"""Input that arrives in pieces is answered before more arrives, and a waiting command can be
stopped."""

import io
import json
import os
import select
import signal
import time
import unittest

import numpy
import tool
from tool import DONE, FAILURE, STOPPED, run, start, wait_until

# Nothing takes as long unless it waits for what never comes.
PATIENCE_SECONDS = 60

WORD = "1\tword\t_\t_\t_\t_\t_\t_\t_\t_\n\n"

# Arguments, a question, and the tokens of its answer.
DIALOGUES = (
    (("--lines",), "It rains.\n", ["It", "rains", "."]),
    (("--input-format", "tokens"), "don't stop\n", ["don't", "stop"]),
    (("--input-format", "jsonl"), '{"text": "One two"}\n', ["One", "two"]),
    (("--input-format", "conllu"), WORD, ["word"]),
    ((), "A short line.\n\n", ["A", "short", "line", "."]),
    (("--lines", "--initial-state", "carry"), "It rains.\n", ["It", "rains", "."]),
    (("--lines", "--initial-state", "warm", "--threads", "1"), "It rains.\n", ["It", "rains", "."]),
)


class Waiting(tool.ToolTest):
    def ask(self, process, text):
        """Writes `text` and returns the first line of the answer, which must arrive before more is
        written."""
        process.stdin.write(text.encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
        self.assertTrue(ready, f"no answer to {text!r}")
        return process.stdout.readline().decode()

    def assert_ends(self, process, code):
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, code, errors)

    def test_tokenize_answers_before_the_input_ends(self):
        for arguments, question, answer in (
                (("--lines",), "A\n", "A\n"),
                (("--lines",), "It rains.\n", "It rains .\n"),
                (("--input-format", "tokens"), "don't\n", "don't\n"),
                (("--input-format", "jsonl"), '{"text": "One two"}\n', "One two\n"),
                (("--input-format", "conllu"), WORD, "word\n"),
                ((), "A short line.\n\n", "A short line .\n")):
            with self.subTest(arguments=arguments):
                with start("tokenize", *arguments, bufsize=0) as process:
                    for _ in range(3):
                        self.assertEqual(self.ask(process, question), answer)
                    self.assert_ends(process, DONE)

    def test_records_of_tokenize_are_flushed_too(self):
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

    def test_a_first_signal_stops_a_run_on_a_fifo_without_a_writer(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, fifo) as process:
            wait_until(output.exists, process)
            self.stop_while_waiting(process)
        with start(*self.training(self.folder / "trained"), fifo) as process:
            wait_until((self.folder / "trained").exists, process)
            self.stop_while_waiting(process)

    def test_a_stop_in_the_middle_of_a_record_is_not_a_bad_record(self):
        output = self.folder / "trained"
        with start(*self.training(output), "--input-format", "jsonl", bufsize=0) as process:
            process.stdin.write(b'{"text": "One two"}\n{"text": "Thr')
            wait_until(output.exists, process)
            self.stop_while_waiting(process)
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, "--input-format", "jsonl",
                   bufsize=0) as process:
            process.stdin.write(b'{"text": "One two"}\n{"text": "Thr')
            wait_until(output.exists, process)
            self.stop_while_waiting(process)


class Coprocess(tool.ToolTest):
    def embed(self, *arguments, **keywords):
        return start("embed", "--model", self.model, *arguments, bufsize=0, **keywords)

    def ask(self, process, text):
        process.stdin.write(text.encode())
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
        self.assertTrue(ready, f"no answer to {text!r}")

    def assert_ends(self, process):
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual((process.returncode, output), (DONE, b""), errors)

    def test_sentences_are_answered_one_by_one(self):
        for arguments, question, tokens in DIALOGUES:
            with self.subTest(arguments=arguments):
                with self.embed("--format", "jsonl", *arguments) as process:
                    answers = b""
                    for number in range(4):
                        self.ask(process, question)
                        line = process.stdout.readline()
                        answer = json.loads(line)
                        self.assertEqual((answer["sentence"], answer["tokens"]), (number, tokens))
                        answers += line
                    self.assert_ends(process)
                if "carry" in arguments:
                    together = run("embed", "--model", self.model, "--format", "jsonl", *arguments,
                                   text=question * 4)
                    for one, other in zip(answers.splitlines(), together.stdout.splitlines()):
                        self.assertTrue(numpy.allclose(json.loads(one)["vectors"],
                                                       json.loads(other)["vectors"], atol=1e-6))

    def test_several_sentences_written_at_once_are_answered(self):
        with self.embed("--format", "jsonl", "--lines") as process:
            for _ in range(3):
                self.ask(process, "One.\nTwo.\nThree.\n")
                for word in ("One", "Two", "Three"):
                    self.assertEqual(json.loads(process.stdout.readline())["tokens"][0], word)
            self.assert_ends(process)

    def test_arrays_are_flushed_too(self):
        with self.embed("--format", "npy", "--lines", "--layers", "top") as process:
            for _ in range(3):
                self.ask(process, "One two three\n")
                header = process.stdout.read(10)
                size = int.from_bytes(header[8:], "little") + 3 * 16 * 4
                array = numpy.load(io.BytesIO(header + process.stdout.read(size)))
                self.assertEqual(array.shape, (3, 1, 16))
            self.assert_ends(process)

    def test_an_empty_line_is_answered(self):
        with self.embed("--format", "jsonl", "--lines") as process:
            for question, tokens in (("\n", []), ("One\n", ["One"]), ("\n", [])):
                self.ask(process, question)
                self.assertEqual(json.loads(process.stdout.readline())["tokens"], tokens)
            self.assert_ends(process)

    def test_a_failure_is_reported_while_no_input_arrives(self):
        with open("/dev/full", "wb") as full:
            with self.embed("--lines", "--format", "jsonl", stdout=full) as process:
                process.stdin.write(b"It rains.\n")
                self.assertEqual(process.wait(timeout=PATIENCE_SECONDS), FAILURE)
                self.assertIn(b"elmo: ", process.stderr.read())

    def test_a_pause_does_not_end_a_shard(self):
        output = self.folder / "shards"
        with self.embed("--lines", "-o", output) as process:
            for _ in range(3):
                process.stdin.write(b"One two.\n")
            self.assert_ends(process)
        self.assertEqual([shard.name for shard in output.glob("shard-*.h5")],
                         ["shard-00000.h5"])


if __name__ == "__main__":
    unittest.main()
