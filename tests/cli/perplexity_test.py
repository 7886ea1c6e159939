#!/usr/bin/env python3
"""`elmo perplexity` compared with a softmax that NumPy computes from the output of `elmo embed`."""

import json
import math
import select
import shutil
import unittest

import h5py
import numpy

from tool import BAD_INPUT, DONE, FAILURE, OPTIONS, TIMEOUT_SECONDS, USAGE, ToolTest, english, run, start

WIDTH = OPTIONS["lstm"]["projection_dim"]
TEXT = "The cat sat on the mat.\n\nThe mat sat on a zebra, and a zebra sat on the cat!\n"
WORDS = ["</S>", "the", "cat", "sat", "<UNK>", "on", "mat", "a", ".", "<S>", "The", ",", "and"]
UNKNOWN = {"zebra", "!"}


class Perplexity(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        chance = numpy.random.default_rng(3)
        cls.words = WORDS + [f"never{number}" for number in range(1200)]
        cls.weights = chance.normal(size=(len(cls.words), WIDTH)).astype("<f4")
        cls.bias = chance.normal(size=len(cls.words)).astype("<f4")
        with h5py.File(cls.model / "softmax.hdf5", "w") as file:
            file["softmax/W"] = cls.weights
            file["softmax/b"] = cls.bias
        (cls.model / "vocabulary.txt").write_text("\n".join(cls.words) + "\n")

    def records(self, text, *options):
        result = run("perplexity", "--model", self.model, "--per-token", *options, text=text)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def summary(self, text, *options):
        result = run("perplexity", "--model", self.model, "--json", *options, text=text)
        self.assert_exit(result, DONE)
        return json.loads(result.stdout)

    def expected(self, text, *options):
        """The log-probabilities of each sentence's tokens, forward and backward."""
        result = run("embed", "--model", self.model, "--layers", "top", "--boundaries",
                     "--format", "jsonl", *options, text=text)
        self.assert_exit(result, DONE)
        rows = {word: row for row, word in enumerate(self.words)}
        weights = self.weights.astype(float)
        for record in map(json.loads, result.stdout.splitlines()):
            inner = [rows.get(token, rows["<UNK>"]) for token in record["tokens"][1:-1]]
            targets = numpy.array([rows["<S>"], *inner, rows["</S>"]])
            top = numpy.array(record["vectors"])[:, 0]
            both = []
            for states, wanted in ((top[:-1, :WIDTH], targets[1:]), (top[1:, WIDTH:], targets[:-1])):
                logits = states @ weights.T + self.bias
                logits -= numpy.logaddexp.reduce(logits, axis=1, keepdims=True)
                both.append(logits[numpy.arange(len(wanted)), wanted])
            yield record["tokens"], both

    def test_per_token_output_matches_the_softmax(self):
        for options in ((), ("--initial-state", "warm"),
                        ("--initial-state", "carry", "--lanes", 2)):
            with self.subTest(options):
                found = self.records(TEXT, *options)
                expected = list(self.expected(TEXT, *options))
                self.assertEqual(len(found), 2)
                for record, (tokens, (forward, backward)) in zip(found, expected):
                    self.assertEqual(record["tokens"], tokens)
                    self.assertIsNone(record["forward"][0])
                    self.assertIsNone(record["backward"][-1])
                    numpy.testing.assert_allclose(record["forward"][1:], forward, rtol=1e-5)
                    numpy.testing.assert_allclose(record["backward"][:-1], backward, rtol=1e-5)
                    self.assertEqual({tokens[place] for place in record["unknown"]},
                                     UNKNOWN & set(tokens))

    def test_sentences_are_answered_one_by_one(self):
        questions = ("The cat sat.\n", "\n", "A mat and a zebra.\n")
        expected = self.records("".join(questions), "--lines")
        with start("perplexity", "--model", self.model, "--per-token", "--lines",
                   bufsize=0) as process:
            answers = []
            for question in questions:
                process.stdin.write(question.encode())
                if not question.strip():
                    continue
                ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_SECONDS)
                self.assertTrue(ready, f"no answer to {question!r}")
                answers.append(json.loads(process.stdout.readline()))
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual((process.returncode, output), (DONE, b""), errors)
        for answer, record in zip(answers, expected):
            for direction in ("forward", "backward"):
                numpy.testing.assert_allclose(
                    numpy.array(answer.pop(direction), dtype=float),
                    numpy.array(record.pop(direction), dtype=float), rtol=1e-5)
        self.assertEqual(answers, expected)

    def test_the_summary_matches_the_tokens(self):
        records = self.records(TEXT)
        summary = self.summary(TEXT)
        count = sum(len(record["tokens"]) - 1 for record in records)
        unknown = sum(len(record["unknown"]) for record in records)
        losses = []
        for direction in ("forward", "backward"):
            with self.subTest(direction):
                values = [record[direction] for record in records]
                total = sum(filter(None, sum(values, [])))
                of_unknown = sum(value[place] for record, value in zip(records, values)
                                 for place in record["unknown"])
                self.assertAlmostEqual(summary["log_probability"][direction], total)
                losses.append(-total / count)
                self.assertAlmostEqual(summary[direction], math.exp(losses[-1]), places=6)
                self.assertAlmostEqual(summary["without_unknown"][direction],
                                       math.exp((of_unknown - total) / (count - unknown)), places=6)
        self.assertAlmostEqual(summary["average"], math.exp(sum(losses) / 2), places=6)
        self.assertEqual(summary["predictions"], count)
        self.assertEqual((summary["sentences"], summary["tokens"]), (2, count - 2))
        self.assertEqual((summary["unknown_tokens"], unknown), (3, 3))
        self.assertEqual(summary["vocabulary"], len(self.words))

    def test_the_text_has_the_same_numbers(self):
        result = run("perplexity", "--model", self.model, "--quiet", text=TEXT)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        lines = result.stdout.decode().splitlines()
        average = f"average {self.summary(TEXT)['average']:.6g}"
        self.assertTrue(lines[0].startswith("perplexity: forward "))
        self.assertTrue(lines[0].endswith(average), lines[0])
        self.assertIn("3 unknown tokens (13.6 %)", lines[-1])

    def test_the_result_does_not_depend_on_threads_or_on_empty_sentences(self):
        text = english(200000).decode()
        one = self.summary(text, "--threads", 1, "--lines")
        self.assertEqual(one, self.summary(text, "--threads", 3, "--lines"))
        self.assertEqual(one, self.summary("\n" + text + "\n\n", "--lines"))

    def test_words_spelled_like_the_reserved_ones_are_unknown(self):
        (record,) = self.records("<S> the <UNK> </S>\n", "--input-format", "tokens")
        self.assertEqual(record["unknown"], [1, 3, 4])

    def test_bfloat16_is_close(self):
        result = run("perplexity", "--model", self.model, "--json", "--precision", "bfloat16",
                     text=TEXT)
        if result.returncode == USAGE:
            self.skipTest("this CPU has no bfloat16")
        self.assertAlmostEqual(json.loads(result.stdout)["average"] / self.summary(TEXT)["average"],
                               1, places=2)

    def test_for_a_model_without_softmax_the_remedy_is_given(self):
        bare = self.folder / "bare"
        bare.mkdir()
        for name in ("options.json", "weights.hdf5"):
            shutil.copy(self.model / name, bare)
        result = run("perplexity", "--model", bare, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        for word in (str(bare), "softmax.hdf5", "vocabulary.txt", "elmo finetune"):
            self.assertIn(word, result.stderr.decode())

    def test_a_softmax_of_another_width_is_refused(self):
        other = self.folder / "other"
        shutil.copytree(self.model, other)
        with h5py.File(other / "softmax.hdf5", "w") as file:
            file["softmax/W"] = self.weights[:, 1:]
            file["softmax/b"] = self.bias
        result = run("perplexity", "--model", other, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("softmax/W", result.stderr.decode())

    def test_a_damaged_softmax_is_an_error(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.model, damaged)
        bias = self.bias.copy()
        bias[-1] = 1e6  # of a word that the text lacks
        for name, values, words in (("softmax/W", numpy.full_like(self.weights, 1e38), "the logit"),
                                    ("softmax/b", bias, "the perplexity is infinite")):
            with self.subTest(name):
                with h5py.File(damaged / "softmax.hdf5", "w") as file:
                    file["softmax/W"] = self.weights if name == "softmax/b" else values
                    file["softmax/b"] = self.bias if name == "softmax/W" else values
                result = run("perplexity", "--model", damaged, text=TEXT)
                self.assert_exit(result, FAILURE)
                self.assertIn(words, result.stderr.decode())

    def test_a_text_without_tokens_is_an_error(self):
        for text in ("", "\n\n"):
            result = run("perplexity", "--model", self.model, "--lines", text=text)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("nothing to predict", result.stderr.decode())

    def test_wrong_usage_is_explained(self):
        for arguments, word in ((("--model", self.model, "--lanes", 2), "--initial-state carry"),
                                (("--model", self.model, "--json", "--per-token"), "--json")):
            with self.subTest(arguments):
                result = run("perplexity", *arguments, text=TEXT)
                self.assert_exit(result, USAGE)
                self.assertIn(word, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
