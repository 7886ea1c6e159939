#!/usr/bin/env python3
"""Questions about words in Python get the answers of the command line."""

import csv
import io
import json
import os
import pathlib
import pickle
import shutil
import signal
import sys
import types
import unittest
from unittest import mock

import numpy

import tool
from predicting import PredictingTest
from tool import BAD_INPUT, DONE, ELMO, run, wait_until

os.environ["ELMO_PROGRAM"] = str(pathlib.Path(ELMO).resolve())
sys.path.insert(0, str(tool.TOP / "cli/python"))
import elmo  # noqa: E402 (needs the path)

TEXTS = ["The cat sat on the mat. A naïve cat sat\non 東京, and the cat.", "", " \n\n ", ["the", "", "a b"],
         [], [["The", "cat"], [], ["sat", "."]], [[], []], "\ud800 cat"]


class Questions(PredictingTest):
    def open(self, **options):
        model = elmo.Model(self.model, **options)
        self.addCleanup(model.close)
        return model

    def answers(self, texts, *arguments):
        """The output of `elmo surprisal` for the texts."""
        lines = "".join(json.dumps({"id": index, "text" if isinstance(text, str) else "tokens": text})
                        + "\n" for index, text in enumerate(texts))
        result = run("surprisal", "--quiet", "--model", self.model, "--input-format", "jsonl",
                     *arguments, text=lines)
        self.assert_exit(result, DONE)
        return result.stdout.decode()

    def check(self, found, texts, *arguments):
        records = [[] for _ in texts]
        for line in self.answers(texts, "--format", "jsonl", *arguments).splitlines():
            record = json.loads(line)
            records[int(record["document"])].append(record)
        self.assertEqual(len(found), len(texts))
        for one, expected in zip(found, records):
            self.assertEqual(numpy.diff(one.sentences).tolist(),
                             [len(record["tokens"]) for record in expected])
            self.assertEqual([array.dtype.name for array in (one.spans, one.unknown, one.forward,
                                                             one.backward)],
                             ["uint64", "bool", "float32", "float32"])
            for name, value in (("tokens", one.tokens), ("spans", one.spans.tolist()),
                                ("unknown", one.unknown.tolist())):
                self.assertEqual(value, [item for record in expected for item in record[name]])
            for name, value in (("forward", one.forward), ("backward", one.backward)):
                numpy.testing.assert_array_equal(
                    value, numpy.array([item for record in expected for item in record[name]],
                                       "float32"))


