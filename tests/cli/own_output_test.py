#!/usr/bin/env python3
"""Outputs among the inputs, or equal to an input: output files are never read as text, and input
files are never replaced."""

import json
import pathlib
import shutil
import subprocess
import unittest

import tool
import training
from tool import DONE, ELMO, STOPPED, USAGE, english, run


def sentences(folder):
    """The number of sentences in a run."""
    return json.loads(run("info", "--json", folder).stdout)["sentences"]


class PlantedLinks(tool.ToolTest):
    """Links planted under the names of unfinished files."""

    def setUp(self):
        super().setUp()
        self.text = self.write("in.txt", english(3000))
        self.precious = self.write("precious", "kept")
        self.run = self.folder / "run"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, self.text, "-o", self.run),
                         DONE)

    def check(self, path, *arguments):
        for plant in (path.symlink_to, path.hardlink_to):
            with self.subTest(arguments[:2], path=path.name, link=plant.__name__):
                plant(self.precious)
                self.assert_exit(run(*arguments), DONE)
                self.assertEqual(self.precious.read_bytes(), b"kept")
                self.assertFalse(path.exists())

    def test_the_outputs_of_a_run_are_not_followed(self):
        for form, suffixes in (("npy", ("", ".offsets")), ("safetensors", ("",))):
            for suffix in suffixes:
                self.check(self.folder / f"out{suffix}.{form}.unfinished", "export", self.run,
                           "--quiet", "--format", form, "-o", self.folder / f"out.{form}",
                           "--overwrite")
        embed = ("embed", "--quiet", "--model", self.model, self.text, "--overwrite", "-o")
        self.check(self.folder / "words.txt.unfinished", *embed, self.folder / "words.txt",
                   "--average-words")
        self.check(self.folder / "all.hdf5.unfinished", *embed, self.folder / "all.hdf5",
                   "--layout", "allennlp")
        for name in (".elmo.lock", "manifest.json.unfinished", "shard-00000.h5.unfinished"):
            self.check(self.run / name, *embed, self.run)


class StandardOutput(tool.ToolTest):
    """A file that a shell opened as standard output."""

    def elmo(self, *arguments, mode="wb", stdin=subprocess.DEVNULL):
        with open(self.folder / "in/out", mode) as output:
            return subprocess.run([ELMO, *map(str, arguments)], stdin=stdin, stdout=output,
                                  stderr=subprocess.PIPE, cwd=self.folder / "in")

    def test_the_output_is_not_read(self):
        self.write("in/a.txt", english(3000))
        for arguments in (("tokenize",), ("embed", "--format", "jsonl", "--layers", "top")):
            with self.subTest(arguments):
                expected = run(*arguments, "--model", self.model, self.folder / "in/a.txt")
                told = self.elmo(*arguments, "--model", self.model, ".")
                self.assertEqual(told.returncode, expected.returncode, told.stderr)
                self.assertNotIn(b"empty file", told.stderr)
                self.assertEqual(len((self.folder / "in/out").read_bytes().splitlines()),
                                 len(expected.stdout.splitlines()))
                refused = self.elmo(*arguments, "--model", self.model, "out", mode="ab")
                self.assertEqual(refused.returncode, USAGE)
                self.assertIn(b"out: found as input and as output", refused.stderr)
                with open(self.folder / "in/out", "rb") as text:
                    refused = self.elmo(*arguments, "--model", self.model, mode="ab", stdin=text)
                self.assertEqual(refused.returncode, USAGE)
                self.assertIn(b"standard input: found as input and as output", refused.stderr)


