"""Shared by the tests of the command line: the tool itself, a tiny model, and text."""

import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ELMO = os.environ.get("ELMO", "build/elmo")

DONE, FAILURE, USAGE, BAD_INPUT, STOPPED, INTERRUPTED = range(6)

# An architecture small enough to embed megabytes in seconds.
OPTIONS = {
    "lstm": {"dim": 16, "projection_dim": 8, "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
             "use_skip_connections": True},
    "char_cnn": {"activation": "relu", "embedding": {"dim": 4}, "filters": [[1, 4], [2, 8]],
                 "n_highway": 1, "n_characters": 262, "max_characters_per_token": 50},
}

TOP = pathlib.Path(__file__).resolve().parents[2]

# No run of a test takes this long unless it hangs.
TIMEOUT_SECONDS = 300

# Nothing that a test waits for takes this long, even on a busy machine.
WAIT_SECONDS = 600


def start(*arguments, **keywords):
    """Starts the tool with `arguments`; streams that are not given are pipes."""
    for stream in ("stdin", "stdout", "stderr"):
        keywords.setdefault(stream, subprocess.PIPE)
    return subprocess.Popen([ELMO, *map(str, arguments)], **keywords)


def run(*arguments, text=b"", **keywords):
    """Runs the tool to its end with `text` on standard input."""
    if isinstance(text, str):
        text = text.encode()
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([ELMO, *map(str, arguments)], input=text, timeout=TIMEOUT_SECONDS,
                          check=False, **keywords)


def run_unread(*arguments):
    """Runs the tool to its end with a standard output whose reader has gone."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        return run(*arguments, stdout=theirs)
    finally:
        os.close(theirs)


def members(*command):
    """The subcommands of the tool, or of one of its commands."""
    shown = run(*command, "--help").stdout.decode()
    usage = next(line for line in shown.splitlines() if line.startswith("Usage: "))
    return re.findall(r"^  ([a-z]+)", shown, re.MULTILINE) if "SUBCOMMAND" in usage else []


def commands():
    """All commands without subcommands, as typed words."""
    all_commands = []
    for name in members():
        nested = members(name)
        all_commands += [(name, member) for member in nested] if nested else [(name,)]
    return all_commands


def wait_until(condition, process=None):
    """Waits until `condition()` is true. Fails if `process` ends before, or after WAIT_SECONDS."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        if process is not None and process.poll() is not None:
            if condition():
                return
            errors = process.stderr.read() if process.stderr else ""
            raise AssertionError(f"the process ended first, with {process.returncode}: {errors}")
        if time.monotonic() > end:
            if process is not None:
                process.kill()
            raise AssertionError(f"not true after {WAIT_SECONDS} seconds")
        time.sleep(0.002)


def pages():
    """Every page of documentation in the source tree."""
    return [page for page in sorted(TOP.rglob("*.md"))
            if not page.relative_to(TOP).parts[0].startswith(("build", "."))
            and page != TOP / "cli/pages/manual.md"]


def english(size, seed=1):
    """About `size` bytes of sentence-like ASCII text, one paragraph per line. The 20,000 words are
    the same for every seed; their frequencies follow Zipf's law."""
    chance = random.Random(0)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    words = ["".join(chance.choices(letters, weights=range(26, 0, -1), k=chance.randint(1, 11)))
             for _ in range(20000)]
    shares = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    chance.seed(seed)
    sentences, length = [], 0
    while length < size:
        sentence = " ".join(chance.choices(words, cum_weights=shares, k=chance.randint(3, 30)))
        sentences.append(sentence.capitalize() + ("." if chance.random() < 0.8 else ".\n"))
        length += len(sentences[-1]) + 1
    return " ".join(sentences).encode()


class ToolTest(unittest.TestCase):
    """A test with a temporary folder and a tiny model."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        options = pathlib.Path(folder.name) / "options.json"
        options.write_text(json.dumps(OPTIONS))
        cls.model = pathlib.Path(folder.name) / "model"
        made = run("init", "--options", options, "--seed", 1, "-o", cls.model)
        assert made.returncode == DONE, made.stderr

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_exit(self, result, code):
        self.assertEqual(result.returncode, code, result.stderr)

    def published(self):
        """The number of shards in self.output."""
        return len(list(self.output.glob("shard-*.h5")))

    def check_stopped_runs(self, check):
        """Stops a run by SIGINT, then one by SIGTERM, each in a new folder `output`, and calls
        `check`. Needs self.stop(number), which returns the exit code and the messages."""
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                self.output = self.folder / number.name
                code, errors = self.stop(number)
                while code == DONE:  # it ended before the signal reached it
                    shutil.rmtree(self.output)
                    code, errors = self.stop(number)
                self.assertEqual(code, STOPPED, errors)
                self.assertIn(b"--resume", errors)
                check()

    def write(self, name, content):
        """Writes `content` to a file in this test's folder and returns its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
