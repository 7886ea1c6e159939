#!/usr/bin/env python3
"""Letters that look the same: canonical equivalence of words, and --normalize."""

import json
import shutil
import unicodedata
import unittest

import h5py
import numpy
import tool
import training
from tool import DONE, USAGE, run

COMPOSED = "Le café est fermé. Un café, déjà vu? Ça va.\n"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)
ODD = "The ﬁrst Ｈｅｌｌｏ is so\u00adft 𝐀𝐁 here.\n"
PLAIN = "The first Hello is soft AB here.\n"


class Normalization(tool.ToolTest):
    def done(self, *arguments, **keywords):
        result = run(*arguments, **keywords)
        self.assert_exit(result, DONE)
        return result

    def records(self, text, *arguments, model=None):
        result = self.done("embed", "--model", model or self.model, "--format", "jsonl", *arguments,
                           text=text)
        return [json.loads(line) for line in result.stdout.splitlines()], result.stderr.decode()

    def vectors(self, text, *arguments, **keywords):
        return [record["vectors"] for record in self.records(text, *arguments, **keywords)[0]]

    def embed(self, name, text, *arguments):
        self.done("embed", "--quiet", "--model", self.model, "-o", self.folder / name,
                  self.write(name + ".txt", text), *arguments)
        return self.folder / name

    def test_decomposed_text_has_the_vectors_of_composed_text(self):
        for text in (COMPOSED, "사랑은 언제나 오래 참고.\n", "Tiếng Việt là ngôn ngữ.\n"):
            decomposed = unicodedata.normalize("NFD", text)
            self.assertEqual(self.vectors(decomposed), self.vectors(text))
            self.assertNotEqual(self.vectors(decomposed, "--normalize", "none"), self.vectors(text))
            records, said = self.records(decomposed)
            tokens = [token for record in records for token in record["tokens"]]
            self.assertEqual("".join(tokens), decomposed.replace(" ", "").strip())
            raw = decomposed.encode()
            self.assertEqual([raw[begin:end].decode() for record in records
                              for begin, end in record["spans"]], tokens)
            self.assertNotIn("hardly know", said)

    def test_given_tokens_stay_as_they_are_unless_asked(self):
        line = " ".join(DECOMPOSED.split()) + "\n"
        composed = " ".join(COMPOSED.split()) + "\n"
        conllu = "".join(f"{at}\t{word}" + "\t_" * 8 + "\n" for at, word in
                         enumerate(line.split(), 1))
        listed = json.dumps({"tokens": line.split()})
        for form, text in (("tokens", line), ("conllu", conllu), ("jsonl", listed)):
            with self.subTest(form):
                kind = ("--input-format", form)
                plain = self.vectors(composed, "--input-format", "tokens")
                self.assertNotEqual(self.vectors(text, *kind), plain)
                self.assertEqual(self.vectors(text, *kind, "--normalize", "nfc"), plain)
                said = self.records(text, *kind)[1]
                self.assertIn("5 tokens with letters that models hardly know", said)
                self.assertIn("--normalize nfkc replaces them", said)

    def test_one_text_may_be_read_in_two_forms(self):
        text = DECOMPOSED.split(".")[0].split()
        lines = json.dumps({"text": " ".join(text)}) + "\n" + json.dumps({"tokens": text}) + "\n"
        one, two = self.vectors(lines, "--input-format", "jsonl", "--lines")
        self.assertNotEqual(one, two)
        self.assertEqual(two, self.vectors(" ".join(text), "--input-format", "tokens")[0])

    def test_nfkc_replaces_compatible_letters(self):
        records, said = self.records(ODD)
        self.assertIn("4 tokens with letters that models hardly know", said)
        self.assertNotEqual([record["vectors"] for record in records], self.vectors(PLAIN))
        records, said = self.records(ODD, "--normalize", "nfkc")
        self.assertEqual([record["vectors"] for record in records], self.vectors(PLAIN))
        self.assertEqual(records[0]["tokens"], ODD.replace(".", " .").split())
        self.assertNotIn("hardly know", said)

    def test_runs_record_the_form(self):
        for name, arguments, form in (("a", (), "nfc"), ("b", ("--normalize", "none"), "none"),
                                      ("c", ("--normalize", "nfkc"), "nfkc"),
                                      ("d", ("--input-format", "tokens"), "none")):
            manifest = json.loads((self.embed(name, COMPOSED, *arguments) /
                                   "manifest.json").read_text())
            self.assertEqual(manifest["options"]["normalize"], form)
            self.assertEqual(f"normalize {form}" in manifest["fingerprint"]["tokenizer"],
                             name in ("b", "c"))
        result = run("embed", "--model", self.model, "-o", self.folder / "a", "--resume",
                     "--normalize", "none", self.folder / "a.txt")
        self.assertNotEqual(result.returncode, DONE)
        self.assertIn("normalize none", result.stderr.decode())

    def test_words_are_selected_by_canonical_equivalence(self):
        for text in (COMPOSED, DECOMPOSED):
            for word in ("café", unicodedata.normalize("NFD", "café")):
                for option, value in (("--words", word), ("--match", word), ("--words", word.upper())):
                    more = ("--ignore-case",) if value != word else ()
                    name = f"run{len(list(self.folder.iterdir()))}"
                    output = self.embed(name, text, option, value, *more)
                    with h5py.File(output / "index.h5") as index:
                        self.assertEqual(len(index["tokens"]), 2)

    def test_averages_have_one_entry_for_a_word(self):
        for more in ((), ("--normalize", "none"), ("--input-format", "tokens")):
            path = self.write("both.txt", COMPOSED + "\n" + DECOMPOSED)
            output = self.folder / "words.vec"
            self.done("embed", "--quiet", "--model", self.model, "--average-words", "-o", output,
                      "--overwrite", path, *more)
            words = [line.split(" ")[0] for line in output.read_text().splitlines()[1:]]
            self.assertEqual(len(words), len({unicodedata.normalize("NFC", word) for word in words}))
            self.assertIn("déjà", words)
            plan = self.done("embed", "--dry-run", "--json", "--model", self.model, path,
                             "--average-words", "-o", self.folder / "none.vec", *more)
            self.assertEqual(plan.returncode, DONE)

    def test_neighbors_find_either_form(self):
        corpora = [self.embed("composed", COMPOSED * 3), self.embed("decomposed", DECOMPOSED * 3),
                   self.folder / "composed.txt", self.folder / "decomposed.txt"]
        for corpus in corpora:
            for query in ("Un [café] noir", unicodedata.normalize("NFD", "Un [café] noir")):
                found = self.done("neighbors", "--quiet", "--model", self.model, "--corpus", corpus,
                                  "--same-word", "-k", 9, query)
                self.assertEqual(len(json.loads(found.stdout)["neighbors"]), 6)
            for word in ("café", unicodedata.normalize("NFD", "CAFÉ")):
                page = self.folder / "map.html"
                page.unlink(missing_ok=True)
                model = () if corpus.is_dir() else ("--model", self.model)
                told = self.done("neighbors", word, *model, "--corpus", corpus, "--map", page)
                self.assertIn(b"map of 6 of 6 occurrences", told.stderr)

    def test_runs_of_older_versions_are_read_in_their_form(self):
        run_folder = self.embed("old", DECOMPOSED, "--normalize", "none")
        manifest = run_folder / "manifest.json"
        record = json.loads(manifest.read_text())
        del record["options"]["normalize"]
        manifest.write_text(json.dumps(record))
        query = DECOMPOSED.split(".")[0].replace("cafe\u0301", "[cafe\u0301]")
        found = self.done("neighbors", "--quiet", "--model", self.model, "--corpus", run_folder,
                          "-k", 1, query + ".")
        self.assertGreater(json.loads(found.stdout)["neighbors"][0]["similarity"], 0.9999)

    def test_rows_of_unit_length_go_by_both_names(self):
        runs = []
        for number, flags in enumerate((("--unit-length",), ("--normalize",),
                                        ("--normalize", "--normalize", "nfkc"))):
            output = self.folder / str(number)
            self.done("embed", "--quiet", "--model", self.model, "--pool", "mean", "-o", output, *flags,
                      self.write("text", COMPOSED))
            with h5py.File(output / "index.h5") as index:
                runs.append(index["activations"][:])
                self.assertEqual(index.attrs["pooling"], "mean by sentence, normalized")
        numpy.testing.assert_array_equal(runs[0], runs[1])
        numpy.testing.assert_array_equal(runs[0], runs[2])
        result = run("embed", "--normalize", text="a\n")
        self.assert_exit(result, USAGE)
        self.assertIn(b"--unit-length makes sense only with --pool", result.stderr)

    def test_models_say_in_which_form_they_read(self):
        model = self.folder / "model"
        shutil.copytree(self.model, model)
        usual = {"name": "ud", "rules": 2, "icu": "72.1", "unicode": "15.0", "locale": "fr"}
        for more, same in (({}, True), ({"normalize": "nfc"}, True), ({"normalize": "none"}, False)):
            self.write("model/tokenizer.json", json.dumps({**usual, **more}))
            found = self.vectors(DECOMPOSED, model=model)
            self.assertEqual(found == self.vectors(COMPOSED, model=model), same)
        self.assertEqual(self.vectors(DECOMPOSED, "--normalize", "nfc", model=model),
                         self.vectors(COMPOSED, model=model))


