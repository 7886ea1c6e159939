#!/usr/bin/env python3
"""Errors name the option that helps."""

import json
import os
import re
import resource
import shutil
import unittest
import zipfile

import tool
from tool import BAD_INPUT, DONE, FAILURE, OPTIONS, USAGE, run


class Remedies(tool.ToolTest):
    def embed(self, *arguments, model=None, text="One sentence.\n"):
        return run("embed", "--quiet", "--model", model or self.model, *arguments, text=text)

    def assert_advice(self, result, code, *options):
        self.assert_exit(result, code)
        message = result.stderr.decode()
        for option in options:
            self.assertIn(option, message)

    def test_a_folder_with_other_files(self):
        self.write("out/letter.txt", "Dear reader")
        result = self.embed("-o", self.folder / "out")
        self.assert_advice(result, USAGE, "letter.txt", "with --overwrite")

    def test_a_folder_with_a_run(self):
        output = self.folder / "out"
        self.assert_exit(self.embed("-o", output), DONE)
        self.assert_advice(self.embed("-o", output), USAGE, "--resume", "--overwrite")
        result = self.embed("-o", output, "--resume", "--layers", "top")
        self.assert_advice(result, BAD_INPUT, "layers", "start again with --overwrite")

    def test_a_folder_with_a_run_that_is_not_in_parts(self):
        output = self.folder / "out"
        self.assert_exit(self.embed("-o", output), DONE)
        text = self.write("text.txt", "One.\n")
        result = self.embed("-o", output, "--parts", 2, "--part", 0, "--overwrite", text)
        self.assert_advice(result, USAGE, "not in parts; choose another folder")
        self.assertNotIn("--overwrite", result.stderr.decode())

    def test_an_existing_file(self):
        output = self.write("out.hdf5", "")
        result = self.embed("-o", output, "--layout", "allennlp")
        self.assert_advice(result, USAGE, "out.hdf5 exists", "replace it with --overwrite")

    def test_text_that_is_not_utf8(self):
        text = self.write("text.txt", b"caf\xe9\n")
        result = self.embed("-o", self.folder / "out", "--strict", text)
        self.assert_advice(result, BAD_INPUT, "expected UTF-8; ", "without --strict")

    def test_a_malformed_record(self):
        text = self.write("text.jsonl", "{]\n")
        result = self.embed("-o", self.folder / "out", "--input-format", "jsonl", text)
        self.assert_advice(result, BAD_INPUT, "text.jsonl", "with --skip-bad-records")

    def test_a_folder_with_two_models(self):
        models = self.folder / "models"
        models.mkdir()
        for name in ("a", "b"):
            for part in ("options.json", "weights.hdf5"):
                shutil.copy(self.model / part, models / f"{name}_{part}")
        result = self.embed("-o", self.folder / "out", model=models)
        self.assert_advice(result, BAD_INPUT, "a_options.json with a_weights.hdf5",
                           "with --options and --weights")

    def test_a_word_level_model_without_its_vocabulary(self):
        options = json.loads(json.dumps(OPTIONS))
        del options["char_cnn"]
        options["n_tokens_vocab"] = 3
        model = self.folder / "words"
        options = self.write("options.json", json.dumps(options))
        self.assert_exit(run("init", "--options", options, "-o", model), DONE)
        result = self.embed("-o", self.folder / "out", model=model)
        self.assert_advice(result, USAGE, "vocabulary", "--vocab FILE")

    def test_temporary_files_that_cannot_be_written_are_reported_with_their_folder(self):
        archive = self.folder / "model.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.write(self.model / "options.json", "options.json")
            file.write(self.model / "weights.hdf5", "weights.hdf5")
        missing = self.folder / "missing"
        environment = {**os.environ, "TMPDIR": str(missing)}
        for arguments in (("info", archive),
                          ("embed", "--model", self.model, "--dry-run", "-o", self.folder / "out")):
            with self.subTest(arguments[0]):
                result = run(*arguments, text="One.\n", env=environment)
                self.assert_advice(result, FAILURE, f"to {missing}: No such file", "set TMPDIR to")


class OutOfMemory(tool.ToolTest):
    def test_long_input_is_quoted_in_part(self):
        long = "ü" * 5000
        words = self.write("words.txt", f"<S>\n</S>\n<UNK>\n{long}\n{long}\n")
        deep = self.write("deep.json", json.dumps({"name": "ud", "rules": 1, long: 1}))
        config = self.write("options.json", json.dumps({"lstm": {long: {}}, "char_cnn": 3}))
        labels = self.write("labels.conll", f"a\tB-{long[:500]}\n\nb\tI-{long[:500]}\n")
        for arguments in (("convert", self.model, "--vocab", words, "-o", self.folder / "words"),
                          ("init", "--options", config, "-o", self.folder / "other"),
                          ("tokenize", "--tokenizer", long), ("tokenize", "--locale", long),
                          ("tokenize", "--format", long), ("tokenize", "--" + "x" * 5000),
                          (long,), ("neighbors", long, deep),
                          ("task", "train", "--kind", "tag", "--train", labels, "--dev", labels,
                           "--model", self.model, "-o", self.folder / "task")):
            with self.subTest(arguments[:2]):
                result = run(*arguments, text="x")
                self.assertIn(result.returncode, (USAGE, BAD_INPUT))
                message = result.stderr.decode().replace(str(self.folder), "")
                self.assertLess(len(max(message.split("'"), key=len)), 700)

    def test_advice_names_only_options_of_the_command(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (limited, limited))

        large = self.folder / "large"
        self.assert_exit(run("init", "--preset", "small", "-o", large), DONE)
        text = self.write("text.txt", "One two.\n" * 1000)
        for command in (("embed", "--format", "jsonl", "--model", large, text),
                        ("tokenize", text), ("info", large),
                        ("perplexity", "--model", large, text)):
            advised = set()
            for limited in range(64 << 20, 512 << 20, 16 << 20):
                result = run(*command, preexec_fn=limit)
                if b"out of memory" in result.stderr:
                    self.assert_exit(result, FAILURE)
                    advised |= set(re.findall(r"--[a-z-]+", result.stderr.decode()))
            offered = set(re.findall(r"--[a-z-]+", run(command[0], "--help").stdout.decode()))
            self.assertLessEqual(advised, offered, command[0])


if __name__ == "__main__":
    unittest.main()
