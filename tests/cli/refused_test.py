#!/usr/bin/env python3
"""Commands that are refused before they have computed anything leave nothing, and do not touch what
was there."""

import os
import unittest

import tool
import training
from tool import BAD_INPUT, DONE, USAGE, english, run

CONLL = "We\tO\nsit\tO\n\nIn\tO\nSeoul\tLOC\n\n"


def tree(folder):
    """Every path below a folder, with the content of files and the time of their last change."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) if path.is_file() else None
            for path in folder.rglob("*")}


class RefusedCommands(training.TrainingTest):
    def setUp(self):
        super().setUp()
        self.inputs = self.folder / "inputs"
        self.inputs.mkdir()
        os.chdir(self.folder)

    def input(self, name, content):
        path = self.inputs / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def embeds(self):
        """Refused commands of embed, as their arguments, exit code and a word of the error."""
        text = self.input("a.txt", english(3000))
        model = ("--model", self.model)
        yield (("embed", *model, self.input("a.jsonl", '{"text": "One."}\n{"text": 1}\n'),
                "--input-format", "jsonl"), BAD_INPUT, "text")
        yield (("embed", *model, self.input("a.conllu", "1\tOne\t_\n"), "--input-format", "conllu"),
               BAD_INPUT, "conllu")
        yield ("embed", *model, self.input("bad.txt", b"One \xff.\n"), "--strict"), BAD_INPUT, "UTF-8"
        yield ("embed", *model, text, "--memory", 1), USAGE, "memory"
        yield ("embed", *model, text, self.folder / "missing.txt"), BAD_INPUT, "missing.txt"
        yield ("embed", *model, text, "--layers", "mix", "--mix-weights", "1,2"), USAGE, "weights"
        yield ("embed", "--model", self.inputs, text), BAD_INPUT, "inputs"

    def trainings(self):
        text = self.text
        options = ("--valid", self.valid, *self.shape)
        model = ("--options", self.options)
        for command, *more in (("train", *model), ("finetune", "--model", "elmo-tiny-en")):
            yield (command, *more, self.folder / "missing", *options), BAD_INPUT, "missing"
            yield (command, *more, self.input("empty", ""), *options), BAD_INPUT, "no token"
            yield (command, *more, text, *options, "--min-count", 10**6), BAD_INPUT, "vocabulary"
            yield ((command, *more, text, *options, "--vocab", self.input("words", "one\n")), BAD_INPUT,
                   "words")
            yield (command, *more, self.input("bad", b"\xff"), "--strict", *options), BAD_INPUT, "UTF-8"

    def tasks(self):
        good = self.input("good.conll", CONLL)
        for command in ("train", "compare"):
            task = ("task", command, "--kind", "tag", "--model", self.model)
            for bad, code in ((self.folder / "missing", BAD_INPUT), (self.input("empty", ""), BAD_INPUT),
                              (self.input("bad.conll", "We\n"), BAD_INPUT)):
                yield (*task, "--train", bad, "--dev", good), code, bad.name
                yield (*task, "--train", good, "--dev", bad), code, bad.name

    def others(self):
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "--layers", "top", "-o",
                             self.inputs / "top", text="One.\n"), DONE)
        yield ("mix", self.inputs / "top", "--weights", "1,2,3"), BAD_INPUT, "layers"
        yield ("init", "--options", self.input("o.json", '{"lstm": {"dim": 4, "projection_dim": 2}}')
               ), BAD_INPUT, "n_tokens_vocab"
        yield ("convert", self.model, "--vocab", self.input("words", "one\n")), BAD_INPUT, "words"

    def refused(self):
        for commands in (self.embeds, self.trainings, self.tasks, self.others):
            yield from commands()

    def test_nothing_is_left(self):
        for command, code, word in self.refused():
            with self.subTest(command[:2], command=" ".join(map(str, command))):
                before = tree(self.folder)
                result = run(*command, "-o", "a/b/c")
                self.assert_exit(result, code)
                self.assertIn(word, result.stderr.decode())
                self.assertEqual(tree(self.folder), before)

    def test_what_was_there_stays(self):
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "-o", "run", text="One.\n"), DONE)
        self.assert_exit(self.train("trained", "--steps", 3), DONE)
        for command, code, _ in self.refused():
            if command[0] in ("init", "convert"):
                continue
            output = "trained" if command[0] in ("train", "finetune") else "run"
            if command[0] == "task":
                output = "others"
                (self.folder / output).mkdir(exist_ok=True)
                (self.folder / output / "notes.txt").write_text("mine")
            with self.subTest(command[:2], command=" ".join(map(str, command))):
                before = tree(self.folder)
                self.assert_exit(run(*command, "-o", output, "--overwrite"), code)
                self.assertEqual(tree(self.folder), before)

    def test_a_text_that_is_refused_does_not_replace_that_of_the_run(self):
        def train(text, *arguments):
            return run("train", "-", "--valid", self.valid, "--options", self.options, *self.shape,
                       "--steps", 5, "-o", self.output, *arguments, text=text)

        self.assert_exit(train("Gamma delta.\n", "--max-steps", 2), tool.STOPPED)
        before = tree(self.output)
        self.assert_exit(train("Gamma delta.\n", "--resume", "--locale", "de"), BAD_INPUT)
        self.assertEqual(tree(self.output), before)
        self.assert_exit(train("", "--resume"), DONE)

    def test_a_corrected_command_runs(self):
        bad = self.input("a.jsonl", '{"text": "One."}\n{"text": 1}\n')
        command = ("embed", "--quiet", "--model", self.model, bad, "--input-format", "jsonl", "-o", "out")
        self.assert_exit(run(*command), BAD_INPUT)
        bad.write_text('{"text": "One."}\n{"text": "1"}\n')
        self.assert_exit(run(*command), DONE)


if __name__ == "__main__":
    unittest.main()
