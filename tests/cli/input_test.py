#!/usr/bin/env python3
"""What is said of inputs that are empty, left out, or no UTF-8."""

import json
import os
import shutil
import unittest

import tool
from tool import BAD_INPUT, DONE, run

FORMATS = ((), ("--lines",), ("--input-format", "tokens"), ("--input-format", "jsonl"),
           ("--input-format", "conllu"))


class Inputs(tool.ToolTest):
    def test_an_empty_input_has_no_sentence_whatever_the_format(self):
        empty = self.write("empty", "")
        for arguments in FORMATS:
            with self.subTest(arguments=arguments):
                for name in ("-", empty):
                    result = run("tokenize", "--format", "jsonl", *arguments, name)
                    self.assert_exit(result, DONE)
                    self.assertEqual(result.stdout, b"")
                    self.assertIn(b"1 empty file", result.stderr)
                result = run("embed", "--model", self.model, "--format", "jsonl", *arguments)
                self.assert_exit(result, DONE)
                self.assertEqual(result.stdout, b"")

    def test_what_a_folder_holds_beside_files_is_said(self):
        self.write("in/text", "One two.")
        elsewhere = self.write("elsewhere/more", "Three.").parent
        os.mkfifo(self.folder / "in" / "fifo")
        (self.folder / "in" / "link").symlink_to(elsewhere)
        (self.folder / "in" / "loop").symlink_to(self.folder / "in")
        result = run("tokenize", self.folder / "in")
        self.assert_exit(result, DONE)
        self.assertEqual(result.stdout, b"Three .\nOne two .\n")
        (self.folder / "in" / "dangling").symlink_to("nowhere")
        more = run("tokenize", self.folder / "in").stderr.decode()
        self.assertIn("2 entries of folders left out", more)
        self.assertIn(f"1 entry of folders left out, neither a file nor a folder, such as "
                      f"{self.folder / 'in' / 'fifo'}", result.stderr.decode())

    def test_lines_have_the_tokens_of_text_and_no_warning(self):
        shipped = tool.TOP / "cli/models/elmo-tiny-en/tokenizer.json"
        model = self.folder / "model"
        shutil.copytree(self.model, model)
        for name in ("icu", "icu-lines"):
            described = {**json.loads(shipped.read_text()), "name": name}
            self.write("model/tokenizer.json", json.dumps(described))
            for arguments, warns in (((), False), (("--lines",), False),
                                     (("--input-format", "tokens"), True)):
                with self.subTest(name=name, arguments=arguments):
                    result = run("embed", "--model", model, "--format", "jsonl", *arguments,
                                 text="One two.\n")
                    self.assert_exit(result, DONE)
                    self.assertEqual(b"tokens of another kind" in result.stderr, warns)

    def test_utf_16_is_refused_with_the_command_that_converts_it(self):
        path = self.write("text", "One two.\n".encode("utf-16"))
        for arguments in FORMATS:
            result = run("tokenize", *arguments, path)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("iconv -f UTF-16 -t UTF-8", result.stderr.decode())

    def test_a_vocabulary_of_no_words_to_train_with_is_refused(self):
        text = self.write("text", "One two.\n")
        for words, said in (("<S>\n</S>\n<UNK>\n\nOne\n", "word 4 is blank"),
                            (b"<S>\n</S>\n<UNK>\ncaf\xe9\n", "word 4 is no valid UTF-8")):
            vocabulary = self.write("vocabulary", words)
            result = run("train", text, "--valid", text, "--preset", "tiny", "--steps", 1,
                         "--vocab", vocabulary, "-o", self.folder / "out")
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(said, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
