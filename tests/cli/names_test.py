#!/usr/bin/env python3
"""File names that are not UTF-8 become text in every output, by one rule. Control characters in
names do not reach the terminal."""

import json
import os
import unittest
import zipfile

import tool
from tool import DONE, run

try:
    import h5py
except ImportError:
    h5py = None

NAME = "na\udcefve \udcff\udcfe größe.txt"  # as Python spells the bytes ef, ff and fe
ESCAPED = r"na\xefve \xff\xfe größe.txt"


class Names(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.path = os.fsencode(self.folder) + b"/" + os.fsencode(NAME)
        try:
            with open(self.path, "wb") as file:
                file.write(b"One sentence.\n")
        except OSError:
            self.skipTest("this file system takes no such names")
        self.expected = os.fsencode(self.path).decode("utf-8", "backslashreplace")
        self.assertTrue(self.expected.endswith(ESCAPED))

    def embed(self, *arguments):
        # In bytes, because the name is not text.
        result = run("embed", "--model", self.model, *arguments, os.fsdecode(self.path))
        self.assert_exit(result, DONE)
        return result

    def test_jsonl_names_the_document(self):
        lines = self.embed("--format", "jsonl").stdout.decode().splitlines()
        self.assertEqual(json.loads(lines[0])["document"], self.expected)

    def test_shards_name_the_document_and_the_input(self):
        output = self.folder / "out"
        self.embed("-o", output)
        self.assert_exit(run("verify", output), DONE)
        manifest = json.loads((output / "manifest.json").read_text())
        self.assertIn(self.expected, manifest["fingerprint"]["input"])
        self.embed("-o", output, "--resume")
        if h5py is None:
            self.skipTest("h5py is not installed")
        for name in ("tables-00000.h5", "index.h5"):
            with h5py.File(output / name, "r") as file:
                self.assertEqual(list(file["documents/id"].asstr()), [self.expected])
        for name in ("shard-00000.h5", "index.h5"):
            with h5py.File(output / name, "r") as file:
                self.assertIn(self.expected, file.attrs["input"])

    def test_messages_contain_no_control_characters(self):
        name = "red\x1b[31m\r\b\x9b.zip"
        missing = run("tokenize", self.folder / name)
        archive = self.folder / "model.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("\x1b[2Jweights.hdf5", b"")
        for result in (missing, run("info", archive), run(name)):
            with self.subTest(result.args[1:]):
                message = result.stderr.decode()
                self.assertNotRegex(message, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        self.assertIn(r"red\x1b[31m\x0d\x08\xc2\x9b.zip: no such file", missing.stderr.decode())


if __name__ == "__main__":
    unittest.main()
