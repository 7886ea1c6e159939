#!/usr/bin/env python3
"""Standard input and output: pipes, closed pipes, terminals."""

import fcntl
import io
import json
import os
import pty
import subprocess
import threading
import unittest

import tool
from tool import DONE, USAGE, english, run, start

F_SETPIPE_SZ = 1031  # of fcntl, from Python 3.10 on

try:
    import numpy
except ImportError:
    numpy = None


class Streams(tool.ToolTest):
    def terminal(self):
        """Both ends of a new terminal: the test's and the tool's."""
        try:
            ends = pty.openpty()
        except OSError:
            self.skipTest("no terminal can be had")
        self.addCleanup(os.close, ends[0])
        return ends

    def embed(self, *arguments, **keywords):
        return run("embed", "--model", self.model, *arguments, **keywords)

    def test_jsonl_holds_tokens_spans_and_vectors(self):
        text = "Größe zählt. Ja!\n"
        result = self.embed("--format", "jsonl", "--layers", "top", text=text)
        self.assert_exit(result, DONE)
        first, second = (json.loads(line) for line in result.stdout.splitlines())
        self.assertEqual(first["tokens"], ["Größe", "zählt", "."])
        self.assertEqual(second["tokens"], ["Ja", "!"])
        source = text.encode()
        for sentence in (first, second):
            for token, (begin, end) in zip(sentence["tokens"], sentence["spans"]):
                self.assertEqual(source[begin:end].decode(), token)
            self.assertEqual(len(sentence["vectors"]), len(sentence["tokens"]))

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_npy_is_one_array_per_sentence_back_to_back(self):
        result = self.embed("--format", "npy", "--input-format", "tokens", text="a b c\n\nd\n")
        self.assert_exit(result, DONE)
        stream, shapes = io.BytesIO(result.stdout), []
        while stream.tell() < len(result.stdout):
            array = numpy.load(stream)
            self.assertTrue(numpy.isfinite(array).all())
            shapes.append(array.shape[:2])
        rows = shapes[0][1]
        self.assertEqual(shapes, [(3, rows), (0, rows), (1, rows)])

    def test_a_dash_is_standard_input(self):
        arguments = ("--format", "jsonl", "--layers", "top")
        self.assertEqual(self.embed(*arguments, "-", text="One.").stdout,
                         self.embed(*arguments, text="One.").stdout)

    def test_tokenize_writes_a_sentence_per_line_that_embed_reads_back(self):
        text = "Dr. Low came at 3.15 p.m. \"Why?\" he asked.\n\nNobody knew.\n"
        tokenized = run("tokenize", "--model", self.model, text=text)
        self.assert_exit(tokenized, DONE)
        lines = tokenized.stdout.decode().splitlines()
        straight = self.embed("--format", "jsonl", text=text).stdout.splitlines()
        again = self.embed("--format", "jsonl", "--input-format", "tokens",
                           text=tokenized.stdout).stdout.splitlines()
        self.assertEqual([json.loads(line)["tokens"] for line in straight],
                         [line.split() for line in lines])
        self.assertEqual([json.loads(line)["vectors"] for line in straight],
                         [json.loads(line)["vectors"] for line in again])

    def test_a_reader_that_closes_the_pipe_ends_the_run_quietly(self):
        path = self.write("text.txt", english(1 << 20))
        for arguments in (("embed", "--model", self.model, "--format", "npy"), ("tokenize",)):
            with self.subTest(arguments[0]):
                with start(*arguments, path, stdin=subprocess.DEVNULL) as process:
                    self.assertTrue(process.stdout.read(100))
                    process.stdout.close()
                    errors = process.stderr.read()
                    self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), DONE, errors)
                    self.assertNotIn(b"elmo:", errors)

    def test_vectors_are_not_written_to_a_terminal(self):
        for layout in ("npy", "jsonl"):
            with self.subTest(layout):
                ours, theirs = self.terminal()
                result = self.embed("--format", layout, text="One.\n", stdout=theirs)
                self.assert_exit(result, USAGE)
                self.assertIn("terminal", result.stderr.decode())
                os.set_blocking(ours, False)
                self.assertRaises(BlockingIOError, os.read, ours, 1)
                os.close(theirs)

    def test_tokens_are_written_to_a_terminal(self):
        ours, theirs = self.terminal()
        self.assert_exit(run("tokenize", text="One two.\n", stdout=theirs), DONE)
        self.assertEqual(os.read(ours, 100).split(), [b"One", b"two", b"."])
        os.close(theirs)

    def progress_on_terminal(self, **environment):
        """The output of a run on standard error if that is a terminal."""
        ours, theirs = self.terminal()
        read = []

        def keep_reading():
            while True:
                try:
                    read.append(os.read(ours, 4096))
                except OSError:  # the other end has been closed
                    return

        reader = threading.Thread(target=keep_reading)
        reader.start()
        clean = {name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")}
        result = run("embed", "--model", self.model, "--format", "npy",
                     self.write("long.txt", english(4 << 20)), stdout=subprocess.DEVNULL,
                     stderr=theirs, env={**clean, **environment})
        os.close(theirs)
        reader.join()
        self.assertEqual(result.returncode, DONE)
        return b"".join(read)

    def test_escape_sequences_are_written_only_to_terminals_that_understand_them(self):
        self.assertIn(b"\x1b[K", self.progress_on_terminal(TERM="xterm", NO_COLOR=""))
        for environment in ({}, {"TERM": ""}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
            with self.subTest(environment):
                self.assertNotIn(b"\x1b", self.progress_on_terminal(**environment))

    def test_no_control_characters_reach_a_log(self):
        path = self.write("text.txt", english(1 << 18))
        result = self.embed("-o", self.folder / "out", path)
        self.assert_exit(result, DONE)
        self.assertNotIn(b"\r", result.stderr)
        self.assertNotIn(b"\x1b", result.stderr)

    def test_non_blocking_streams_are_waited_for(self):
        text = english(1 << 18)
        expected = run("tokenize", text=text)
        self.assert_exit(expected, DONE)
        reading, written = os.pipe()
        read, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        # A write of the tool finds it full many times.
        fcntl.fcntl(writing, F_SETPIPE_SZ, 4096)
        # Standard error goes the same way, as in `2>&1`.
        with start("tokenize", stdin=reading, stdout=writing, stderr=writing) as process:
            os.close(reading)
            os.close(writing)
            writer = threading.Thread(target=write_all, args=(written, text))
            writer.start()
            with open(read, "rb") as output:
                found = output.read()
            writer.join()
            self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), DONE, found[-200:])
        self.assertTrue(found.startswith(expected.stdout))


def write_all(descriptor, text):
    with open(descriptor, "wb") as file:
        file.write(text)


if __name__ == "__main__":
    unittest.main()