class Training(training.TrainingTest):
    def train(self, text, *arguments):
        output = self.folder / f"model{len(list(self.folder.iterdir()))}"
        path = self.write("train.txt", text)
        result = run("train", path, "--valid", path, "--options", self.options, *self.shape,
                     "--steps", 3, "-o", output, *arguments)
        self.assert_exit(result, DONE)
        return output

    def test_models_of_decomposed_text_are_those_of_composed_text(self):
        text = COMPOSED * 50
        one, two = self.train(text), self.train(unicodedata.normalize("NFD", text))
        for name in ("vocabulary.txt", "weights.hdf5"):
            self.assertEqual((one / name).read_bytes(), (two / name).read_bytes(), name)
        for model in (one, two):
            self.assertEqual(json.loads((model / "tokenizer.json").read_text())["normalize"], "nfc")
        other = self.train(unicodedata.normalize("NFD", text), "--normalize", "none")
        self.assertNotEqual((one / "vocabulary.txt").read_bytes(),
                            (other / "vocabulary.txt").read_bytes())
        self.assertEqual(json.loads((other / "tokenizer.json").read_text())["normalize"], "none")

    def test_words_of_a_vocabulary_are_found_in_either_form(self):
        words = ["<S>", "</S>", "<UNK>", "café", "fermé", "Le", "est", "."]
        text = COMPOSED * 50
        perplexities = set()
        for vocabulary in ("NFC", "NFD"):
            path = self.write(f"{vocabulary}.txt",
                              unicodedata.normalize(vocabulary, "\n".join(words)) + "\n")
            for form in ("NFC", "NFD"):
                model = self.train(unicodedata.normalize(form, text), "--vocab", path)
                result = run("perplexity", "--model", model, "--json",
                             text=unicodedata.normalize(form, text))
                self.assert_exit(result, DONE)
                perplexities.add(json.loads(result.stdout)["average"])
        self.assertEqual(len(perplexities), 1)


if __name__ == "__main__":
    unittest.main()
