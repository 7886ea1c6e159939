#!/usr/bin/env python3
"""Proteins (FASTA) and vertical corpora."""

import gzip
import json
import os
import pathlib
import random
import unittest
from xml.sax.saxutils import escape

import h5py
import tool
from tool import BAD_INPUT, DONE, USAGE, run

EWT = pathlib.Path(os.environ.get("ELMO_REFERENCE_DATA", "")) / "data/ud-en-ewt/en_ewt-ud-dev.conllu"


def proteins(count, seed=1):
    """Pairs of an identifier and its residues."""
    chance = random.Random(seed)
    return [(f"sp|P{number:05}|X_HUMAN", "".join(chance.choices("ACDEFGHIKLMNPQRSTVWYacx",
                                                               k=chance.randint(1, 300))))
            for number in range(count)]


def fasta(records, width=60, end="\n"):
    text = ""
    for number, (name, residues) in enumerate(records):
        text += f">{name} Protein {number} OS=Homo sapiens{end}"
        for at in range(0, len(residues), width):
            text += residues[at:at + width] + end
        text += ("", "*" + end, end)[number % 3]
    return text


def vertical(conllu):
    """A treebank as a vertical corpus: word, tag, lemma."""
    lines, open_sentence = ["<corpus>"], False
    for line in conllu.split("\n"):
        columns = line.split("\t")
        if line.startswith("# newdoc id = "):
            lines.append(f'<doc id="{escape(line[14:], {chr(34): "&quot;"})}">')
        elif len(columns) == 10 and columns[0].isdigit():
            if not open_sentence:
                lines.append("<s>")
            open_sentence = True
            lines.append("\t".join(map(escape, (columns[1], columns[3], columns[2]))))
            if "SpaceAfter=No" in columns[9]:
                lines.append("<g/>")
        elif not line and open_sentence:
            lines.append("</s>")
            open_sentence = False
    return "\n".join([*lines, "</corpus>", ""])


