#!/usr/bin/env python3
"""The Python package's Model, with NumPy only: its results, its errors, and that it leaves nothing
behind."""

import collections
import contextlib
import gc
import importlib.util
import itertools
import json
import os
import pathlib
import pickle
import pydoc
import re
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import typing
import unittest
import warnings
import weakref
from unittest import mock

import numpy

import tool
from tool import DONE, ELMO, TIMEOUT_SECONDS, english, run, wait_until

PACKAGE = tool.TOP / "cli/python"
ELMO_PROGRAM = os.environ["ELMO_PROGRAM"] = str(pathlib.Path(ELMO).resolve())
sys.path.insert(0, str(PACKAGE))
import elmo  # noqa: E402 (needs the path)
from elmo import _model, _neighbors, _options, _similarity  # noqa: E402

TEXTS = ["The bank was closed. We sat on it, naïvely: 東京!", "", "One\ntwo", " \n\n ", "\ud800 x"]
TOKENS = [["The", "bank", "", "\n\n", "naïve", "a b", "東京"], [], ["x"]]


def children():
    """The running child processes of this one."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = status.read_text().rsplit(")", 1)
        except OSError:
            continue  # it has ended
        state, parent = fields.split()[:2]
        if int(parent) == os.getpid() and state != "Z" and "(elmo" in name:
            found.append(int(status.parent.name))
    return found


class PythonModel(tool.ToolTest):
    def open(self, **options):
        model = elmo.Model(self.model, **options)
        self.addCleanup(model.close)
        return model

    def records(self, texts, *arguments):
        """The command's answers to the texts: the records of each text."""
        lines = "".join(json.dumps({"id": index, "text" if isinstance(text, str) else "tokens": text})
                        + "\n" for index, text in enumerate(texts))
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "jsonl",
                     "--format", "jsonl", *arguments, text=lines)
        self.assert_exit(result, DONE)
        answers = [[] for _ in texts]
        for line in result.stdout.decode().splitlines():
            record = json.loads(line)
            answers[int(record["document"])].append(record)
        return answers

    def check(self, vectors, texts, *arguments):
        answers = self.records(texts, *arguments)
        self.assertEqual(len(vectors), len(texts))
        for index, records in enumerate(answers):
            bounds = vectors.sentences[index].tolist()
            self.assertEqual(numpy.diff(bounds).tolist(),
                             [len(record["tokens"]) for record in records])
            for record, begin, end in zip(records, bounds, bounds[1:]):
                self.assertEqual(vectors.tokens[index][begin:end], record["tokens"])
                self.assertEqual(vectors.spans[index][begin:end].tolist(), record["spans"])
                expected = numpy.array(record["vectors"], vectors[index].dtype)
                numpy.testing.assert_array_equal(vectors[index][begin:end].ravel(),
                                                 expected.ravel())

    def test_texts_and_tokens_get_the_vectors_of_the_command(self):
        texts = [*TEXTS, *TOKENS, [["a", "b"], [], ["c"]], [[], []], (token for token in ["y", "z"])]
        expected = [*texts[:-1], ["y", "z"]]
        for arguments, options in (((), {}), (("--layers", "top"), {"layers": "top"}),
                                   (("--dtype", "float16"), {"dtype": "float16"}),
                                   (("--dtype", "int8"), {"dtype": "int8"}),
                                   (("--boundaries",), {"boundaries": True}),
                                   (("--lines", "--layers", "mix", "--mix-weights", "0,1,-1"),
                                    {"lines": True, "layers": "mix", "mix_weights": [0, 1, -1]}),
                                   (("--layers", "mix", "--mix-weights", "0.5,0.25,-1"),
                                    {"layers": "mix", "mix_weights": numpy.array([.5, .25, -1])})):
            with self.subTest(arguments):
                model = self.open(**options)
                texts[-1] = (token for token in ["y", "z"])
                self.check(model.embed(texts), expected, *arguments)
                self.check(model.embed([]), [])
                self.check(model.embed(iter(TOKENS[1:2])), TOKENS[1:2], *arguments)

    def test_a_model_describes_itself(self):
        model = self.open(layers="all")
        self.assertEqual(model.layers, ["x", "forward_1", "backward_1", "forward_2", "backward_2"])
        self.assertEqual(model.shape, (5, 8))
        self.assertEqual(model.metadata["dtype"], "float32")
        self.assertIn("precision", model.metadata)

    def test_padding_is_masked(self):
        model = self.open()
        vectors = model.embed(TOKENS)
        padded, mask = model.embed(TOKENS, padded=True)
        self.assertEqual(padded.shape, (3, 7, 5, 8))
        self.assertEqual(mask.sum(axis=1).tolist(), [7, 0, 1])
        numpy.testing.assert_array_equal(padded[mask], numpy.concatenate(vectors))
        self.assertFalse(padded[~mask].any())
        self.assertEqual(model.embed([], padded=True)[0].shape, (0, 0, 5, 8))
        for dtype, found in (("float32", "float32"), ("float16", "float16"), ("int8", "float32")):
            model = self.open(dtype=dtype)
            for texts in ([], TOKENS):
                self.assertEqual(model.embed(texts, padded=True)[0].dtype, found)

    def test_a_stream_keeps_the_order_and_the_program_busy_and_reads_little_ahead(self):
        model = self.open(layers="top")
        lines = english(1 << 19).decode().splitlines()
        pulled = 0

        def texts():
            nonlocal pulled
            for line in lines:
                pulled += 1
                yield line

        ahead, documents, tokens = [], [], []
        for sentence in model.stream(texts()):
            ahead.append(sum(map(len, lines[sentence.document:pulled])))
            documents.append(sentence.document)
            tokens += sentence.tokens
            self.assertEqual(sentence.vectors.shape, (len(sentence), 1, 16))
        self.assertEqual(documents, sorted(documents))
        self.assertEqual(documents[-1], len(lines) - 1)
        self.assertLess(max(ahead), (1 << 17) + 2 * max(map(len, lines)))
        self.assertGreater(min(ahead[:len(ahead) // 2]), 1 << 16)
        self.assertEqual(tokens, list(itertools.chain(*itertools.chain(*model.tokenize(lines)))))

    def test_a_text_longer_than_what_is_read_ahead_has_an_answer(self):
        code = """
            words, tokens = "A bank. " * 20000, ["a"] * 150000
            for texts in ([words], [tokens, "b"], [words, tokens, "", words]):
                print(sum(map(len, model.embed(texts))), len(list(model.stream(texts))))
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(output.split(), "60000 20000 150001 16 270000 40016".split(), errors)

    def test_encode_is_the_mean_of_a_texts_tokens(self):
        texts = ["The bank was closed. We sat on it.", "", ["a", "b", "c"]]
        model = self.open()
        rows = model.encode(texts)
        self.assertEqual((rows.shape, rows.dtype), ((3, 16), "float32"))
        for row, vectors in zip(rows, model.embed(texts)):
            expected = vectors[:, 3:].reshape(-1, 16).mean(axis=0) if len(vectors) else 0
            numpy.testing.assert_allclose(row, expected, rtol=1e-5, atol=1e-7)
        numpy.testing.assert_allclose(rows, self.open(layers="top").encode(texts), atol=1e-7)
        numpy.testing.assert_allclose(model.encode(texts, layers="average"),
                                      self.open(layers="average").encode(texts), atol=1e-6)
        numpy.testing.assert_allclose(
            model.encode(texts, layers=0)[2],
            numpy.concatenate([model.embed(texts[2:])[0][:, 0].mean(axis=0)] * 2), atol=1e-7)
        numpy.testing.assert_array_equal(model.encode(texts, layers="x"), model.encode(texts, layers=0))
        lengths = numpy.linalg.norm(model.encode(texts, normalize=True), axis=1)
        numpy.testing.assert_allclose(lengths, [1, 0, 1], atol=1e-6)
        self.assertEqual(model.encode([]).shape, (0, 16))
        top = self.open(layers="top")
        for layers in (numpy.int64(1), numpy.int8(1), 1):
            numpy.testing.assert_array_equal(model.encode(texts, layers=layers),
                                             model.encode(texts, layers=1))
        numpy.testing.assert_array_equal(top.encode(texts, layers="top"), top.encode(texts))
        for other, possible in ((model, "'top', 'average' or a number from 0 to 2"),
                                (top, "'top', the only layer here")):
            for layers in ("first", "all", "mix", 3, -1, 1.0, True, numpy.array([1, 2]), [1]):
                with self.assertRaisesRegex(elmo.UsageError, f"^layers: found .*; expected {possible}$"):
                    other.encode(texts, layers=layers)
        with self.assertRaisesRegex(elmo.UsageError, "^layers: found 'average'"):
            top.encode(texts, layers="average")

    def test_tokenize_computes_nothing(self):
        model = self.open()
        self.assertEqual(model.tokenize(["Dr. No came. He left.", "", [["a b"], []]]),
                         [[["Dr.", "No", "came", "."], ["He", "left", "."]], [[]], [["a b"], []]])
        self.assertEqual(model.tokenize([]), [])
        token = "a\u2028b\x85c\x1cd\ve"  # Python ends lines at these
        self.assertEqual(model.tokenize([[token]]), [[[token]]])
        french = self.open(tokenizer="ud", locale="fr", contractions="expand")
        self.assertEqual(french.tokenize(["Du lac."]), [[["De", "le", "lac", "."]]])
        self.assertEqual(french.embed(["Du lac."]).tokens[0], ["De", "le", "lac", "."])

    def test_errors_are_the_programs_in_pythons_words(self):
        cases = (
            (dict(layers="topp"), elmo.UsageError, "^layers: found 'topp'; expected all, top"),
            (dict(max_sentence_tokens=0), elmo.UsageError, "^max_sentence_tokens: found '0'"),
            (dict(gamma=2), elmo.UsageError, "^gamma .*layers mix"),
            (dict(no_such=1), elmo.UsageError, "no_such"),
            (dict(dtype="bfloat16"), elmo.UsageError, "bfloat16"),
            (dict(output="x"), elmo.UsageError, "^output: it makes a run of shards"),
            (dict(pool="mean"), elmo.UsageError, "encode"),
            (dict(words="a"), elmo.UsageError, "^words: a model gives"),
            (dict(version=True), elmo.UsageError, "^version: it prints text"),
            (dict(normalize=True), elmo.UsageError, "^normalize: expected none, nfc or nfkc; encode\\(normalize"),
            (dict(layres="all"), elmo.UsageError, "^layres: .*; did you mean layers\\?"),
            (dict(locale="a\0"), elmo.UsageError, r"^found 'locale=a\\x00'; expected no NUL"),
            (dict(vocab="\ud800"), elmo.UsageError, r"^found 'vocab=\\ud800'; .* no lone surrogate"),
        )
        for options, kind, message in cases:
            with self.subTest(options):
                with self.assertRaisesRegex(kind, message) as caught:
                    self.open(**options)
                self.assertNotIn("--", str(caught.exception))
                self.assertNotIn("Try", str(caught.exception))
        for model in ("missing", b"missing", pathlib.Path("missing")):
            with self.assertRaisesRegex(elmo.InputError, "^there is no model missing"):
                elmo.Model(model)
        for model, message in ((3, "^model: found int 3; expected a name or a path"),
                               ("a\0b", r"^found 'model=a\\x00b'"), ("\ud800", "^found 'model=")):
            with self.assertRaisesRegex(elmo.UsageError, message):
                elmo.Model(model)
        self.assertEqual(children(), [])
        self.assertTrue(issubclass(elmo.UsageError, ValueError))

    def test_options_are_those_of_the_command(self):
        for command, kind, refused, owned in (
                ("embed", _options.ModelOptions, _model._REASONS, {"model"}),
                ("neighbors", _options.NeighborsOptions, _neighbors._REASONS, {"corpus"}),
                ("similarity", _options.SimilarityOptions, _similarity._REASONS, {"model"})):
            words = run(command, "--help").stdout.decode()
            flags = {flag.replace("-", "_") for flag in re.findall(r"^  (?:-\w,)?--([a-z-]+)", words, re.M)}
            self.assertEqual(flags, {*kind.__annotations__, *refused, *owned}, command)
            self.assertIn(f"(default: {_model.DEFAULT_MODEL})", words)

    def test_everything_public_is_listed_and_nothing_else(self):
        public = {"Error", "InputError", "Model", "Run", "ScalarMix", "Sentence", "Similarities",
                  "Substitutes", "Surprisal", "TextTypeError", "UsageError", "Vectors", "WordMap",
                  "neighbors", "open", "pad", "similarity"}
        self.assertEqual(set(elmo.__all__), public)
        modules = {name for name in ("sklearn", "spacy") if importlib.util.find_spec(name)}
        self.assertEqual(set(dir(elmo)), {*public, *modules, "allennlp", "__version__"})
        words = pydoc.render_doc(elmo)
        for name in public:
            self.assertIn(name, words)

    def test_objects_are_described_in_a_line(self):
        model = self.open()
        vectors = model.embed(["A bank.", "The river."])
        for thing, words in ((model, f"<elmo.Model '{self.model}': 5 layers of 8>"),
                             (elmo.Model(), "<elmo.Model 'elmo-tiny-en': 5 layers of 256>"),
                             (vectors, "<elmo.Vectors: 2 texts, 6 tokens of [5, 8]>"),
                             (elmo.Vectors(), "<elmo.Vectors: 0 texts, 0 tokens>")):
            self.assertEqual(repr(thing), words)
        part = vectors[1:]
        self.assertEqual((type(part), part.tokens), (elmo.Vectors, vectors.tokens[1:]))
        for one, other in ((part, vectors), (part.spans, vectors.spans), (part.sentences, vectors.sentences)):
            self.assertEqual(len(one), 1)
            numpy.testing.assert_array_equal(one[0], other[1])
        self.assertEqual(vectors[::-1].tokens, vectors.tokens[::-1])
        self.assertEqual(pickle.loads(pickle.dumps(vectors)).tokens, vectors.tokens)

    def test_other_names_of_allennlp_say_what_to_do(self):
        for name in ("Elmo", "ElmoTokenEmbedder", "batch_to_ids"):
            with self.assertRaisesRegex(ImportError, f"no {name}: .*elmo.*; see Migrating in cli/python"):
                exec(f"from elmo.allennlp import {name}")
        self.assertFalse(hasattr(elmo.allennlp, "Other"))
        for name in ("layers", "options", "weights"):
            with self.assertRaisesRegex(elmo.UsageError, f"^{name}: "):
                elmo.allennlp.ElmoEmbedder(**{name: "all"})

    def test_a_model_in_del_at_the_interpreters_end_is_an_error(self):
        code = f"""
            class Keeper:
                def __init__(self, *kept):
                    self.kept = kept
                def __del__(self):
                    model, make, error = self.kept
                    for use in (lambda: model.embed(["A b."]), lambda: model.tokenize(["A b."]), make):
                        try:
                            use()
                        except error as reason:
                            print(reason, flush=True)
                    model.close()
            keeper = Keeper(model, lambda make=elmo.Model: make({str(self.model)!r}), elmo.Error)
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(output, "the interpreter is ending; expected calls before its end\n" * 3, errors)

    def test_a_model_needs_no_temporary_folder(self):
        with mock.patch.dict(os.environ, TMPDIR="/missing"), mock.patch("tempfile.tempdir", None), \
                mock.patch("tempfile._candidate_tempdir_list", lambda: ["/missing"]):
            self.assertEqual(self.open().embed(["A b."]).tokens, [["A", "b", "."]])
            with self.assertRaisesRegex(elmo.InputError, "^there is no model missing"):
                elmo.Model("missing")
            with self.assertRaisesRegex(elmo.Error, "^cannot make a temporary folder: .*usable"):
                elmo.neighbors("bank", "text")

    def test_other_types_than_text_are_refused_and_the_model_continues(self):
        model = self.open(layers="top")
        for text in (3, None, b"a", ["a", 3], [["a"], "b"], [["a", None]], {"a": 1}, [[["a"]]]):
            with self.subTest(text):
                with self.assertRaisesRegex(elmo.TextTypeError, "^text 1: found "):
                    model.embed(["fine", text])
        for texts in ("a text", b"a text", None, 3):
            for call in (model.embed, model.encode, model.tokenize,
                         lambda one: next(model.stream(one))):
                with self.assertRaisesRegex(elmo.TextTypeError, "write \\[text\\]"):
                    call(texts)
        with self.assertRaisesRegex(elmo.InputError, "NUL"):
            model.embed([["a\0b"]])
        with self.assertRaisesRegex(elmo.InputError, "4 MiB"):
            model.embed([["a" * (5 << 20)]])
        with self.assertRaisesRegex(elmo.InputError, "4 MiB"):
            model.embed([["\ud800" * (3 << 19)]])
        with self.assertRaises(ZeroDivisionError):
            model.embed(str(1 // number) for number in (1, 0))
        self.assertEqual(len(model.embed(["fine"])[0]), 1)
        self.assertEqual(len(children()), 1)

    def test_lone_surrogates_are_replaced_or_refused(self):
        model = self.open(layers="top")
        for text, tokens in (("a \udc00 b", ["a", "\ufffd", "b"]), (["\ud83d\ude00\ud800"], ["\U0001f600\ufffd"]),
                             ([["a"], ["\ud800\ud800\udc00"]], ["a", "\ufffd\U00010000"])):
            self.assertEqual(model.embed([text]).tokens, [tokens])
            self.assertEqual(sum(model.tokenize([text])[0], []), tokens)
        strict = self.open(layers="top", strict=True)
        process = children()
        sentences = strict.stream(itertools.repeat("Another call."))
        next(sentences)
        for text in ("a \ud800", ["\udc00 b"], [["a"], ["\ud800"]]):
            for call in (strict.embed, strict.encode, strict.surprisal, strict.tokenize, strict.substitutes,
                         lambda texts: list(strict.stream(texts))):
                if call == strict.substitutes and not isinstance(text, str):
                    continue
                with self.assertRaisesRegex(elmo.InputError, "^text 1: found a lone surrogate"):
                    call(["a [\ud83d\ude00]", text])
        self.assertEqual(next(sentences).tokens, ["Another", "call", "."])
        self.assertEqual(strict.embed(["\ud83d\ude00"]).tokens, [["\U0001f600"]])
        self.assertLessEqual(set(process), set(children()))

    def test_hints_of_types_can_be_evaluated(self):
        class Mine(elmo.Model):
            """A class of a caller."""

        with Mine(self.model) as model:
            self.assertIsInstance(model, Mine)
        if sys.version_info < (3, 11):
            self.skipTest("Python before 3.11 has no such hints")
        for function in (elmo.Model.__init__, elmo.Model.__enter__, elmo.Model.embed, elmo.neighbors,
                         elmo.similarity, elmo.open, elmo.allennlp.ElmoEmbedder.__init__,
                         _options.SimilarityOptions):
            self.assertTrue(typing.get_type_hints(function))
        self.assertEqual(typing.get_type_hints(elmo.Run)["layers"], list[str])

    def carry(self, **options):
        return self.open(layers="top", initial_state="carry", **options)

    def test_columns_are_lists_of_texts_and_tables_are_not(self):
        model = self.open(layers="top")
        texts = ["A bank.", "The river rose."]
        tokens = model.embed(texts).tokens
        for column in (numpy.array(texts), numpy.array(texts, object), numpy.array([texts]).T,
                       {"text": texts}["text"], dict(enumerate(texts)).values(),
                       dict.fromkeys(texts).keys(), tuple(texts), iter(texts)):
            with self.subTest(type(column)):
                self.assertEqual(model.embed(column).tokens, tokens)
        row = collections.namedtuple("Row", "id text")
        for table, reason in (
                ({"id": [1, 2], "text": texts}, "texts: found a dict .*; .* texts\\['text'\\]"),
                (dict(enumerate(texts)), "texts: found a dict .*; .* list\\(texts.values\\(\\)\\)"),
                ({}, "texts: found a dict"),
                (set(texts), "texts: found a set, which has no order"),
                (frozenset(texts), "texts: found a frozenset, which has no order"),
                (numpy.array([[1, "A"], [2, "B"]], object),
                 "texts: found a ndarray of 2 dimensions; .* texts\\[:, 1\\]"),
                (numpy.array([("A", 1)], [("text", "U5"), ("id", "i4")]),
                 "texts: found a ndarray with the columns 'text', 'id'; .* texts\\['text'\\]"),
                (numpy.array("text"), "texts: found one ndarray"),
                ([{"id": 1, "text": "A"}], "text 0: found a dict .*; .* text\\['text'\\]"),
                ([row("1", "A")], "text 0: found a Row .*; .* text\\[0\\]"),
                (["A", {"a"}], "text 1: found a set"),
                ([[["A"], {"a"}]], "text 0: found a set"),
                ([numpy.array([["A"], ["B"]])], "text 0: found a ndarray of 2 dimensions")):
            for call in (model.embed, model.encode, model.tokenize, model.embed,
                         lambda one: next(model.stream(one))):
                with self.assertRaisesRegex(elmo.TextTypeError, reason):
                    call(table)

    def test_carried_state_passes_from_call_to_call(self):
        texts = [["a", "b"], ["c"], [], ["d"], [["e"], [], ["f", "g"], []], [[], []], ["h", "i"], ["j"]]
        for boundaries, lanes in itertools.product((False, True), (1, 2, 3)):
            with self.subTest((boundaries, lanes)):
                options = {"boundaries": boundaries, "lanes": lanes}
                arguments = ["--layers", "top", "--initial-state", "carry", "--lanes", lanes]
                expected = self.carry(**options).embed(texts)
                self.check(expected, texts, *arguments, *["--boundaries"] * boundaries)
                one, other = self.carry(**options), self.carry(**options)
                vectors = [*one.embed(texts[:3]), *one.embed(texts[3:])]
                for index, text in enumerate(texts):
                    for found in (vectors[index], other.embed([text])[0]):
                        numpy.testing.assert_allclose(found, expected[index], atol=2e-6)

    def test_carried_state_requires_sentences(self):
        model, other = self.carry(), self.carry()
        model.embed([["a"]])
        for texts in (["a text"], [["b"], "a text"]):
            with self.assertRaisesRegex(elmo.UsageError, "^initial_state"):
                model.embed(texts)
        with self.assertRaises(elmo.TextTypeError):
            model.embed([["b"], 3])
        # The refused calls have changed no state.
        expected = other.embed([["a"], ["c"]])[1]
        numpy.testing.assert_allclose(model.embed([["c"]])[0], expected, atol=2e-6)

    def test_lost_state_is_an_error_once(self):
        model = self.carry()
        expected = model.embed([["a"]])[0]

        def check_lost(reason):
            with self.assertRaisesRegex(elmo.Error, "^the state carried .* is lost: .*" + reason):
                model.embed([["b"]])
            numpy.testing.assert_array_equal(model.embed([["a"]])[0], expected)

        self.kill(model)
        check_lost("killed by signal 9")
        next(model.stream([["b"], ["c"]]))
        check_lost("ended before its last answer")
        with self.assertRaises(ZeroDivisionError):
            model.embed([str(1 // number)] * 20000 for number in (1, 1, 0))
        check_lost("ended before its last answer")
        next(model.stream([["b"]]))  # which has all answers
        model.embed([["c"]])
        # A call that fails says so itself.
        sentences = model.stream(itertools.repeat(["b"]))
        next(sentences)
        with self.assertRaisesRegex(elmo.UsageError, "another call is in progress"):
            model.embed([["c"]])
        self.kill(model)
        with self.assertRaisesRegex(elmo.Error, "^the state carried .* is lost: .*killed"):
            list(sentences)
        numpy.testing.assert_array_equal(model.embed([["a"]])[0], expected)
        # Nothing is lost of a program that has computed nothing.
        other = self.carry()
        self.kill(other)
        numpy.testing.assert_array_equal(other.embed([["a"]])[0], expected)

    def test_a_forked_process_has_no_carried_state(self):
        code = f"""
            model = elmo.Model({str(self.model)!r}, initial_state="carry")
            first = model.embed([["A"]])[0]
            child = os.fork()
            try:
                again = model.embed([["A"]])[0]
                print("parent", (again != first).any(), flush=True)
            except elmo.Error as error:
                print(error, (model.embed([["A"]])[0] == first).all(), flush=True)
            if child:
                os.waitpid(child, 0)
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(sorted(output.splitlines()), ["parent True",
                         "the state carried from earlier sentences is lost: it stays in the process "
                         "that was forked True"], errors)

    def test_a_small_text_after_a_long_one_has_an_answer(self):
        code = """
            print([len(one) for one in model.embed([["a"] * 150000, ["b"]])])
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(output, "[150000, 1]\n", errors)

    def test_ten_threads_share_a_model(self):
        model = self.open(layers="top")
        texts = [[f"word{thread}", *"abcdefghij"[:thread]] for thread in range(10)]
        expected = model.embed(texts)
        failures = []

        def work(thread):
            try:
                for _ in range(20):
                    vectors = model.embed([texts[thread]] * 3)
                    assert vectors.tokens == [texts[thread]] * 3
                    for one in vectors:
                        numpy.testing.assert_allclose(one, expected[thread], atol=1e-6)
                    next(model.stream(itertools.repeat("An answer that nobody takes.")))
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(thread,)) for thread in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT_SECONDS)
        self.assertEqual(failures, [])
        self.assertEqual(len(children()), 1)

    def test_a_killed_program_is_an_error_once(self):
        model = self.open(layers="top")
        sentences = model.stream(itertools.repeat("It never ends."))
        next(sentences)
        os.kill(children()[0], signal.SIGKILL)
        with self.assertRaisesRegex(elmo.Error, "killed by signal 9"):
            for _ in sentences:
                pass
        self.assertEqual(len(model.embed(["fine"])[0]), 1)

    def test_calls_that_fail_at_once_have_errors_of_their_own(self):
        class Object:
            """Something of a caller."""

        model, errors, callers = self.open(layers="top"), [], []
        begun = threading.Semaphore(0)

        def call():
            mine = Object()
            callers.append(weakref.ref(mine))
            try:
                for _ in model.stream(itertools.repeat("It never ends.")):
                    begun.release()
            except elmo.Error as error:
                errors.append(error)

        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in threads:
            begun.acquire()
        self.kill(model)
        for thread in threads:
            thread.join(TIMEOUT_SECONDS)
        self.assertEqual(len(set(map(id, errors))), 2)
        self.assertTrue(all("killed by signal 9" in str(error) for error in errors))
        errors.clear()
        gc.collect()
        self.assertEqual([caller() for caller in callers], [None, None])

    def test_another_program_is_an_error(self):
        other = self.write("other", "#!/bin/sh\nexec yes 'It is not Arrow.'\n")
        other.chmod(0o755)
        code = f"""
            os.environ["ELMO_PROGRAM"] = {str(other)!r}
            try:
                elmo.Model()
            except elmo.Error as error:
                print(error)
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertRegex(output, f"^cannot read the answer of {other}: found no message", errors)

    def test_nothing_of_a_killed_program_is_kept(self):
        model = self.open(layers="top")
        former = weakref.ref(model._service._coprocess)
        self.kill(model)
        self.assertEqual(len(model.embed(["fine"])[0]), 1)

        def is_gone():
            gc.collect()
            return former() is None

        wait_until(is_gone)  # its threads hold it until they have ended
        self.assertEqual(len(children()), 1)

    def test_a_call_of_a_model_that_is_closed_is_an_error(self):
        model = self.open(layers="top")
        sentences = model.stream(itertools.repeat("It never ends."))
        next(sentences)
        model.close()
        with self.assertRaisesRegex(elmo.Error, "^the model was closed during the call$"):
            for _ in sentences:
                pass

    def test_nothing_is_left_behind(self):
        with elmo.Model(self.model) as model:
            self.assertEqual(len(children()), 1)
        self.assertEqual(children(), [])
        with self.assertRaisesRegex(ValueError, "closed"):
            model.embed(["a"])
        model.close()
        model = elmo.Model(self.model)
        next(model.stream(["a"] * 10000))
        del model
        gc.collect()
        wait_until(lambda: not children())

    def test_a_model_that_cannot_start_leaves_nothing_behind(self):
        def open_files():
            return sorted(os.listdir("/proc/self/fd"))

        def thread_of_number(failing):
            count = itertools.count()
            def start(thread):
                if next(count) == failing:
                    raise RuntimeError("can't start new thread")
                started(thread)
            started = threading.Thread.start
            return mock.patch("threading.Thread.start", start)

        gc.collect()
        before, threads = open_files(), threading.active_count()
        failures = []
        for number in (0, 1):
            with self.subTest(thread=number), thread_of_number(number):
                with self.assertRaises(RuntimeError) as caught:
                    elmo.Model(self.model)
                failures.append(caught.exception)  # it keeps what its frames hold
                self.assertEqual((open_files(), children()), (before, []))
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        for count in range(3, 64):
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, limits[1]))
            try:
                elmo.Model(self.model).close()
                break
            except elmo.Error as error:
                failures.append(error)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            self.assertEqual((open_files(), children()), (before, []), count)
        self.assertGreater(len(failures), 7)
        self.assertEqual(threading.active_count(), threads)

    def test_a_fork_starts_its_own_program(self):
        model = self.open(layers="top")
        expected = model.embed(["A fork."])[0]
        parents = children()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads
            child = os.fork()
        if child == 0:
            code = 1
            try:
                del model
                gc.collect()  # finalizers
                other = elmo.Model(self.model, layers="top")
                code = 0 if (other.embed(["A fork."])[0] == expected).all() else 2
                other.close()
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(children(), parents)
        numpy.testing.assert_array_equal(model.embed(["A fork."])[0], expected)

    def test_a_forked_model_works_in_both_processes(self):
        model = self.open(layers="top")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if len(model.embed(["A fork."])[0]) == 3 else 2
                model.close()
            finally:
                os._exit(code)
        self.assertEqual(len(model.embed(["A fork."])[0]), 3)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(len(model.embed(["A fork."])[0]), 3)

    def test_a_call_in_progress_fails_in_a_forked_process(self):
        code = """
            import itertools
            sentences = model.stream(itertools.repeat("A b."))
            next(sentences)
            child = os.fork()
            try:
                for _ in itertools.islice(sentences, None if child == 0 else 10):
                    pass
            except elmo.Error as error:
                print(error, len(model.embed(["A b."])[0]))
            if child:
                print(os.waitpid(child, 0)[1], len(model.embed(["A b."])[0]))
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertRegex(output, r"\Athe call was in progress .* call again 3\n0 3\n\Z", errors)

    def test_a_model_can_be_pickled(self):
        model = self.open(layers="top")
        other = pickle.loads(pickle.dumps(model))
        self.addCleanup(other.close)
        numpy.testing.assert_array_equal(other.embed(["A b."])[0], model.embed(["A b."])[0])

    def kill(self, model):
        """Kills the model's program and waits until the model knows."""
        coprocess = model._service._coprocess
        os.kill(coprocess._process.pid, signal.SIGKILL)
        wait_until(lambda: coprocess.failure)

    def test_relative_paths_start_where_the_model_was_opened(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.model.parent)
        with mock.patch.dict(os.environ, ELMO_PROGRAM=os.path.relpath(ELMO_PROGRAM)):
            for options in ({"model": "model"}, {"options": "model/options.json",
                                                 "weights": "model/weights.hdf5"}):
                os.chdir(self.model.parent)
                with self.subTest(options), elmo.Model(**options) as model:
                    os.chdir(elsewhere)
                    self.kill(model)
                    self.assertEqual(len(model.embed(["fine"])[0]), 1)
                    self.assertEqual(model.tokenize(["fine"]), [[["fine"]]])
                    with pickle.loads(pickle.dumps(model)) as other:
                        self.assertEqual(len(other.embed(["fine"])[0]), 1)

    def test_a_removed_working_directory_is_not_needed(self):
        self.addCleanup(os.chdir, os.getcwd())
        for name in ("first", "second"):
            (self.folder / name).mkdir()
            os.chdir(self.folder / name)
            model = self.open()
            (self.folder / name).rmdir()
            self.kill(model)
            self.assertEqual(len(model.embed(["fine"])[0]), 1)
        self.assertEqual(len(self.open().embed(["fine"])[0]), 1)

    @contextlib.contextmanager
    def script(self, code):
        """Starts a Python program, in a session of its own, that has imported elmo and opened
        `model`. What a shell starts in the background ignores Ctrl-C; this program does not. Kills
        what is left of it."""
        begin = ("import elmo, os, signal, sys\n"
                 "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                 f"model = elmo.Model({str(self.model)!r}, layers='top')\n")
        with subprocess.Popen([sys.executable, "-c", begin + textwrap.dedent(code)],
                              env={**os.environ, "PYTHONPATH": str(PACKAGE)}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    # Prints the program's process, then computes forever.
    FOREVER = """
        print(model._service._coprocess._process.pid, flush=True)
        import itertools
        """

    def wait_for_end(self, pid):
        def ended():
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] == "Z"
            except OSError:
                return True
        wait_until(ended)

    def test_an_interpreter_that_ends_or_is_killed_leaves_no_process(self):
        for code, end in (("next(model.stream(itertools.repeat('A b.')))", None),
                          ("next(model.stream(itertools.repeat('A b.')))\nraise SystemExit", None),
                          ("for _ in model.stream(itertools.repeat('A b.')): pass", signal.SIGKILL),
                          ("for _ in model.stream(itertools.repeat('A b.')): pass", signal.SIGTERM)):
            with self.subTest((code, end)):
                with self.script(textwrap.dedent(self.FOREVER) + code) as process:
                    pid = int(process.stdout.readline())
                    if end:
                        process.send_signal(end)
                    process.communicate(timeout=TIMEOUT_SECONDS)
                self.wait_for_end(pid)

    def test_an_interruption_ends_a_call_but_not_the_model(self):
        code = textwrap.dedent(self.FOREVER) + textwrap.dedent("""
            try:
                for _ in model.stream(itertools.repeat("A b.")):
                    print("begun", flush=True)
            except KeyboardInterrupt:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                print("interrupted", model.embed(["A b c d"])[0].shape[0], flush=True)
            """)
        with self.script(code) as process:
            pid = int(process.stdout.readline())
            process.stdout.readline()
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        # The interruption may come between a word and the end of its line.
        self.assertTrue(output.endswith("interrupted 4\n"), output[-100:] + errors)
        self.wait_for_end(pid)

    def test_an_interruption_while_the_program_takes_no_text_cuts_no_record_short(self):
        code = """
            import fcntl, itertools, struct, termios, threading, time
            process, pipe = model._service._coprocess._process.pid, model._service._coprocess._input
            F_GETPIPE_SZ = 1032
            def interrupt_once_the_pipe_is_full():
                held = 0
                while held <= fcntl.fcntl(pipe, F_GETPIPE_SZ) - 4096:
                    time.sleep(0.001)
                    held, = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt_once_the_pipe_is_full).start()
            signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED)
            os.kill(process, signal.SIGSTOP)
            os.waitid(os.P_PID, process, os.WSTOPPED | os.WNOWAIT)
            try:
                next(model.stream(itertools.repeat("A b. " * 1000)))
            except KeyboardInterrupt:
                os.kill(process, signal.SIGCONT)
                print(model.embed(["A b c d"])[0].shape[0], model._service._coprocess._process.pid == process)
            """
        # A signal that another thread takes wakes the main thread as little as one that comes just before it waits.
        for blocked in ("[]", "[signal.SIGINT]"):
            with self.subTest(blocked):
                with self.script(code.replace("BLOCKED", blocked)) as process:
                    output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
                self.assertEqual(output, "4 True\n", errors)

    def test_the_version_is_the_programs(self):
        self.assertEqual(f"elmo {elmo.__version__}\n", run("--version").stdout.decode())
        with mock.patch.dict(os.environ, ELMO_PROGRAM="/missing"):
            self.assertFalse(hasattr(elmo, "__version__"))

    def test_importing_requires_only_numpy(self):
        code = """
            others = {"h5py", "torch", "pandas", "pyarrow", "sklearn", "spacy", "datasets"}
            print(sorted(others & set(sys.modules)))
            sys.modules.update(dict.fromkeys(others))  # they cannot be imported any more
            from elmo import *
            for use in (lambda: elmo.ScalarMix(layers=3), lambda: elmo.ScalarMix.from_task("x"), lambda: elmo.open("x"), lambda: elmo.sklearn,
                        lambda: elmo.spacy):
                try:
                    use()
                except ImportError as error:
                    print(error)
            """
        with self.script(code) as process:
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        lines = output.splitlines()
        self.assertEqual(lines[0], "[]", errors)
        self.assertEqual([line.rpartition(": ")[2] for line in lines[1:]],
                         ["pip install torch", "pip install torch", "pip install h5py", "pip install scikit-learn",
                          "pip install spacy"], errors)

    def test_the_package_is_installed_where_python_looks(self):
        cmake, build = shutil.which("cmake"), pathlib.Path(ELMO).resolve().parent
        if cmake is None or not (build / "cmake_install.cmake").exists():
            self.skipTest("needs cmake and the build's own folder")
        system = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else "python3"
        version = subprocess.run([system, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        # Another Python before it on the PATH does not matter.
        self.write("python3", "#!/bin/sh\necho 2.7\n").chmod(0o755)
        for prefix, folder in (("/usr", "python3"), ("/usr/local", f"python{version}"),
                               ("/opt/elmo", "python3")):
            subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True,
                           env={**os.environ, "DESTDIR": str(self.folder),
                                "PATH": f"{self.folder}:{os.environ['PATH']}"},
                           stdout=subprocess.DEVNULL)
            top = self.folder / prefix[1:]
            modules = top / "lib" / folder / "dist-packages"
            self.assertTrue((modules / "elmo/py.typed").is_file())
            environment = {**os.environ, "PYTHONPATH": str(modules)}
            del environment["ELMO_PROGRAM"]
            found = subprocess.run(
                [sys.executable, "-B", "-c", "from elmo import _program; print(_program.program())"],
                check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout
            self.assertEqual(found.strip(), str(top / "bin/elmo"))

    def test_progress_is_a_line_on_standard_error(self):
        with self.script("model.embed(['a', 'b'], progress=True)\n"
                         "list(model.stream(iter('ab'), progress=True))") as process:
            _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        # How often it is shown depends on the time.
        self.assertRegex(errors, r"(?m)^2 of 2 texts, .*/s$")
        self.assertRegex(errors, r"(?m)^2 texts, .*/s\n\Z")

    def test_progress_without_standard_error_is_not_shown(self):
        model = self.open(layers="top")
        with mock.patch("sys.stderr", None):
            self.assertEqual(len(model.embed(["a", "b"], progress=True)), 2)

    def test_the_line_of_progress_ends_before_an_error(self):
        with self.script("model.embed(['a', 3], progress=True)") as process:
            _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertRegex(errors, r"(?m)^[01] of 2 texts, .*/s\nTraceback")


if __name__ == "__main__":
    unittest.main()