class Surprisal(Questions):
    def test_texts_have_the_surprisals_of_the_command(self):
        for arguments, options in (((), {}), (("--lines",), {"lines": True}),
                                   (("--boundaries",), {"boundaries": True}),
                                   (("--initial-state", "warm"), {"initial_state": "warm"}),
                                   (("--precision", "int8"), {"precision": "int8"}),
                                   (("--tokenizer", "moses"), {"tokenizer": "moses"}),
                                   ((), {"layers": "top", "dtype": "int8", "workers": 1})):
            with self.subTest(options):
                model = self.open(**options)
                found = model.surprisal(iter(TEXTS))
                self.check(found, TEXTS, *arguments)
                self.assertEqual(model.surprisal([]), [])
                self.assertEqual(len(model.embed(TEXTS)[0]), len(found[0]))

    def test_surprisals_match_the_softmax(self):
        text = "The cat sat on a zebra."
        (_, (forward, backward)), = self.expected(text)
        found, = self.open().surprisal([text])
        numpy.testing.assert_allclose(found.forward, -forward[:-1] / numpy.log(2), atol=1e-4)
        numpy.testing.assert_allclose(found.backward, -backward[1:] / numpy.log(2), atol=1e-4)
        self.assertEqual(found.unknown.tolist(), [False] * 5 + [True, False])

    def test_more_text_than_is_read_ahead_has_answers(self):
        texts = ["The cat sat on the mat. " * 40] * 300
        found = self.open().surprisal(texts)
        self.assertEqual(len(found), 300)
        for one in found:
            self.assertEqual(one.tokens, found[0].tokens)
            numpy.testing.assert_array_equal(one.forward, found[0].forward)

    def test_a_table_has_the_columns_of_the_command(self):
        for arguments, options in (((), {}), (("--boundaries",), {"boundaries": True})):
            found = self.open(**options).surprisal(TEXTS[:1])[0]
            with mock.patch.dict(sys.modules, pandas=types.SimpleNamespace(DataFrame=dict)):
                table = found.to_pandas()
            rows = csv.DictReader(io.StringIO(self.answers(TEXTS[:1], *arguments)), delimiter="\t",
                                  quoting=csv.QUOTE_NONE)
            self.assertEqual(["document", *list(table)[:1], "line", *list(table)[1:]], rows.fieldnames)
            rows = list(rows)
            for name, column in table.items():
                kind = str if name == "word" else numpy.float32
                self.assertEqual([str(kind(value)) for value in column],
                                 [str(kind(row[name] or "nan")) for row in rows], name)

    def test_it_is_described_in_a_line(self):
        found = self.open(boundaries=True).surprisal(TEXTS[:2])
        self.assertRegex(repr(found[0]), r"^<elmo\.Surprisal: 22 tokens, \d+\.\d bits forward, "
                                         r"\d+\.\d backward>$")
        self.assertEqual(repr(found[1]), "<elmo.Surprisal: 0 tokens, 0.0 bits forward, 0.0 backward>")

    def test_carried_state_passes_from_call_to_call(self):
        sentences = [["The", "cat"], ["sat"], [], ["on", "the", "mat"], ["The", "cat"]]
        model = self.open(initial_state="carry", lanes=2)
        found = model.surprisal(sentences[:3])
        model.embed(sentences)  # has a state of its own
        self.check(found + model.surprisal(sentences[3:]), sentences, "--initial-state", "carry",
                   "--lanes", 2)
        with self.assertRaisesRegex(elmo.UsageError, "needs texts that are lists of tokens"):
            model.surprisal(["A text."])

    def test_a_model_without_a_softmax_is_an_error_that_says_so(self):
        bare = self.folder / "bare"
        shutil.copytree(self.model, bare, ignore=shutil.ignore_patterns("softmax*", "vocabulary*"))
        message = run("surprisal", "--quiet", "--model", bare, text="A.")
        self.assert_exit(message, BAD_INPUT)
        with elmo.Model(bare) as model:
            for _ in range(2):
                with self.assertRaises(elmo.InputError) as caught:
                    model.surprisal(["A."])
                self.assertEqual(f"elmo: {caught.exception}\n", message.stderr.decode())
            self.assertEqual(len(model.embed(["A cat."])[0]), 3)

    def test_options_that_it_does_not_have_are_refused(self):
        files = {"weights": self.model / "weights.hdf5", "options": self.model / "options.json"}
        for options, message in ((files, "^options: .* need a model in one folder"),
                                 ({"model": self.model, "max_sentence_tokens": 9},
                                  "^max_sentence_tokens: .* of more than 10,000 tokens")):
            with elmo.Model(**options) as model:
                with self.assertRaisesRegex(elmo.UsageError, message):
                    model.surprisal(["A."])

    def test_other_types_than_text_are_refused_and_the_model_continues(self):
        model = self.open()
        for texts in ("one text", [3], [["a", 3]], {"a": "b"}):
            with self.assertRaises(elmo.TextTypeError):
                model.surprisal(texts)
        self.assertEqual(model.surprisal(["A cat."])[0].tokens, ["A", "cat", "."])

    def test_interruptions_and_kills_end_a_call_but_not_the_model(self):
        def texts(end):
            yield from ["The cat sat."] * 100
            end()

        def interrupt():
            raise KeyboardInterrupt  # as Ctrl-C does, wherever the call is

        def kill():
            coprocess = model._surprisal._coprocess
            os.kill(coprocess._process.pid, signal.SIGKILL)
            wait_until(lambda: coprocess.failure)

        model = self.open()
        expected = model.surprisal(["The cat."])[0].forward.tolist()
        for end, error in ((interrupt, KeyboardInterrupt), (kill, elmo.Error)):
            with self.assertRaises(error):
                model.surprisal(texts(end))
            self.assertEqual(model.surprisal(["The cat."])[0].forward.tolist(), expected)
        with self.assertRaisesRegex(elmo.Error, "^the model was closed during the call$"):
            model.surprisal(texts(model.close))
        with self.assertRaisesRegex(ValueError, "^the model is closed$"):
            model.surprisal(["The cat."])

    def test_a_model_can_be_pickled_and_closed(self):
        model = pickle.loads(pickle.dumps(self.open()))
        found, = model.surprisal(["The cat."])
        self.assertEqual(len(pickle.loads(pickle.dumps(found))), 3)
        process = model._surprisal._coprocess._process
        model.close()
        self.assertIsNotNone(process.returncode)