class CorpusFormats(tool.ToolTest):
    def embed(self, output, form, *arguments):
        result = run("embed", "--model", self.model, "--input-format", form, "-o", output, *arguments)
        self.assert_exit(result, DONE)
        return result

    def rows(self, output, *names):
        with h5py.File(output / "index.h5") as index:
            return [index[name][:].tolist() for name in names]

    def sentences(self, form, *arguments, text=b""):
        result = run("tokenize", "--input-format", form, "--format", "jsonl", *arguments, text=text)
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def refused(self, form, text, *arguments):
        path = self.write("bad", text)
        for command in (("tokenize",), ("embed", "--model", self.model, "--overwrite", "-o",
                         self.folder / "none")):
            result = run(*command, "--input-format", form, *arguments, path)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(f"elmo: {path}: line ", result.stderr.decode())
        return result.stderr.decode()

    def test_proteins_have_the_vectors_of_their_residues_as_tokens(self):
        records = proteins(40)
        text = fasta(records)
        path = self.write("p.faa.gz", gzip.compress(text.encode()))
        tokens = self.write("p.tokens", "".join(" ".join(r) + "\n" for _, r in records))
        one, two = self.folder / "one", self.folder / "two"
        self.assertNotIn(b"read as raw text", self.embed(one, "fasta", path).stderr)
        self.embed(two, "tokens", tokens)
        same = ("activations", "tokens", "sentence")
        self.assertEqual(self.rows(one, *same), self.rows(two, *same))
        spans, = self.rows(one, "spans")
        self.assertEqual([text[begin:end] for begin, end in spans],
                         [residue for _, residues in records for residue in residues])
        found = self.sentences("fasta", path)
        self.assertEqual([(s["document"], "".join(s["tokens"])) for s in found], records)
        self.assertEqual(found[0]["line"], 1)

    def test_a_long_protein_is_one_sentence(self):
        titin = self.write("titin.fa", fasta([("titin", "MKVL" * 8750)]))
        one, two = self.folder / "one", self.folder / "two"
        self.assertNotIn(b"cut into pieces", self.embed(one, "fasta", "--layers", "top", titin).stderr)
        self.assertEqual(set(self.rows(one, "sentence")[0]), {0})
        cut = self.embed(two, "fasta", "--layers", "top", "--max-sentence-tokens", 10000, titin)
        self.assertIn(b"1 sentence of more than 10,000 tokens, cut into pieces", cut.stderr)
        self.assertEqual(set(self.rows(two, "sentence")[0]), {0, 1, 2, 3})

    def test_pooled_proteins_have_a_row_each(self):
        path = self.write("p.fa", fasta(proteins(5)))
        self.embed(self.folder / "pooled", "fasta", "--pool", "mean", path)
        with h5py.File(self.folder / "pooled/index.h5") as index:
            self.assertEqual(len(index["activations"]), 5)

    def test_parts_of_proteins_are_those_of_the_whole(self):
        files = [self.write("a.fa", fasta(proteins(30))), self.write("b.fa", fasta(proteins(9, 2)))]
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.embed(whole, "fasta", *files)
        for part in range(4):
            self.embed(parts, "fasta", "--parts", 4, "--part", part, *files)
        self.assert_exit(run("merge", parts), DONE)
        same = ("activations", "tokens", "sentence", "document", "spans")
        self.assertEqual(self.rows(whole, *same), self.rows(parts, *same))

    def test_a_model_can_be_trained_on_proteins(self):
        path, valid = (self.write(f"{seed}.fa", fasta(proteins(60, seed))) for seed in (1, 2))
        model = self.folder / "trained"
        self.assert_exit(run("train", "--input-format", "fasta", "--preset", "tiny", "--steps", 2,
                             path, "--valid", valid, "-o", model), DONE)
        self.assertEqual(json.loads((model / "tokenizer.json").read_text())["name"], "residues")
        result = run("embed", "--model", model, "--input-format", "fasta", "--format", "jsonl", valid)
        self.assert_exit(result, DONE)
        self.assertNotIn(b"warning", result.stderr)

    def test_bad_records_are_named(self):
        self.assertIn("line 3: found a header without a sequence",
                      self.refused("fasta", ">a\nMK\n>b\n>c\nM\n"))
        self.assertIn("line 2: found '1' at byte 1 of a sequence", self.refused("fasta", ">a\nM1\n"))
        self.assertIn("line 1: found a sequence before the first header", self.refused("fasta", "MK\n"))
        self.assertIn("line 2: found 1 column; expected a word in column 3",
                      self.refused("vertical", "<s>\nword\n", "--word-column", 3))

    def test_a_treebank_as_a_vertical_corpus_has_its_tokens_and_vectors(self):
        words = ("Do", "n't", "<", "&amp;", "10 000", "<s>", "\"", "naïve", "R&D", "#")
        rows = ["# newdoc id = a & \"b\""]
        for number in range(60):
            chance = random.Random(number)
            chosen = chance.choices(words, k=chance.randint(1, 20))
            rows += [f"{at}\t{word}\t{word.lower()}\tX\t_\t_\t0\t_\t_\tSpaceAfter=No"
                     for at, word in enumerate(chosen, 1)] + [""]
            if number == 30:
                rows.append("# newdoc id = second")
        conllu = "\n".join([*rows, ""])
        one, two = self.folder / "one", self.folder / "two"
        self.embed(one, "conllu", self.write("a.conllu", conllu))
        self.embed(two, "vertical", self.write("a.vert", vertical(conllu)))
        same = ("activations", "tokens", "sentence", "document")
        self.assertEqual(self.rows(one, *same), self.rows(two, *same))
        for form, text in (("conllu", conllu), ("vertical", vertical(conllu))):
            self.assertEqual(self.sentences(form, text=text.encode())[-1]["document"], "second")
        lemmas = self.sentences("vertical", "--word-column", 3, text=vertical(conllu).encode())
        self.assertEqual(lemmas[0]["tokens"],
                         [row.split("\t")[2] for row in rows[1:1 + len(lemmas[0]["tokens"])]])

    @unittest.skipUnless(EWT.is_file(), "needs reference data")
    def test_a_real_treebank_has_the_same_tokens(self):
        conllu = EWT.read_text(encoding="utf-8")
        found = [[(s["document"], s["tokens"]) for s in self.sentences(form, text=text.encode())]
                 for form, text in (("conllu", conllu), ("vertical", vertical(conllu)))]
        self.assertEqual(found[0], found[1])

    def test_raw_text_that_is_neither_is_noted(self):
        for name, text, form, noun in (("p.txt", fasta(proteins(3)), "fasta", "FASTA"),
                                       ("v.txt", "<doc id=\"1\">\n<s>\nA\tx\nb\ty\nc\tz\nd\tx\n</s>\n",
                                        "vertical", "a vertical corpus")):
            path = self.write(name, text)
            told = run("tokenize", path).stderr.decode()
            self.assertIn(f"1 file of {noun} read as raw text", told)
            self.assertIn(f"such as {path}; the input format {form} of elmo embed", told)

    def test_the_word_column_is_one_of_vertical_corpora(self):
        result = run("tokenize", "--word-column", 2, text="a\n")
        self.assert_exit(result, USAGE)
        self.assertIn(b"--word-column makes sense only with --input-format vertical", result.stderr)


if __name__ == "__main__":
    unittest.main()
