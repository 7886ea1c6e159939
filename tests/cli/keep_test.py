#!/usr/bin/env python3
"""`elmo embed` with chosen, sampled and pooled tokens: the numbers equal those of a whole run."""

import io
import json
import re
import signal
import subprocess
import unittest

import h5py
import numpy
import shards
import tool
from tool import BAD_INPUT, DONE, INTERRUPTED, STOPPED, USAGE, english, run, start

COMMON = ("--input-format", "tokens", "--quiet")


def rows(path):
    """The datasets of an index by name."""
    with h5py.File(path / "index.h5") as file:
        return {name: file[name][:] for name in list_of(file)}


def list_of(file):
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else
                    None)
    return names


class Keep(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.words = [line.split() for line in english(60_000).decode().splitlines()]
        # An empty line is a sentence; one that stands there twice is copied.
        cls.words[5:5] = [[], cls.words[2], [], cls.words[2]]
        cls.texts = []
        for number, begin in enumerate(range(0, len(cls.words), 8)):
            text = cls.model.parent / f"text{number}.txt"
            text.write_text("".join(" ".join(words) + "\n"
                                    for words in cls.words[begin:begin + 8]))
            cls.texts.append(text)
        cls.whole = cls.model.parent / "whole"
        result = run("embed", *COMMON, "--model", cls.model, *cls.texts, "-o", cls.whole)
        assert result.returncode == DONE, result.stderr
        cls.all = rows(cls.whole)
        tokens = [word for words in cls.words for word in words]
        cls.frequent = max(set(tokens), key=tokens.count)

    def embed(self, *arguments, output="out", texts=None, code=DONE):
        result = run("embed", *COMMON, "--model", self.model, *arguments,
                     *(self.texts if texts is None else texts), "-o", self.folder / output)
        self.assert_exit(result, code)
        return self.folder / output

    def stream(self, *arguments, text=None):
        result = run("embed", *COMMON, "--model", self.model, *arguments,
                     *(self.texts if text is None else ()), text=text or b"")
        self.assert_exit(result, DONE)
        return result.stdout

    def refused(self, *arguments, code=USAGE):
        result = run("embed", "--model", self.model, *arguments, self.texts[0])
        self.assert_exit(result, code)
        return result.stderr.decode()

    def chosen(self, wanted):
        """Row in the whole run, sentence and position of the wanted tokens."""
        found, row = [], 0
        for number, words in enumerate(self.words):
            for place, word in enumerate(words):
                if wanted(word):
                    found.append((row, number, place))
                row += 1
        return found

    def assert_selected(self, folder, wanted):
        found = rows(folder)
        expected = self.chosen(wanted)
        at = [row for row, _, _ in expected]
        self.assertGreater(len(at), 3)
        for name in ("activations", "tokens", "spans", "sentence"):
            numpy.testing.assert_array_equal(found[name], self.all[name][at], name)
        self.assertEqual(found["position"].dtype, numpy.uint32)
        self.assertEqual(list(found["position"]), [place for _, _, place in expected])
        sentences = sorted({number for _, number, _ in expected})
        self.assertEqual(list(found["sentences/number"]), sentences)
        self.assertEqual([text.decode() for text in found["sentences/text"]],
                         [" ".join(self.words[number]) for number in sentences])
        for name in ("sentences/line", "sentences/document"):
            numpy.testing.assert_array_equal(found[name], self.all[name][sentences], name)
        bounds = found["sentences/offsets"]
        for entry, number in enumerate(sentences):
            self.assertTrue((found["sentence"][bounds[entry]:bounds[entry + 1]] == number).all())
        self.assert_exit(run("verify", folder), DONE)


class Words(Keep):
    def test_vectors_of_chosen_words_equal_those_of_the_whole_run(self):
        word = self.frequent
        wanted = {word, "That"}
        self.assert_selected(self.embed("--words", ", ".join(wanted)), wanted.__contains__)
        listed = self.write("list", f"\n {word}\r\nThat\n\n")
        self.assert_selected(self.embed("--words", listed, "--overwrite", "--batch-tokens", "77"),
                             wanted.__contains__)

    def test_case_and_expressions(self):
        self.assert_selected(self.embed("--words", self.frequent.upper(), "--ignore-case"),
                             lambda word: word.lower() == self.frequent.lower())
        self.assert_selected(self.embed("--match", "[a-f]+", "--words", self.frequent,
                                        "--overwrite", "--shard-size", "3K"),
                             lambda word: word == self.frequent or
                             bool(re.fullmatch("[a-f]+", word)))

    def test_other_states_and_layers(self):
        for options in (("--initial-state", "warm"), ("--initial-state", "carry", "--lanes", "3"),
                        ("--layers", "top"), ("--layers", "average", "--layer-norm"),
                        ("--dtype", "float16")):
            with self.subTest(options=options):
                whole = self.embed(*options, "--overwrite", output="whole")
                kept = self.embed(*options, "--overwrite", "--words", self.frequent,
                                  "--shard-size", "9K")
                at = [row for row, _, _ in self.chosen(lambda word: word == self.frequent)]
                numpy.testing.assert_array_equal(rows(kept)["activations"],
                                                 rows(whole)["activations"][at])
                self.assert_exit(run("verify", kept), DONE)

    def test_streams(self):
        records = [json.loads(line) for line in
                   self.stream("--words", self.frequent, "--format", "jsonl").splitlines()]
        found = [(row["sentence"], place) for row in records for place in row["positions"]]
        expected = self.chosen(lambda word: word == self.frequent)
        self.assertEqual(found, [(number, place) for _, number, place in expected])
        vectors = [vector for row in records for vector in row["vectors"]]
        at = [row for row, _, _ in expected]
        numpy.testing.assert_array_equal(numpy.array(vectors, numpy.float32),
                                         self.all["activations"][at])
        for row in records:
            self.assertEqual(row["text"], " ".join(self.words[row["sentence"]]))
            self.assertEqual(set(row["tokens"]), {self.frequent})
            self.assertEqual(len(row["spans"]), len(row["tokens"]))
        stream = io.BytesIO(self.stream("--words", self.frequent, "--format", "npy"))
        arrays = [numpy.load(stream) for _ in records]
        self.assertEqual(stream.read(), b"")
        numpy.testing.assert_array_equal(numpy.concatenate(arrays), self.all["activations"][at])

    def test_no_match_gives_an_empty_run(self):
        folder = self.embed("--words", "nosuchword")
        self.assertEqual(rows(folder)["activations"].shape, (0, 5, 8))
        self.assertEqual(rows(folder)["sentences/text"].shape, (0,))
        self.assert_exit(run("verify", folder), DONE)
        again = run("embed", "--model", self.model, "--words", "nosuchword", "--resume",
                    "--input-format", "tokens", *self.texts, "-o", folder)
        self.assert_exit(again, DONE)
        self.assertIn(b"is complete", again.stderr)

    def test_a_stopped_run_continues(self):
        for options in ((), ("--pool", "mean", "--pool-by", "document"),
                        ("--initial-state", "carry", "--lanes", "2")):
            with self.subTest(options=options):
                size = "150" if "document" in options else "2K"  # a row takes 184 bytes
                arguments = ("--match", "[a-m]+", "--shard-size", size, *options)
                whole = self.embed(*arguments, "--overwrite", output="whole")
                count = len(list(whole.glob("shard-*.h5")))
                self.assertGreater(count, 5)
                folder = self.folder / "stopped"
                for _ in range(3):
                    with start("embed", *COMMON, "--model", self.model, *arguments, *self.texts,
                               "--resume", "-o", folder, stdin=subprocess.DEVNULL) as process:
                        before = len(list(folder.glob("shard-*.h5")))
                        while process.poll() is None and (
                                len(list(folder.glob("shard-*.h5"))) < before + 2):
                            pass
                        process.send_signal(signal.SIGTERM)
                        process.communicate(timeout=tool.TIMEOUT_SECONDS)
                        self.assertIn(process.returncode, (STOPPED, DONE))
                self.embed(*arguments, "--resume", output="stopped")
                self.assertIsNone(shards.difference(whole, folder))
                for name in ("manifest.json", "shard-00003.h5", "index.h5"):
                    self.assertEqual((whole / name).read_bytes(), (folder / name).read_bytes())
                subprocess.run(["rm", "-r", folder], check=True)

    def test_a_run_is_resumed_only_with_the_same_words(self):
        folder = self.embed("--words", self.frequent)
        other = run("embed", *COMMON, "--model", self.model, "--words", "other", "--resume",
                    *self.texts, "-o", folder)
        self.assert_exit(other, BAD_INPUT)
        self.assertIn(b"selection", other.stderr)

    def test_invalid_requests_are_refused(self):
        out = self.folder / "out"
        self.assertIn("empty word", self.refused("--words", "a,,b", "-o", out))
        self.assertIn("--match: ICU rejects the expression ( at character 1: ",
                      self.refused("--match", "(", "-o", out))
        self.assertIn("no word", self.refused("--words", self.write("list", "\n \n"), "-o", out,
                                              code=BAD_INPUT))
        self.assertIn("--words or --match", self.refused("--ignore-case", "-o", out))
        self.assertIn("not words of the text", self.refused("--words", "a", "--boundaries", "-o",
                                                            out))
        self.assertIn("not words of the text", self.refused("--average-words", "--boundaries", "-o",
                                                            self.folder / "out.vec"))
        self.assertIn("--layout shards", self.refused("--words", "a", "--layout", "allennlp", "-o",
                                                      self.folder / "out.hdf5"))
        self.assertFalse(out.exists())

    def test_an_expression_that_takes_forever_is_an_error(self):
        text = self.write("long.txt", "a" * 60 + "\n")
        result = run("embed", *COMMON, "--model", self.model, "--match", "(a+)+b", text, "-o",
                     self.folder / "out")
        self.assert_exit(result, USAGE)
        self.assertIn(b"takes too long", result.stderr)

    def test_commands_that_need_all_tokens_refuse_such_a_run(self):
        folder = self.embed("--words", self.frequent)
        pooled = self.embed("--pool", "mean", output="pooled")
        for kept, kind in ((folder, b"selection"), (pooled, b"pooling")):
            mixed = run("mix", kept, "--weights", "0,0,0", "-o", self.folder / "mixed")
            self.assert_exit(mixed, BAD_INPUT)
            self.assertIn(kind, mixed.stderr)
            found = run("neighbors", "--model", self.model, "--corpus", kept, text="a [b] c\n")
            self.assert_exit(found, BAD_INPUT)
            self.assertIn(kind, found.stderr)
            self.assertIn(kind, run("info", kept / "shard-00000.h5").stdout)

    def test_a_dry_run_counts_the_kept_tokens(self):
        expected = self.chosen(lambda word: word == self.frequent)
        result = run("embed", *COMMON, "--model", self.model, "--words", self.frequent, "--dry-run",
                     *self.texts)
        self.assert_exit(result, DONE)
        self.assertIn(f"{len(expected)} rows", result.stdout.decode())


class Pooling(Keep):
    def units(self, by):
        """Rows of the whole run for each sentence or document."""
        bounds = self.all["sentences/offsets"]
        documents = self.all["sentences/document"]
        units = {}
        for number in range(len(self.words)):
            key = number if by == "sentence" else documents[number]
            units.setdefault(key, []).extend(range(bounds[number], bounds[number + 1]))
        return list(units.values())

    def pooled(self, kind, tokens):
        vectors = self.all["activations"][tokens]
        if kind == "first-last":
            vectors = vectors[[0, -1]] if tokens else numpy.zeros((2, 5, 8), numpy.float32)
            return numpy.concatenate(vectors, axis=-1)
        if not tokens:
            return numpy.zeros((5, 8), numpy.float32)
        if kind == "max":
            return vectors.max(axis=0)
        return vectors.mean(axis=0, dtype=numpy.float64).astype(numpy.float32)

    def test_rows_match_the_tokens(self):
        for kind in ("mean", "max", "first-last"):
            for by in ("sentence", "document"):
                with self.subTest(kind=kind, by=by):
                    folder = self.embed("--pool", kind, "--pool-by", by, "--overwrite",
                                        "--shard-size", "3K", "--batch-tokens", "300")
                    found = rows(folder)
                    units = self.units(by)
                    expected = numpy.array([self.pooled(kind, unit) for unit in units])
                    numpy.testing.assert_allclose(found["activations"], expected, rtol=0,
                                                  atol=0 if kind != "mean" else 1e-7)
                    self.assertEqual(list(found["pooled_tokens"]), [len(unit) for unit in units])
                    self.assert_exit(run("verify", folder), DONE)
        self.assertEqual([text.decode() for text in found["tokens"]],
                         [str(text) for text in self.texts])

    def test_normalized_rows_have_length_1(self):
        folder = self.embed("--pool", "mean", "--normalize")
        vectors = rows(folder)["activations"]
        lengths = numpy.linalg.norm(vectors, axis=-1)
        empty = rows(folder)["pooled_tokens"] == 0
        numpy.testing.assert_allclose(lengths[~empty], 1, atol=1e-6)
        self.assertFalse(vectors[empty].any())
        with h5py.File(folder / "index.h5") as index:
            self.assertEqual(index.attrs["pooling"], "mean by sentence, normalized")
        self.embed("--normalize", output="none", code=USAGE)

    def test_bits_do_not_depend_on_batches_and_shards(self):
        few = rows(self.embed("--pool", "mean", "--pool-by", "document"))
        many = rows(self.embed("--pool", "mean", "--pool-by", "document", "--overwrite",
                               "--batch-tokens", "40", "--shard-size", "1K", "--threads", "1"))
        numpy.testing.assert_array_equal(few["activations"], many["activations"])

    def test_streams(self):
        found = rows(self.embed("--pool", "mean", "--layers", "top"))
        arguments = ("--pool", "mean", "--layers", "top", "--format")
        records = [json.loads(line) for line in self.stream(*arguments, "jsonl").splitlines()]
        self.assertEqual([record["text"] for record in records],
                         [" ".join(words) for words in self.words])
        vectors = numpy.array([record["vectors"] for record in records], numpy.float32)
        numpy.testing.assert_array_equal(vectors, found["activations"])
        stream = io.BytesIO(self.stream(*arguments, "npy"))
        arrays = numpy.array([numpy.load(stream) for _ in records])
        numpy.testing.assert_array_equal(arrays, found["activations"])

    def test_chosen_words_by_document(self):
        found = rows(self.embed("--words", self.frequent, "--pool", "mean", "--pool-by",
                                "document"))
        chosen = self.chosen(lambda word: word == self.frequent)
        documents = self.all["sentences/document"]
        expected = {}
        for row, number, _ in chosen:
            expected.setdefault(documents[number], []).append(row)
        self.assertEqual(list(found["sentences/document"]), list(expected))
        for values, tokens in zip(found["activations"], expected.values()):
            numpy.testing.assert_allclose(values, self.pooled("mean", tokens), rtol=0, atol=1e-7)


class Samples(Keep):
    def drawn(self, *arguments, output="out"):
        folder = self.embed(*arguments, "--overwrite", output=output)
        found = rows(folder)
        self.assert_exit(run("verify", folder), DONE)
        firsts = self.all["sentences/offsets"][found["sentence"]]
        at = firsts + found["position"]
        numpy.testing.assert_array_equal(found["activations"], self.all["activations"][at])
        self.assertTrue((numpy.diff(at.astype(numpy.int64)) > 0).all())
        return list(at)

    def test_a_sample_is_drawn_by_its_seed(self):
        first = self.drawn("--sample", "50")
        self.assertEqual(len(first), 50)
        self.assertEqual(first, self.drawn("--sample", "50", "--threads", "1", "--batch-tokens",
                                           "99", "--shard-size", "4K"))
        self.assertNotEqual(first, self.drawn("--sample", "50", "--seed", "2"))
        everything = len(self.all["tokens"])
        self.assertEqual(self.drawn("--sample", str(everything + 1)), list(range(everything)))

    def test_a_sample_of_chosen_tokens(self):
        chosen = {row for row, _, _ in self.chosen(lambda word: word == self.frequent)}
        drawn = self.drawn("--sample", "7", "--words", self.frequent)
        self.assertEqual(len(drawn), 7)
        self.assertLessEqual(set(drawn), chosen)

    def test_invalid_requests_are_refused(self):
        out = self.folder / "out"
        for arguments in (("--resume",), ("--initial-state", "carry"), ("--pool", "mean")):
            self.assertIn("--sample", self.refused("--sample", "5", *arguments, "-o", out))
        self.assertIn("--sample N", self.refused("--seed", "5", "-o", out))


class Averages(Keep):
    def averages(self, pick=lambda rows: rows.reshape(len(rows), -1)):
        """The count and the mean of each word, computed independently."""
        tokens = numpy.array([token.decode() for token in self.all["tokens"]])
        vectors = pick(self.all["activations"]).astype(numpy.float64)
        words, places, counts = numpy.unique(tokens, return_inverse=True, return_counts=True)
        sums = numpy.zeros((len(words), vectors.shape[1]))
        numpy.add.at(sums, places, vectors)
        order = sorted(range(len(words)), key=lambda i: (-counts[i], words[i].encode()))
        return [(words[i], counts[i], (sums[i] / counts[i])) for i in order]

    def read_text(self, path):
        """Reads the file like gensim's KeyedVectors.load_word2vec_format."""
        with open(path, "rb") as file:
            count, dimensions = map(int, file.readline().decode().split())
            found = []
            for _ in range(count):
                parts = file.readline().decode().rstrip().split(" ")
                self.assertEqual(len(parts), dimensions + 1)
                found.append((parts[0], numpy.array(parts[1:], numpy.float32)))
            self.assertEqual(file.read(), b"")
        return found

    def read_binary(self, path):
        data = path.read_bytes()
        header, _, data = data.partition(b"\n")
        count, dimensions = map(int, header.split())
        found = []
        for _ in range(count):
            word, _, data = data.lstrip(b"\n").partition(b" ")
            found.append((word.decode(), numpy.frombuffer(data[:4 * dimensions], "<f4")))
            data = data[4 * dimensions:]
        self.assertEqual(data, b"\n")
        return found

    def assert_averages(self, found, expected):
        self.assertEqual([word for word, _ in found], [word for word, _, _ in expected])
        for (_, values), (_, _, mean) in zip(found, expected):
            numpy.testing.assert_allclose(values, mean, rtol=1e-6, atol=1e-9)

    def test_means_match_the_run(self):
        expected = self.averages()
        text = self.read_text(self.embed("--average-words", output="words.txt"))
        self.assert_averages(text, expected)
        binary = self.read_binary(self.embed("--average-words", output="words.bin"))
        for (word, values), (other, same) in zip(text, binary):
            self.assertEqual(word, other)
            numpy.testing.assert_array_equal(values, same)

    def test_layers_and_counts(self):
        path = self.embed("--average-words", "--layers", "top", "--min-count", "5", "--format",
                          "word2vec-text", "--batch-tokens", "50", output="words")
        expected = [one for one in
                    self.averages(lambda rows: rows[:, 3:].reshape(len(rows), -1)) if one[1] >= 5]
        self.assert_averages(self.read_text(path), expected)

    def test_invalid_requests_are_refused(self):
        out = self.folder / "vectors.txt"
        self.assertIn("-o FILE", self.refused("--average-words"))
        self.assertIn(".vec", self.refused("--average-words", "-o", self.folder / "vectors"))
        self.assertIn("word2vec", self.refused("--average-words", "--format", "npy", "-o", out))
        self.assertIn("--average-words", self.refused("--format", "word2vec-text"))
        self.assertIn("--pool", self.refused("--average-words", "--pool", "mean", "-o", out))
        self.embed("--average-words", output="vectors.txt")
        self.assertIn("--overwrite", self.refused("--average-words", "-o", out))
        self.embed("--average-words", "--overwrite", output="vectors.txt")

    def test_the_only_file_of_the_input_is_not_replaced(self):
        folder = self.folder / "texts"
        folder.mkdir()
        text = folder / "in.txt"
        text.write_text("one two\n")
        result = run("embed", "--model", self.model, folder, "--average-words", "-o", text,
                     "--overwrite")
        self.assert_exit(result, USAGE)
        self.assertIn("is also the output", result.stderr.decode())
        self.assertEqual(text.read_text(), "one two\n")

    def test_a_stopped_run_cannot_be_resumed_and_says_so(self):
        path = self.folder / "words.txt"
        with start("embed", "--model", self.model, "--average-words", "-o", path, "-") as process:
            while not list(self.folder.glob("words.txt*")):
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn(b"nothing was written", errors)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