class AmongTheInputs(training.TrainingTest):
    def setUp(self):
        super().setUp()
        self.input = self.write("in/a.txt", "One two. Three!\n").parent
        self.write("in/deep/b.txt", "Four five.\n")
        self.output = self.input / "vectors"

    def embed(self, *arguments, output=None, inputs=None):
        result = run("embed", "--quiet", "--model", self.model, *(inputs or [self.input]), "-o",
                     output or self.output, *arguments)
        self.assert_exit(result, DONE)

    def test_a_run_is_resumed_and_replaced_with_the_same_text(self):
        link = self.input / "link"
        for output in (self.output, link):
            if output == link:
                link.symlink_to("vectors")
                shutil.rmtree(self.output)
                self.output.mkdir()
            self.embed(output=output)
            for more in ("--resume", "--overwrite", "--resume"):
                with self.subTest(output=output, more=more):
                    self.embed(more, output=output)
                    self.assertEqual(sentences(self.output), 3)
        result = run("embed", "--quiet", "--model", self.model, ".", "-o", "vectors", "--overwrite",
                     cwd=self.input)
        self.assert_exit(result, DONE)
        self.assertEqual(sentences(self.output), 3)

    def test_parts_share_the_text_whatever_was_written(self):
        self.write("in/c.txt", english(3000))
        self.embed(output=self.folder / "whole")
        for part in range(3):
            self.embed("--parts", 3, "--part", part)
        self.embed("--parts", 3, "--part", 1, "--resume")
        self.assert_exit(run("merge", self.output), DONE)
        self.assertEqual(sentences(self.output), sentences(self.folder / "whole"))

    def test_a_file_is_replaced_with_the_same_text(self):
        output = self.input / "vectors.txt"
        self.embed("--average-words", output=output)
        words = output.read_bytes()
        self.embed("--average-words", "--overwrite", output=output)
        self.assertEqual(output.read_bytes(), words)

    def test_leftovers_of_a_killed_run_are_not_read(self):
        for name, more in (("vectors.txt", ("--average-words",)),
                           ("all.hdf5", ("--layout", "allennlp"))):
            self.embed(*more, output=self.folder / name)
            for left in (f"{name}.unfinished", f"{name}@host-1.unfinished"):
                self.write(f"in/{left}", "left over ")
            self.embed(*more, output=self.input / name)
            self.assertEqual((self.input / name).stat().st_size,
                             (self.folder / name).stat().st_size)
            for path in self.input.glob("*.unfinished"):
                path.unlink()
            (self.input / name).unlink()

    def test_training_continues_and_starts_over(self):
        shutil.copy(self.text, self.input)
        arguments = ("train", "--quiet", self.input, "--valid", self.input, "--options",
                     self.options, *self.shape, "--steps", 4, "-o", self.input / "model")
        self.assert_exit(run(*arguments, "--max-steps", 2), STOPPED)
        for more in ("--resume", "--overwrite"):
            self.assert_exit(run(*arguments, more), DONE)

    def test_an_input_is_not_an_output(self):
        before = (self.input / "a.txt").read_bytes()
        for path, more in ((self.input, ()), (self.input / "a.txt", ("--average-words",)),
                           (self.input / "a.txt", ("--layout", "allennlp"))):
            with self.subTest(path=path, more=more):
                result = run("embed", "--model", self.model, path, "-o", path, "--overwrite", *more)
                self.assert_exit(result, USAGE)
                self.assertIn("found as input and as output", result.stderr.decode())
        self.assertEqual((self.input / "a.txt").read_bytes(), before)


class WhatIsRead(tool.ToolTest):
    def refuse(self, kept, *arguments):
        before = pathlib.Path(kept).read_bytes()
        result = run(*arguments)
        self.assert_exit(result, USAGE)
        self.assertIn("-o: " if "-o" in arguments else "--predict: ", result.stderr.decode())
        self.assertEqual(pathlib.Path(kept).read_bytes(), before)

    def test_an_export_stays_outside_of_the_run(self):
        text = self.write("text.txt", "One two.\n")
        vectors = self.folder / "vectors"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, text, "-o", vectors), DONE)
        link = self.folder / "link"
        link.symlink_to("vectors")
        for name in ("shard-00000.h5", "index.h5", "manifest.json"):
            for folder in (vectors, link):
                with self.subTest(name=name, folder=folder):
                    self.refuse(vectors / name, "export", vectors, "--format", "npy", "-o",
                                folder / name, "--overwrite")
        self.assert_exit(run("export", vectors, "--format", "npy", "-o",
                             self.folder / "vectors.npy"), DONE)

    def test_predictions_and_pictures_replace_no_data(self):
        data = self.write("data.jsonl", "{}\n")
        link = self.folder / "link"
        link.symlink_to("data.jsonl")
        senses = ("senses", "--model", self.model, "--train", data, "--test", data)
        probe = ("probe", "--model", self.model, "--train", data, "--dev", data)
        for path in (data, link):
            self.refuse(data, *senses, "--predict", path)
            self.refuse(data, *probe, "-o", path)

    def test_vectors_replace_neither_model_nor_words(self):
        words = self.write("words.txt", "One\n")
        text = self.write("text.txt", "One two.\n")
        self.refuse(words, "embed", "--model", self.model, text, "--words", words,
                    "--average-words", "-o", words, "--overwrite")
        weights = self.model / "weights.hdf5"
        for model in (("--options", self.model / "options.json", "--weights", weights),
                      ("--model", self.model)):
            self.refuse(weights, "embed", *model, text, "--layout", "allennlp", "-o", weights,
                        "--overwrite")
        self.refuse(self.model / "options.json", "embed", "--model", self.model, text,
                    "--average-words", "--format", "word2vec-text", "-o",
                    self.model / "options.json", "--overwrite")
        folder = run("embed", "--model", self.model, text, "-o", self.model, "--overwrite")
        self.assert_exit(folder, USAGE)
        self.assertIn("choose another", folder.stderr.decode())

    def test_curves_replace_no_log(self):
        log = self.write("run/progress.jsonl", "{}\n")
        self.refuse(log, "plot", log.parent, "-o", log)


if __name__ == "__main__":
    unittest.main()
