#!/usr/bin/env python3
"""Messages about inputs that are empty, left out, or not UTF-8."""

import contextlib
import gzip
import io
import json
import lzma
import os
import pathlib
import pickle
import shutil
import sqlite3
import tarfile
import unittest
import zipfile

import tool
from tool import BAD_INPUT, DONE, run

FORMATS = ((), ("--lines",), ("--input-format", "tokens"), ("--input-format", "jsonl"),
           ("--input-format", "conllu"))


class Inputs(tool.ToolTest):
    def test_an_empty_input_has_no_sentence_in_any_format(self):
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

    def test_other_entries_of_a_folder_are_reported(self):
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

    def test_a_name_in_brackets_is_one_name(self):
        for name in ("a", "b", "[a,b]", "[]", "\x01[a]"):
            self.write(name, f"text of {name!r}\n")
        for name in ("[a,b]", "[]", "\x01[a]"):
            result = run("tokenize", "--input-format", "tokens", name, "a", cwd=self.folder)
            self.assert_exit(result, DONE)
            self.assertEqual(result.stdout.decode(), f"text of {name!r}\ntext of 'a'\n")
        for arguments in (("tokenize", "[no]"), ("[no]",), ("info", "[no]"),
                          ("perplexity", "--model=[no]", "a")):
            result = run(*arguments, cwd=self.folder)
            self.assertIn("[no]", result.stderr.decode())
            self.assertNotIn("x01", result.stderr.decode())

    def test_lines_have_the_tokens_of_text_without_a_warning(self):
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

    def test_files_that_are_not_text_are_refused_with_name_and_kind(self):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(self.write("long/" + "n" * 90, "One two.\n"), "n" * 90)
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("text", "One two.\n")
        database = self.folder / "database"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.execute("create table words (word)")
            connection.commit()
        kinds = {
            "tar archive": packed.getvalue(),
            "zip archive": zipped.getvalue(),
            "lzma data": lzma.compress(b"One two.\n", format=lzma.FORMAT_ALONE),
            "lz4 data": b"\x04\x22\x4d\x18\x64\x40\xa7",
            "gzip data that is compressed again": gzip.compress(gzip.compress(b"One.\n")),
            "JPEG image": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
            "PNG image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "GIF image": b"GIF89a\x10\0\x10\0\xf7\0\0\xff",
            "PDF document": b"%PDF-1.7\n%\xb5\xb5",
            "PostScript document": b"%!PS-Adobe-3.0\n",
            "RTF document": b"{\\rtf1\\ansi\\deff0 Hello.}\n",
            "HDF5 file": b"\x89HDF\r\n\x1a\n\0\0",
            "Parquet file": b"PAR1\x15\x04\x15",
            "SQLite database": database.read_bytes(),
            "executable file": pathlib.Path(tool.ELMO).read_bytes()[:1000],
            "Python pickle": pickle.dumps(["One", "two"], protocol=4),
        }
        self.write("folder/a", "One two.\n")
        for kind, content in kinds.items():
            path = self.write("folder/b", content)
            zipped_path = self.write("b.gz", gzip.compress(content))
            for arguments in FORMATS:
                for given in (path, path.parent, zipped_path):
                    with self.subTest(kind=kind, arguments=arguments, given=given):
                        result = run("tokenize", *arguments, given)
                        if given == path.parent and arguments[1:] in (("jsonl",), ("conllu",)):
                            continue  # the first file is none of these
                        self.assert_exit(result, BAD_INPUT)
                        said = result.stderr.decode()
                        self.assertIn(str(zipped_path if given == zipped_path else path), said)
                        self.assertIn(kind, said)

    def test_byte_order_marks_of_other_encodings_are_reported(self):
        for encoding in ("utf-16-le", "utf-16-be"):
            for text in ("One two.\n", "Привет, мир. 你好, 42!\n"):
                result = run("tokenize", text=text.encode(encoding))
                self.assert_exit(result, DONE)
                self.assertIn(f"iconv -f {encoding.upper()[:-3]}{encoding.upper()[-2:]} -t UTF-8",
                              result.stderr.decode())
        result = run("tokenize", text="a\0b\0\n")
        self.assertNotIn(b"iconv", result.stderr)
        joined = "\ufeffOne two\n\ufeffThree four\n"
        result = run("tokenize", "--input-format", "tokens", text=joined)
        self.assert_exit(result, DONE)
        self.assertIn(b"1 byte order mark (U+FEFF)", result.stderr)

    def test_a_vocabulary_without_words_to_train_with_is_refused(self):
        text = self.write("text", "One two.\n")
        for words, said in (("<S>\n</S>\n<UNK>\n\nOne\n", "word 4 is blank"),
                            (b"<S>\n</S>\n<UNK>\ncaf\xe9\n", "word 4 is not valid UTF-8")):
            vocabulary = self.write("vocabulary", words)
            result = run("train", text, "--valid", text, "--preset", "tiny", "--steps", 1,
                         "--vocab", vocabulary, "-o", self.folder / "out")
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(said, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
