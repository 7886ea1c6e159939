#!/usr/bin/env python3
"""`elmo neighbors`: the nearest occurrences of a word match those that NumPy finds."""

import json
import select
import shutil
import unittest

import numpy
import tool
from neighbors import WORDS, text
from tool import BAD_INPUT, DONE, USAGE, run, start

# Nothing takes as long unless it waits for what never comes.
PATIENCE_SECONDS = 60

QUERY = "the old [bank] of money"


def unit(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=-1, keepdims=True)


class Neighbors(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", text())
        self.run_folder = self.folder / "run"

    def embed(self, *arguments, output=None, model=None):
        result = run("embed", "--quiet", "--model", model or self.model, "--input-format", "tokens",
                     "--shard-size", "30K", *arguments, self.text, "-o", output or self.run_folder)
        self.assert_exit(result, DONE)

    def neighbors(self, *arguments, corpus=None, **keywords):
        return run("neighbors", "--quiet", "--model", self.model, "--corpus",
                   corpus or self.run_folder, *arguments, **keywords)

    def answers(self, *arguments, **keywords):
        result = self.neighbors(*arguments, **keywords)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def vectors(self, words, *arguments):
        """The activations of sentences given as lists of words: lists of [tokens, numbers]."""
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--format", "jsonl", *arguments,
                     text="\n".join(" ".join(sentence) for sentence in words) + "\n")
        self.assert_exit(result, DONE)
        records = map(json.loads, result.stdout.splitlines())
        return [numpy.array(record["vectors"]).reshape(len(record["tokens"]), -1)
                for record in records]

    def expected(self, place, wanted, count):
        """The nearest (similarity, word, line) of the query's word by NumPy."""
        sentences = [line.split() for line in self.text.read_text().splitlines()]
        query = self.vectors([QUERY.replace("[", "").replace("]", "").split()])[0][2]
        found = []
        for number, (sentence, vectors) in enumerate(zip(sentences, self.vectors(sentences)), 1):
            for word, vector in zip(sentence, vectors):
                if wanted(word):
                    similarity = float(unit(vector[place]) @ unit(query[place]))
                    found.append((similarity, word, number))
        return sorted(found, key=lambda one: -one[0])[:count]

    def assert_found(self, answer, expected, tolerance=2e-6):
        self.assertEqual(len(answer["neighbors"]), len(expected))
        for one, (similarity, word, line) in zip(answer["neighbors"], expected):
            self.assertAlmostEqual(one["similarity"], similarity, delta=tolerance)
            self.assertEqual(one["file"], str(self.text))
            if tolerance < 1e-3:
                self.assertEqual((one["word"], one["line"]), (word, line))
            self.assertIn(f"[{one['word']}]", one["sentence"])

    def test_the_nearest_match_numpy_in_every_layer_and_format(self):
        self.embed()
        half, packed, short, steps = (self.folder / name for name in
                                      ("half", "packed", "short", "steps"))
        self.embed("--dtype", "float16", output=half)
        self.embed("--compression", "gzip", output=packed)
        self.embed("--dtype", "bfloat16", output=short)
        self.embed("--dtype", "int8", output=steps)
        for arguments, place, wanted in (
                (("--layer", "1"), slice(8, 24), lambda word: True),
                (("--same-word",), slice(24, 40), lambda word: word.lower() == "bank"),
                (("--other-words",), slice(24, 40), lambda word: word.lower() != "bank")):
            with self.subTest(arguments=arguments):
                expected = self.expected(place, wanted, 7)
                for corpus, tolerance, form in (
                        (self.run_folder, 2e-6, ()), (packed, 2e-6, ()), (half, 2e-3, ()),
                        (short, 1e-2, ()), (steps, 2e-2, ()),
                        (self.text, 2e-6, ("--input-format", "tokens"))):
                    answer, = self.answers(QUERY, "-k", 7, *arguments, *form, corpus=corpus)
                    self.assert_found(answer, expected, tolerance)
        answer, = self.answers(QUERY, "-k", 4, "--layer", "x")
        self.assertEqual({found["word"] for found in answer["neighbors"]}, {"bank"})
        self.assertEqual(self.answers(QUERY, "-k", 4, "--layer", "0"), [answer])

    def test_a_shard_of_another_run_is_refused(self):
        self.embed()
        other = self.folder / "other"
        self.embed("--layers", "top", output=other)
        shard = sorted(self.run_folder.glob("shard-*.h5"))[0]
        shutil.copy(sorted(other.glob("shard-*.h5"))[0], shard)
        result = self.neighbors(QUERY)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(shard.name.encode(), result.stderr)
        shard.unlink()
        result = self.neighbors(QUERY)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(f"{shard.name} is missing".encode(), result.stderr)

    def test_words_without_context_are_listed_once(self):
        self.embed()
        vectors = {word: unit(found[0][:8]) for word, found
                   in zip(WORDS, self.vectors([[word] for word in WORDS]))}
        order = sorted((word for word in WORDS if word.lower() != "bank"),
                       key=lambda word: -float(vectors[word] @ vectors["bank"]))
        for corpus, more in ((self.run_folder, ()), (self.text, ("--input-format", "tokens"))):
            answer, = self.answers(QUERY, *more, corpus=corpus)
            self.assertEqual([found["word"] for found in answer["without_context"]], order)
            self.assertEqual((answer["word"], answer["layer"], answer["query"]),
                             ("bank", "2", QUERY))

    def test_a_sentence_of_the_corpus_finds_itself(self):
        self.embed()
        words = self.text.read_text().splitlines()[5].split()
        query = " ".join(["[" + words[0] + "]", *words[1:]])
        answer, = self.answers(query, "-k", 1)
        self.assertAlmostEqual(answer["neighbors"][0]["similarity"], 1, places=5)
        self.assertEqual(answer["neighbors"][0]["sentence"], query)

    def test_boundaries_are_not_words(self):
        self.embed("--boundaries")
        answer, = self.answers("-k", 100, QUERY)
        words = {near["word"] for near in answer["without_context"]}
        self.assertEqual(words, {word for word in WORDS if word.lower() != "bank"})

    def test_an_unfinished_run_is_refused(self):
        self.embed()
        manifest = json.loads((self.run_folder / "manifest.json").read_text())
        (self.run_folder / "manifest.json").write_text(json.dumps(
            manifest | {"complete": False, "index": None, "shards": manifest["shards"][:1]}))
        for result in (self.neighbors(QUERY), run("neighbors", "bank", "--corpus", self.run_folder,
                                                  "--map", self.folder / "map.html")):
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("embed --resume continues it", result.stderr.decode())

    def test_runs_of_one_vector_boundaries_and_other_states_are_compared_in_the_same_way(self):
        words = self.text.read_text().splitlines()[5].split()
        query = " ".join(["[" + words[0] + "]", *words[1:]])
        for number, arguments in enumerate((
                ("--layers", "top"), ("--layers", "average", "--layer-norm", "--boundaries"),
                ("--layers", "mix", "--mix-weights", "0.5,-1,2e-3", "--gamma", "0.7"),
                ("--layers", "mix"), ("--initial-state", "warm", "--boundaries"))):
            with self.subTest(arguments=arguments):
                folder = self.folder / str(number)
                self.embed(*arguments, output=folder)
                answer, = self.answers(query, "-k", 3, corpus=folder)
                self.assertAlmostEqual(answer["neighbors"][0]["similarity"], 1, places=5)
                self.assertEqual(answer["without_context"] is None, "--layers" in arguments)
                for found in answer["neighbors"]:
                    self.assertNotIn("S>", found["word"])

    def test_threads_and_other_queries_change_nothing(self):
        self.embed()
        queries = "".join(f"{' '.join(line.split()[:-1])} [{line.split()[-1]}]\n"
                          for line in text(40, 9).splitlines())
        together = self.answers(text=queries)
        self.assertEqual(len(together), 40)
        for one, other in zip(together, self.answers("--threads", 1, text=queries)):
            self.assertEqual(one, other)
        for line, one in list(zip(queries.splitlines(), together))[:5]:
            alone, = self.answers(line)
            self.assertEqual(alone, one)

    def test_a_pipe_is_answered_line_by_line(self):
        self.embed()
        with start("neighbors", "--quiet", "--model", self.model, "--corpus", self.run_folder,
                   bufsize=0) as process:
            for _ in range(3):
                process.stdin.write((QUERY + "\n\n").encode())
                ready, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
                self.assertTrue(ready)
                self.assertEqual(json.loads(process.stdout.readline())["query"], QUERY)
            output, errors = process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual((process.returncode, output), (DONE, b""), errors)

    def test_the_query_may_precede_or_follow_the_corpus_and_terminals_get_a_table(self):
        self.embed()
        for query in (QUERY, "[bank]"):
            behind = self.neighbors(query)
            self.assert_exit(behind, DONE)
            before = run("neighbors", query, "--quiet", "--model", self.model, "--corpus",
                         self.run_folder)
            self.assertEqual(before.stdout, behind.stdout)
        table = self.neighbors(QUERY, "--format", "table").stdout.decode()
        self.assertTrue(table.startswith(QUERY + "\n  "))
        self.assertIn("without context: ", table)

    def test_incomparable_queries_are_refused(self):
        self.embed()
        other, carried = self.folder / "other", self.folder / "carried"
        made = run("init", "--options", self.model / "options.json", "--seed", 2, "-o", other)
        self.assert_exit(made, DONE)
        self.embed("--initial-state", "carry", output=carried)
        empty = self.folder / "empty"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "-o", empty), DONE)
        for result, words in (
                (run("neighbors", "--model", other, "--corpus", self.run_folder, QUERY),
                 "--model"),
                (self.neighbors(QUERY, corpus=carried), "initial_state"),
                (self.neighbors(QUERY, corpus=empty), "has no token"),
                (self.neighbors(QUERY, corpus=self.write("empty.txt", "")), "has no token"),
                (self.neighbors(QUERY, corpus=self.folder / "missing"), "missing"),
                (self.neighbors(text=QUERY + "\nno brackets\n"), "standard input: line 2"),
        ):
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(words, result.stderr.decode())
        self.assertEqual(len(self.neighbors(text=QUERY + "\nno brackets\n").stdout.splitlines()), 1)

    def test_wrong_usage(self):
        self.embed()
        for arguments, words in (
                ((QUERY, "--layer", "3"), "x, 1, 2"), ((QUERY, "-k", "0"), "--count"),
                ((QUERY, "--same-word", "--other-words"), "--other-words"),
                (("--same-word", "[the bank]"), "2 tokens"),
                ((self.text, QUERY), "one run"),
                (("-k", 3, "no brackets"), "found no brackets"),
                (("no brackets",), "found no brackets"), (("an [open one",), "found no brackets"),
                ((QUERY, "--locale", "de"), "--locale makes sense only with a corpus of text"),
                ((QUERY, "--input-format", "tokens"), "--input-format makes sense only"),
                (("-k", 3, "[a] and [b]"), "2 opening"), (("[a] and [b]",), "2 opening"),
                ((QUERY, "the [river]"), "expected one")):
            with self.subTest(arguments=arguments):
                result = self.neighbors(*arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())
        for file in ("index.h5", "shard-00000.h5"):
            result = self.neighbors(QUERY, corpus=self.run_folder / file)
            self.assert_exit(result, USAGE)
            self.assertIn("is an HDF5 file; expected the folder of a run", result.stderr.decode())
        result = run("neighbors", "--model", self.model, "--corpus", "-")
        self.assert_exit(result, USAGE)
        self.assertIn("both", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
