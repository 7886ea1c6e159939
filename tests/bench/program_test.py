#!/usr/bin/env python3
"""The output of `elmo-bench`. Times are not checked: other tests run meanwhile."""

import json
import os
import signal
import subprocess
import unittest

import tool
from tool import BAD_INPUT, DONE, INTERRUPTED, USAGE

ELMO_BENCH = os.environ["ELMO_BENCH"]

QUICK = ("--tokens", 500, "--repeat", 1, "--threads", 1, "--quiet")
STAGES = ("fused_lstm", "lstm", "encoder", "tokenizer", "writer", "embed")


def run(*arguments, **keywords):
    return subprocess.run([ELMO_BENCH, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=tool.TIMEOUT_SECONDS, check=False,
                          **keywords)


class Bench(tool.ToolTest):
    def bench(self, *arguments):
        """Runs with a folder for temporary files that has to be empty afterwards."""
        result = run(*QUICK, *arguments,
                     env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        return result

    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()

    def test_json_has_every_stage_and_its_limit(self):
        result = self.bench("--preset", "tiny", "--json")
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        found = json.loads(result.stdout)
        self.assertEqual((found["model"], found["precision"]), ("tiny, random", "float32"))
        self.assertEqual(found["threads"], 1)
        self.assertGreaterEqual(found["text"]["tokens"], 500)
        self.assertLess(found["text"]["distinct_tokens"], found["text"]["tokens"])
        self.assertGreaterEqual(len(found["matmul"]["measured"]), 4)
        self.assertIn(found["matmul"]["flop_per_second"], found["matmul"]["measured"])
        for stage in STAGES:
            with self.subTest(stage):
                self.assertTrue(all(value > 0 for value in found[stage].values()), found[stage])
        embed = found["embed"]
        flop = (found["text"]["tokens"] * found["lstm_flop_per_token"]
                + found["text"]["distinct_tokens"] * found["encoder_flop_per_token"])
        self.assertAlmostEqual(
            embed["share"], flop / embed["seconds"] / found["matmul"]["flop_per_second"])
        self.assertGreater(found["writer"]["bytes_per_second"], 0)
        self.assertEqual(found["sentence"]["tokens"], 20)
        self.assertTrue(all(value > 0 for value in found["sentence"].values()), found["sentence"])
        self.assertGreater(found["latency_seconds"], 0)
        self.assertGreater(found["start_up_seconds"], 0)

    def test_a_given_model_and_text_are_measured(self):
        path = self.write("text.txt", "One two three. One two.\n")
        result = self.bench("--model", self.model, path)
        self.assert_exit(result, DONE)
        text = result.stdout.decode()
        self.assertIn(str(self.model), text)
        self.assertIn("7 tokens, 4 distinct, in 2 sentences", text)
        for stage in ("matmul", "lstm_forward", "character encoder", "tokenizer", "shard writer",
                      "embed", "one sentence", "latency", "start-up"):
            self.assertIn(stage, text)

    def test_task_measures_a_tagger_on_labeled_sentences(self):
        path = self.write("train.conll", "Rome\tB-LOC\nsleeps\tO\n\n" * 40)
        result = run("--task", "--repeat", 1, "--threads", 1, "--hidden", 7, "--quiet",
                     "--json", "--model", self.model, path)
        self.assert_exit(result, DONE)
        found = json.loads(result.stdout)
        self.assertEqual(found["text"], {"name": str(path), "sentences": 40, "tokens": 80})
        self.assertEqual((found["hidden"], found["threads"]), (7, 1))
        self.assertAlmostEqual(
            found["task"]["share"], found["task"]["tokens_per_second"] * found["flop_per_token"]
            / found["matmul"]["flop_per_second"])

    def test_a_signal_stops_it_with_the_exit_code_of_signals(self):
        for more in ((), ("--train",)):
            with subprocess.Popen([ELMO_BENCH, "--preset", "tiny", "--threads", "1", "--repeat",
                                   "1000", *more], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                self.assertIn(b"measuring", process.stderr.readline())
                process.send_signal(signal.SIGTERM)
                _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
                self.assertEqual(process.returncode, INTERRUPTED, errors)
                self.assertIn(b"stopped before the end", errors)

    def test_a_full_disk_is_a_failure_with_the_reason(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([ELMO_BENCH, *map(str, QUICK), "--preset", "tiny", "--json"],
                                    stdout=full, stderr=subprocess.PIPE, check=False)
        self.assert_exit(result, tool.FAILURE)
        self.assertIn("standard output: No space left on device", result.stderr.decode())

    def test_help_and_version(self):
        for option, word in (("--help", "embed-repeat"), ("--version", "elmo ")):
            result = run(option)
            self.assert_exit(result, DONE)
            self.assertIn(word, result.stdout.decode())

    def test_a_wrong_option_points_to_the_help(self):
        result = run("--polish")
        self.assert_exit(result, USAGE)
        self.assertIn("Try 'elmo-bench --help'.", result.stderr.decode())

    def test_a_missing_model_is_bad_input(self):
        self.assert_exit(run("--quiet", "--model", self.folder / "missing"), BAD_INPUT)

    def test_task_needs_one_file(self):
        result = run("--task", "--quiet")
        self.assert_exit(result, USAGE)
        self.assertIn("one file", result.stderr.decode())

    def test_a_text_without_tokens_is_refused(self):
        result = self.bench("--model", self.model, self.write("empty.txt", ""))
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("empty.txt", result.stderr.decode())

    def test_one_model_and_a_rereadable_text_are_required(self):
        for arguments, word in ((("--model", self.model, "--preset", "tiny"), "--preset"),
                                (("--preset", "vast"), "vast"),
                                (("--task",), "--tokens"),
                                (("--train", "--precision", "int8"), "int8"),
                                (("--hidden", 5), "--task"),
                                (("--vocab", self.model), "--vocab"),
                                (("--model", self.model, "--vocab", self.model / "options.json"),
                                 "--vocab"),
                                (("-",), "file")):
            with self.subTest(arguments=arguments):
                result = self.bench(*arguments)
                self.assert_exit(result, USAGE)
                self.assertEqual(result.stdout, b"")
                self.assertIn(word, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
