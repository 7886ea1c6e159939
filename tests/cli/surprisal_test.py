#!/usr/bin/env python3
"""`elmo surprisal` compared with a softmax that NumPy computes from the output of `elmo embed`."""

import csv
import gzip
import io
import json
import math
import select
import shutil
import unittest

import h5py
import numpy

from predicting import WIDTH, PredictingTest
from tool import BAD_INPUT, DONE, TIMEOUT_SECONDS, USAGE, english, run, start

TEXT = "The cat sat on the mat.\n\nThe mat sat on a zebra, and a zebra sat on the cat!\n"
UNKNOWN = {"zebra", "!"}
TOLERANCE = 1e-4  # bits


def table(output):
    """The rows of a table as dicts."""
    return list(csv.DictReader(io.StringIO(output.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))


class SurprisalTest(PredictingTest):
    def output(self, text, *options):
        result = run("surprisal", "--model", self.model, *options, text=text)
        self.assert_exit(result, DONE)
        return result.stdout

    def rows(self, text, *options):
        return table(self.output(text, *options))

    def records(self, text, *options):
        return [json.loads(line) for line in
                self.output(text, "--format", "jsonl", *options).splitlines()]


class Words(SurprisalTest):
    def test_rows_match_the_softmax(self):
        for options in ((), ("--initial-state", "warm"), ("--initial-state", "carry", "--lanes", 2)):
            with self.subTest(options):
                output = self.output(TEXT, *options).decode()
                self.assertEqual(output.splitlines()[0].split("\t"), [
                    "document", "sentence", "line", "token", "word", "begin", "end", "unknown",
                    "forward", "backward"])
                found = table(output.encode())
                expected = [
                    (record, token, -forward[token - 1] / math.log(2), -backward[token] / math.log(2))
                    for record, (forward, backward) in self.expected(TEXT, *options)
                    for token in range(1, len(record["tokens"]) - 1)]
                self.assertEqual(len(found), len(expected))
                for row, (record, token, forward, backward) in zip(found, expected):
                    self.assertEqual(row["document"], "-")
                    self.assertEqual(int(row["sentence"]), record["sentence"])
                    self.assertEqual(int(row["line"]), record["line"])
                    self.assertEqual(int(row["token"]), token - 1)
                    self.assertEqual(row["word"], record["tokens"][token])
                    self.assertEqual([int(row["begin"]), int(row["end"])], record["spans"][token])
                    self.assertEqual(row["unknown"], "1" if row["word"] in UNKNOWN else "0")
                    self.assertAlmostEqual(float(row["forward"]), forward, delta=TOLERANCE)
                    self.assertAlmostEqual(float(row["backward"]), backward, delta=TOLERANCE)

    def test_boundaries_add_rows_and_change_no_other(self):
        found = self.rows(TEXT, "--boundaries")
        self.assertEqual([row for row in found if row["word"] not in ("<S>", "</S>")],
                         self.rows(TEXT))
        boundaries = iter(row for row in found if row["word"] in ("<S>", "</S>"))
        for record, (forward, backward) in self.expected(TEXT):
            first, last = next(boundaries), next(boundaries)
            self.assertEqual((first["word"], first["token"], first["forward"]), ("<S>", "-1", ""))
            self.assertAlmostEqual(float(first["backward"]), -backward[0] / math.log(2), delta=TOLERANCE)
            self.assertEqual((last["word"], last["backward"]), ("</S>", ""))
            self.assertEqual(int(last["token"]), len(record["tokens"]) - 2)
            self.assertAlmostEqual(float(last["forward"]), -forward[-1] / math.log(2), delta=TOLERANCE)
        self.assertEqual(list(boundaries), [])

    def test_json_has_the_rows_as_lists(self):
        for options in ((), ("--boundaries",)):
            with self.subTest(options):
                rows = iter(self.rows(TEXT, "--lines", *options))
                records = self.records(TEXT, "--lines", *options)
                self.assertEqual([record["sentence"] for record in records], [0, 1, 2])
                self.assertEqual(records[1]["tokens"], [])
                for record in records:
                    for at, token in enumerate(record["tokens"]):
                        row = next(rows)
                        def number(name, row=row):
                            return float(row[name]) if row[name] else None
                        self.assertEqual(
                            (row["word"], int(row["sentence"]), number("forward"), number("backward")),
                            (token, record["sentence"], record["forward"][at], record["backward"][at]))
                        self.assertEqual([int(row["begin"]), int(row["end"])], record["spans"][at])
                        self.assertEqual(int(row["unknown"]), record["unknown"][at])
                self.assertEqual(list(rows), [])

    def test_other_bases(self):
        bits = [float(row["forward"]) for row in self.rows(TEXT, "--base", 2)]
        for base, factor in (("e", math.log(2)), ("10", math.log10(2))):
            found = [float(row["forward"]) for row in self.rows(TEXT, "--base", base)]
            numpy.testing.assert_allclose(found, numpy.array(bits) * factor, rtol=1e-6)

    def test_sums_of_sentences(self):
        for options in ((), ("--boundaries",)):
            with self.subTest(options):
                words = self.records(TEXT, "--lines", *options)
                sums = self.rows(TEXT, "--lines", "--by-sentence", *options)
                as_json = self.records(TEXT, "--lines", "--by-sentence", *options)
                self.assertEqual(len(sums), 3)
                for record, row, same in zip(words, sums, as_json):
                    self.assertEqual(list(row), ["document", "sentence", "line", "words", "unknown",
                                                 "forward", "backward"])
                    self.assertEqual({name: str(value) if name == "document" else float(value)
                                      for name, value in row.items()}, same)
                    self.assertEqual(same["words"], len(record["tokens"]))
                    self.assertEqual(same["unknown"], sum(record["unknown"]))
                    for direction in ("forward", "backward"):
                        self.assertAlmostEqual(same[direction], sum(filter(None, record[direction])),
                                               delta=TOLERANCE)

    def test_a_pipe_gets_each_sentence_as_soon_as_it_is_read(self):
        questions = [("a", "The cat sat."), ("b", ""), ("c", "A mat and a zebra.")]
        lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in questions]
        options = ("--input-format", "jsonl", "--format", "jsonl")
        expected = self.records("".join(lines), "--input-format", "jsonl")
        with start("surprisal", "--model", self.model, *options, bufsize=0) as process:
            answers = []
            for line in lines:
                process.stdin.write(line.encode())
                ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_SECONDS)
                self.assertTrue(ready, f"no answer to {line!r}")
                answers.append(json.loads(process.stdout.readline()))
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual((process.returncode, output), (DONE, b""), errors)
        self.assertEqual(answers, expected)
        self.assertEqual([answer["document"] for answer in answers], ["a", "b", "c"])

    def test_results_do_not_depend_on_threads_or_neighbors(self):
        text = english(100000).decode().splitlines()
        text += [f"{line} The cat!" for line in text]
        whole = self.records("\n".join(text), "--lines", "--threads", 1)
        self.assertEqual(whole, self.records("\n".join(text), "--lines", "--threads", 3))
        for number in (0, len(text) // 2, len(text) - 1):
            (alone,) = self.records(text[number], "--lines")
            self.assertEqual(alone["forward"], whole[number]["forward"])
            self.assertEqual(alone["backward"], whole[number]["backward"])

    def test_words_spelled_like_the_reserved_ones_are_unknown(self):
        (record,) = self.records("<S> the <UNK> </S>\n", "--input-format", "tokens")
        self.assertEqual(record["unknown"], [1, 0, 1, 1])

    def test_a_tab_or_a_line_end_does_not_break_a_row(self):
        text = json.dumps({"id": "a\tb", "tokens": ["the\tcat", "sat\non", "\r"]}) + "\n"
        rows = self.rows(text, "--input-format", "jsonl")
        self.assertEqual([row["word"] for row in rows], ["the cat", "sat on", " "])

    def test_notes_say_how_many_words_are_unknown(self):
        result = run("surprisal", "--model", self.model, text=TEXT)
        self.assertIn(f"3 tokens not among the {len(self.words):,} words", result.stderr.decode())

    def test_the_former_option_of_perplexity_is_answered_with_this_command(self):
        result = run("perplexity", "--model", self.model, "--per-token", text=TEXT)
        self.assert_exit(result, USAGE)
        self.assertIn("elmo surprisal", result.stderr.decode())

    def test_wrong_usage_is_explained(self):
        for arguments, word in ((("--lanes", 2), "--initial-state carry"), (("--by", "UID"), "--pairs"),
                                (("--pairs", "--boundaries"), "without --pairs"),
                                (("--pairs", "--base", 10), "--base makes sense only"), (("--base", 3), "2, e, 10")):
            with self.subTest(arguments):
                result = run("surprisal", "--model", self.model, *arguments, text=TEXT)
                self.assert_exit(result, USAGE)
                self.assertIn(word, result.stderr.decode())

    def test_bad_input_is_an_error(self):
        bare = self.folder / "bare"
        bare.mkdir()
        for name in ("options.json", "weights.hdf5"):
            shutil.copy(self.model / name, bare)
        result = run("surprisal", "--model", bare, text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        for word in (str(bare), "softmax.hdf5", "elmo finetune"):
            self.assertIn(word, result.stderr.decode())
        empty = self.folder / "empty.txt"
        empty.write_text("")
        result = run("surprisal", "--model", self.model, empty)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("empty.txt: the input has no token", result.stderr.decode())
        self.assertEqual(result.stdout, b"")

    def test_a_damaged_softmax_is_an_error(self):
        not_a_number = self.weights.copy()
        not_a_number[7, 1] = math.nan
        shape = f"({len(self.words)}, {WIDTH})"
        for name, weights, words in (
                ("nan", not_a_number, "softmax/W[7, 1] is NaN; expected finite numbers"),
                ("narrow", self.weights[:, 1:], f"expected float32 {shape}"),
                ("short", self.weights[1:], f"expected float32 {shape}")):
            damaged = self.folder / name
            shutil.copytree(self.model, damaged)
            with h5py.File(damaged / "softmax.hdf5", "w") as file:
                file["softmax/W"] = weights
                file["softmax/b"] = self.bias
            for options in ((), ("--pairs",)):
                text = TEXT if not options else "the cat\tthe mat\n"
                result = run("surprisal", "--model", damaged, *options, text=text)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"{damaged / 'softmax.hdf5'}: softmax/W", result.stderr.decode())
                self.assertIn(words, result.stderr.decode())
                self.assertEqual(result.stdout, b"")


PAIRS = [("The cat sat.", "The cat sat on.", "one", "x"), ("a mat", "mat a", "two", "x"),
         ("The zebra!", "The zebra!", "one", "y"), ("on and on", "and on on", "two", "y"),
         ("the cat , the mat", "a cat , a mat", "one", "x")]


class Pairs(SurprisalTest):
    def file(self, name="pairs.jsonl", good="sentence_good", bad="sentence_bad"):
        path = self.folder / name
        path.write_text("".join(json.dumps({
            good: pair[0], bad: pair[1], "UID": pair[2], "linguistics_term": pair[3],
            "pairID": number}) + "\n" for number, pair in enumerate(PAIRS)))
        return path

    def sums(self):
        """Σ −log2 p of both sentences of each pair: [pair, sentence, direction]."""
        text = "".join(f"{pair[0]}\n{pair[1]}\n" for pair in PAIRS)
        sums = [[-sum(each) / math.log(2) for each in both]
                for _, both in self.expected(text, "--lines")]
        return numpy.array(sums).reshape(len(PAIRS), 2, 2)

    def counts(self, *chosen):
        """The counts of the chosen pairs as in the table."""
        sums = self.sums()[list(chosen)]
        sums = numpy.concatenate([sums, sums.sum(axis=2, keepdims=True)], axis=2)
        difference = sums[:, 1] - sums[:, 0]
        same = [PAIRS[pair][0] == PAIRS[pair][1] for pair in chosen]
        return [100 * float(numpy.mean([not tie and each > 0 for tie, each in zip(same, column)]))
                for column in difference.T] + [sum(same)] * 3

    def check(self, rows, expected):
        self.assertEqual([(row["field"], row["value"], int(row["pairs"])) for row in rows],
                         [(field, value, len(chosen)) for field, value, chosen in expected])
        for row, (_, _, chosen) in zip(rows, expected):
            found = [float(row[name]) for name in ("forward", "backward", "both", "forward_ties",
                                                   "backward_ties", "both_ties")]
            numpy.testing.assert_allclose(found, self.counts(*chosen), atol=0.005)

    def test_shares_match_the_softmax(self):
        every = ("all", "", range(5))
        self.check(self.rows("", "--pairs", self.file()), [
            every, ("UID", "one", (0, 2, 4)), ("UID", "two", (1, 3)),
            ("linguistics_term", "x", (0, 1, 4)), ("linguistics_term", "y", (2, 3))])
        named = self.file("named.jsonl", "right", "wrong")
        self.check(self.rows("", "--pairs", "--good", "right", "--bad", "wrong", "--by", "UID", named),
                   [every, ("UID", "one", (0, 2, 4)), ("UID", "two", (1, 3))])
        self.check(self.rows("", "--pairs", "--by", "pairID", self.file())[1:],
                   [("pairID", str(pair), (pair,)) for pair in range(5)])

    def test_columns_arrays_and_compressed_files(self):
        plain = "".join(f"{pair[0]}\t{pair[1]}\n" for pair in PAIRS)
        self.check(self.rows(plain, "--pairs"), [("all", "", range(5))])
        packed = self.folder / "pairs.tsv.gz"
        packed.write_bytes(gzip.compress(plain.encode()))
        self.check(self.rows("", "--pairs", packed), [("all", "", range(5))])
        array = self.folder / "pairs.json"
        array.write_text(json.dumps([json.loads(line) for line in self.file().read_text().splitlines()]))
        self.check(self.rows("", "--pairs", array)[:2],
                   [("all", "", range(5)), ("UID", "one", (0, 2, 4))])

    def test_json_has_the_sums_of_each_pair(self):
        records = self.records("", "--pairs", self.file())
        self.assertEqual(len(records), len(PAIRS))
        for number, (record, pair, sums) in enumerate(zip(records, PAIRS, self.sums())):
            self.assertEqual((record["pair"], record["line"], record["UID"], record["linguistics_term"]),
                             (number, number + 1, pair[2], pair[3]))
            for sentence, expected in zip(("good", "bad"), sums):
                found = record[sentence]
                self.assertAlmostEqual(found["forward"], expected[0], delta=TOLERANCE)
                self.assertAlmostEqual(found["backward"], expected[1], delta=TOLERANCE)
                self.assertAlmostEqual(found["both"], found["forward"] + found["backward"])

    def test_a_pipe_gets_each_pair_as_soon_as_it_is_read(self):
        lines = self.file().read_text().splitlines(keepends=True)
        expected = self.records("".join(lines), "--pairs")
        with start("surprisal", "--model", self.model, "--pairs", "--format", "jsonl",
                   bufsize=0) as process:
            for line, record in zip(lines, expected):
                process.stdin.write(line.encode())
                ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_SECONDS)
                self.assertTrue(ready, f"no answer to {line!r}")
                self.assertEqual(json.loads(process.stdout.readline()), record)
            process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, DONE)

    def test_errors_name_file_and_line(self):
        good = json.dumps({"sentence_good": "a cat", "sentence_bad": "cat a"}) + "\n"
        for text, words in (
                (good + '{"sentence_good": "a cat"}\n', ("line 2", "'sentence_bad'", "a string")),
                (good + '{"sentence_good": 3, "sentence_bad": ["a"]}\n', ("line 2", "found a list")),
                (good + '{"sentence_good": " ", "sentence_bad": "a"}\n', ("line 2", "without any word")),
                (good + "{\n", ("line 2",)), ("\n\n", ("found no pair",)),
                (good + '{"sentence_good": "\\u200b", "sentence_bad": "a"}\n', ("line 2", "without any word")),
                (good + json.dumps({"sentence_good": "a " * 6000, "sentence_bad": "a"}), ("line 2", "12000")),
                ("a cat\tcat a\nthe cat\n", ("line 2", "1 column", "two"))):
            with self.subTest(text):
                path = self.folder / "bad.txt"
                path.write_text(text)
                result = run("surprisal", "--model", self.model, "--pairs", path)
                self.assert_exit(result, BAD_INPUT)
                self.assertEqual(result.stdout, b"")
                for word in ("bad.txt", *words):
                    self.assertIn(word, result.stderr.decode())
        result = run("surprisal", "--model", self.model, "--pairs", "--by", "kind", text=good)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("'kind'", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
