#!/usr/bin/env python3
"""`elmo substitutes` compared with a softmax that NumPy computes from the output of `elmo embed`."""

import json
import select
import shutil
import unittest

import numpy

from predicting import WIDTH, PredictingTest
from tool import BAD_INPUT, DONE, TIMEOUT_SECONDS, USAGE, run, start

LISTS = ("forward", "backward", "both")


class Substitutes(PredictingTest):
    def answers(self, *arguments, text=""):
        result = run("substitutes", "--model", self.model, *arguments, text=text)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def check(self, answer, sentence, begin, end, count):
        """Compares the lists with NumPy's, for the tokens [begin, end) of the sentence."""
        (_, top), = self.layers(sentence, "--lines")
        forward, backward = self.log_softmax(
            numpy.array([top[begin, :WIDTH], top[end + 1, WIDTH:]]))
        both = forward + backward
        both -= numpy.logaddexp.reduce(both)
        for name, scores in zip(LISTS, (forward, backward, both)):
            best = [row for row in numpy.argsort(-scores, kind="stable")
                    if self.words[row] not in ("<S>", "</S>", "<UNK>")][:count]
            words = [each["word"] for each in answer[name]]
            if count < 20:
                self.assertEqual(words, [self.words[row] for row in best])
            else:  # some are equally probable but for the last bits
                self.assertEqual(set(words), {self.words[row] for row in best})
            for expected in (best, [self.words.index(word) for word in words]):
                numpy.testing.assert_allclose([each["log_probability"] for each in answer[name]],
                                              scores[expected], atol=1e-4)

    def test_lists_match_the_softmax(self):
        for query, begin, end in (("The [cat] sat on the mat.", 1, 2), ("[The] cat sat", 0, 1),
                                  ("a [cat , and] a zebra", 1, 4), ("the cat [zebra]", 2, 3)):
            with self.subTest(query):
                (answer,) = self.answers("-k", 7, query)
                self.check(answer, query.replace("[", "").replace("]", ""), begin, end, 7)
                self.assertEqual((answer["token"], answer["word"]),
                                 (begin, query[query.index("[") + 1:query.index("]")]))
        (answer,) = self.answers("-k", 100000, "the [cat]")
        self.check(answer, "the cat", 1, 2, 100000)
        self.assertEqual({len(answer[name]) for name in LISTS}, {len(self.words) - 3})

    def test_all_words(self):
        sentences = ["The cat sat on the mat.", "a zebra"] * 90
        answers = iter(self.answers("--all", text="\n".join(sentences) + "\n\n"))
        counts = (7, 2)
        for number, sentence in enumerate(sentences):
            for token in range(counts[number % 2]):
                answer = next(answers)
                self.assertEqual((answer["line"], answer["token"]), (number + 1, token))
                if number in (0, 1, 178, 179):
                    self.check(answer, sentence, token, token + 1, 10)
        self.assertEqual(list(answers), [])

    def test_a_pipe_gets_each_answer_as_soon_as_its_record_is_read(self):
        records = [{"id": "a", "text": "the [cat] sat"}, {"text": "[a] zebra"}]
        with start("substitutes", "--model", self.model, "--input-format", "jsonl",
                   bufsize=0) as process:
            for record, name in zip(records, ("a", "-")):
                process.stdin.write((json.dumps(record) + "\n").encode())
                ready, _, _ = select.select([process.stdout], [], [], TIMEOUT_SECONDS)
                self.assertTrue(ready, f"no answer to {record}")
                answer = json.loads(process.stdout.readline())
                self.assertEqual((answer["document"], answer["query"]), (name, record["text"]))
                alone = self.answers(record["text"])[0]
                self.assertEqual([answer[each] for each in LISTS], [alone[each] for each in LISTS])
            process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, DONE)

    def test_a_table(self):
        result = run("substitutes", "--model", self.model, "--format", "table", "-k", 2, "the [cat] sat")
        self.assert_exit(result, DONE)
        self.assertEqual([line.split()[0] for line in result.stdout.decode().splitlines()],
                         ["the", *LISTS])

    def test_options_without_effect_are_refused(self):
        for arguments, words in ((("--input-format", "jsonl"), "expected records on standard input"),
                                 (("--input-format", "tokens", "--locale", "en"), "--locale makes sense only"),
                                 (("--input-format", "tokens", "--contractions", "expand"), "makes sense only")):
            with self.subTest(arguments):
                result = run("substitutes", "--model", self.model, "the [cat]", *arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())

    def test_bad_input_is_an_error(self):
        for query, words in (("the cat", "no brackets"), ("the [cat", "1 opening and 0 closing"),
                             ("[the] [cat]", "2 opening"), ("the [] cat", "no word in the brackets")):
            with self.subTest(query):
                result = run("substitutes", "--model", self.model, query)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())
                result = run("substitutes", "--model", self.model, text=f"the [cat]\n{query}\n")
                self.assert_exit(result, BAD_INPUT)
                self.assertIn("line 2: found", result.stderr.decode())
                self.assertEqual(len(result.stdout.splitlines()), 1)
        for text, words in ((" \n\n", "found no sentence"),
                            ("the [cat]\n" + "a" * (64 << 20) + "a\n", "line 2: found a line that is too long")):
            result = run("substitutes", "--model", self.model, text=text)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"standard input: {words}", result.stderr.decode())
        bare = self.folder / "bare"
        bare.mkdir()
        for name in ("options.json", "weights.hdf5"):
            shutil.copy(self.model / name, bare)
        result = run("substitutes", "--model", bare, "the [cat]")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("softmax.hdf5", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