class Substitutes(Questions):
    SENTENCES = ["The [cat] sat on the mat.", "The ｃａｔ [sat].", "[The] mat, naïve.", "A cat [sat].", '"A" \u2028 [b c]']

    def answers(self, sentences, *arguments):
        """The output of `elmo substitutes` for the sentences, in Python's words."""
        result = run("substitutes", "--model", self.model, "--format", "jsonl", *arguments,
                     text="".join(sentence + "\n" for sentence in sentences))
        self.assert_exit(result, DONE)
        names = "token", "word", "query", "forward", "backward", "both"
        return [{name: json.loads(line)[name] for name in names}
                for line in result.stdout.decode().split("\n")[:-1]]

    def test_sentences_have_the_substitutes_of_the_command(self):
        for arguments, options in (((), {}), (("--precision", "int8"), {"precision": "int8"}),
                                   (("--normalize", "nfkc"), {"normalize": "nfkc"}),
                                   (("--tokenizer", "moses"), {"tokenizer": "moses", "lines": True})):
            model, expected = self.open(**options), self.answers(self.SENTENCES, *arguments)
            self.assertEqual(model.substitutes(iter(self.SENTENCES)), expected)
            self.assertEqual(model.substitutes(self.SENTENCES[0]), expected[0])
            self.assertEqual(len(expected[0]["both"]), 10)
        self.assertEqual(model.substitutes([]), [])
        self.assertEqual(model.substitutes("A [\ud800]."), model.substitutes("A [\ufffd]."))
        self.assertEqual(self.open().substitutes(self.SENTENCES[:1], k=3),
                         self.answers(self.SENTENCES[:1], "-k", 3))

    def test_errors_are_the_programs_in_pythons_words(self):
        model = self.open()
        for sentence, k, kind, message in (
                ("The cat.", 10, elmo.InputError, "found no brackets"), ("", 10, elmo.InputError, "found no"),
                ("[A] [cat].", 10, elmo.InputError, "found 2 opening"),
                (["[A] cat", "no"], 10, elmo.InputError, "^sentence 1: found no brackets"),
                ("The [cat].", 0, elmo.UsageError, "^k: found '0'"),
                (["[a]", 3], 10, elmo.TextTypeError, "^sentence 1: found int 3; expected a str"),
                ([["[a]"]], 10, elmo.TextTypeError, "^sentence 0: found list"),
                (3, 10, elmo.TextTypeError, "^sentence: found one int")):
            with self.subTest(sentence):
                with self.assertRaisesRegex(kind, message) as caught:
                    model.substitutes(sentence, k)
                self.assertNotIn("--", str(caught.exception))
        (self.model / "softmax.hdf5").rename(self.folder / "softmax.hdf5")
        try:
            with self.assertRaisesRegex(elmo.InputError, "a model without its softmax"):
                model.substitutes("The [cat].")
        finally:
            (self.folder / "softmax.hdf5").rename(self.model / "softmax.hdf5")
        model.close()
        with self.assertRaisesRegex(ValueError, "^the model is closed$"):
            model.substitutes("The [cat].")
        with self.assertRaisesRegex(ValueError, "^the model is closed$"):
            model.tokenize(["The cat."])


if __name__ == "__main__":
    unittest.main()
