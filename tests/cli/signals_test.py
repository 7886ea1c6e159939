#!/usr/bin/env python3
"""Signals that stop a run so that it can be resumed, and signals that kill it."""

import array
import fcntl
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import termios
import time
import unittest

import tool
import training
from tool import DONE, FAILURE, STOPPED, english, run, start, wait_until

# Fills a pipe up to less than one write.
PIPE_BYTES = 32768


def signal_until_it_ends(process, number):
    """Sends the signal repeatedly and returns the exit code."""
    end = time.monotonic() + tool.TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < end:
        process.send_signal(number)
        time.sleep(0.001)
    return process.wait(1)


def bytes_waiting(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def ignoring(number):
    return lambda: signal.signal(number, signal.SIG_IGN)


def can_be_process_1():
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


class StoppingEmbed(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"
        self.arguments = ("embed", "--model", self.model, "-o", self.output, "--shard-size", "1M",
                          "--resume", self.write("text.txt", english(1 << 20)))

    def start(self, **keywords):
        return start(*self.arguments, stdin=subprocess.DEVNULL, **keywords)

    def test_a_repeated_signal_does_not_kill(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU):
            with self.subTest(number.name), self.start() as process:
                before = self.published()
                wait_until(lambda before=before: self.published() > before, process)
                code = signal_until_it_ends(process, number)
                errors = process.stderr.read()
                self.assertEqual(code, STOPPED, errors)
                self.assertIn(b"--resume", errors)
        self.assert_exit(run(*self.arguments), DONE)
        self.assert_exit(run("verify", self.output), DONE)

    def test_a_second_interrupt_kills(self):
        # Nobody reads what it writes, so that it cannot end between the two.
        with start("embed", "--model", self.model, "--format", "jsonl", self.arguments[-1],
                   stdin=subprocess.DEVNULL) as process:
            wait_until(lambda: bytes_waiting(process.stdout) >= PIPE_BYTES, process)
            self.assertEqual(signal_until_it_ends(process, signal.SIGINT), -signal.SIGINT)

    def test_a_run_that_ignores_signals_continues(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            with self.subTest(number.name):
                shutil.rmtree(self.output, ignore_errors=True)
                with self.start(preexec_fn=ignoring(number)) as process:
                    wait_until(lambda: self.published() > 0, process)
                    process.send_signal(number)
                    _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
                self.assertEqual(process.returncode, DONE, errors)


@unittest.skipUnless(can_be_process_1(), "needs the right to make a PID namespace")
class Process1(tool.ToolTest):
    """A container without an init: the kernel drops signals that nobody handles."""

    def test_signals_end_commands_that_keep_nothing(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            for arguments in (("tokenize", "-"), ("perplexity", "--model", "elmo-tiny-en", "-"),
                              ("embed", "--model", self.model, "--format", "jsonl", "-"),
                              ("embed", "--model", self.model, "-o", self.folder / "dry",
                               "--dry-run", "-")):
                with self.subTest(arguments=arguments[:1], number=number.name):
                    self.assertEqual(self.signalled(number, *arguments), 128 + number)

    def signalled(self, number, *arguments):
        """Runs the tool as process 1, signals it when it waits for input, and returns its exit code."""
        command = ["unshare", "--pid", "--fork", "--kill-child", tool.ELMO, *map(str, arguments)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
            wait_until(lambda: self.handles_signals(children.read_text().split()), process)
            child = int(children.read_text().split()[0])
            os.kill(child, number)
            try:
                return process.wait(tool.WAIT_SECONDS)
            finally:
                process.kill()

    @staticmethod
    def handles_signals(children):
        """True if the first child is the tool and handles signals, after which it ignores SIGXFSZ."""
        if not children:
            return False
        status = pathlib.Path(f"/proc/{children[0]}/status").read_text()
        ignored = int(re.search(r"^SigIgn:\s*([0-9a-f]+)", status, re.MULTILINE)[1], 16)
        return "Name:\telmo" in status and ignored >> (signal.SIGXFSZ - 1) & 1


class StoppingTrain(training.TrainingTest):
    def test_a_repeated_signal_does_not_kill(self):
        with start(*self.arguments(self.output, "--steps", 10 ** 9, "--checkpoint-every", 10),
                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_until(lambda: training.checkpoints(self.output), process)
            self.assertEqual(signal_until_it_ends(process, signal.SIGTERM), STOPPED)
        self.assertTrue((self.output / "options.json").exists())
        resumed = self.train(self.output, "--steps", 10 ** 9, "--checkpoint-every", 10, "--resume",
                             "--max-steps", 1)
        self.assert_exit(resumed, STOPPED)


class LimitedFileSize(training.TrainingTest):
    def test_a_file_at_the_size_limit_is_a_failure_with_the_reason(self):
        def allow_small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        path = self.write("text.txt", english(1 << 16))
        for arguments in (("embed", "--model", self.model, "-o", self.output, path),
                          ("embed", "--model", self.model, "-o", self.folder / "out.hdf5",
                           "--layout", "allennlp", path),
                          self.arguments(self.folder / "trained", "--steps", 5),
                          ("init", "--options", self.options, "-o", self.folder / "model")):
            with self.subTest(arguments[:4]):
                result = run(*arguments, preexec_fn=allow_small_files)
                self.assert_exit(result, FAILURE)
                self.assertIn("File too large", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
