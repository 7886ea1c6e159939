#!/usr/bin/env python3
"""`embed --resume` continues reading where the run stopped: what is long before is not read again."""

import gzip
import json
import shutil
import unittest

import shards
import tool
from tool import BAD_INPUT, DONE, english, run

# The first record is longer than what is compared before the position, and has no token.
LONG_RECORD = b'{"filler": "' + b"x" * (5 << 20) + b'", "text": ""}\n'


class ResumePosition(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = english(150_000).splitlines()
        cls.records = b"".join(json.dumps({"text": line.decode()}).encode() + b"\n" for line in lines)

    def setUp(self):
        super().setUp()
        self.output, self.whole = self.folder / "out", self.folder / "whole"

    def embed(self, path, output):
        return run("embed", "--quiet", "--model", self.model, "-o", output, "--shard-size", "512K",
                   "--resume", "--input-format", "jsonl", path)

    def embed_all(self, text, name="text.jsonl"):
        """Embeds a text, and makes of it a run that has stopped after two shards of many."""
        path = self.write(name, text)
        self.assert_exit(self.embed(path, self.whole), DONE)
        shutil.copytree(self.whole, self.output)
        manifest = json.loads((self.output / "manifest.json").read_text())
        self.assertGreater(len(manifest["shards"]), 4)
        for shard in manifest["shards"][2:]:
            (self.output / shard["file"]).unlink()
        del manifest["shards"][2:]
        manifest |= {"index": None, "complete": False}
        self.store(manifest)
        return path, manifest

    def store(self, manifest):
        (self.output / "manifest.json").write_text(json.dumps(manifest))

    def assert_goes_on(self, path):
        self.assert_exit(self.embed(path, self.output), DONE)
        self.assertIsNone(shards.difference(self.whole, self.output))
        self.assertEqual((self.whole / "manifest.json").read_text(),
                         (self.output / "manifest.json").read_text())

    def test_text_long_before_is_not_read_again(self):
        path, manifest = self.embed_all(LONG_RECORD + self.records)
        place = manifest["shards"][-1]["place"]
        self.assertGreaterEqual(place["byte"], len(LONG_RECORD))
        content = bytearray(path.read_bytes())
        content[:1] = b"X"  # no JSON now
        path.write_bytes(content)
        self.assert_goes_on(path)

    def test_a_change_shortly_before_is_noticed(self):
        path, manifest = self.embed_all(LONG_RECORD + self.records)
        content = bytearray(path.read_bytes())
        content[manifest["shards"][-1]["place"]["byte"] - 10] ^= 1
        path.write_bytes(content)
        result = self.embed(path, self.output)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("not those that are published", result.stderr.decode())

    def test_without_a_position_all_is_read_again(self):
        path, manifest = self.embed_all(self.records)
        for shard in manifest["shards"]:
            del shard["place"]
        self.store(manifest)
        self.assert_exit(self.embed(path, self.output), DONE)
        self.assertIsNone(shards.difference(self.whole, self.output))

    def test_a_position_that_cannot_be_is_refused(self):
        path, manifest = self.embed_all(self.records)
        for member, value in (("byte", 1 << 40), ("file", 7), ("line", 0), ("sentence", 1 << 40),
                              ("text_hash", "00"), ("input_hash", "00"), ("document", 1 << 40)):
            with self.subTest(member):
                changed = json.loads(json.dumps(manifest))
                changed["shards"][-1]["place"][member] = value
                self.store(changed)
                self.assert_exit(self.embed(path, self.output), BAD_INPUT)

    def test_compressed_files_are_read_from_their_beginning(self):
        path, manifest = self.embed_all(gzip.compress(self.records), "text.jsonl.gz")
        self.assertEqual(manifest["shards"][-1]["place"]["byte"], 0)
        self.assert_goes_on(path)


if __name__ == "__main__":
    unittest.main()
