#!/usr/bin/env python3
"""Runs in format 1, whose shards hold the tables of their sentences and documents: read by every command.

The runs in tests/fixtures/format-1.tar.gz were written by the last commit that wrote this format:

    elmo init --options options.json --seed 1 -o model    # tiny: one layer, projection_dim 2
    elmo embed --model model --input-format tokens --shard-size 150 a.txt b.txt -o run
    elmo embed --model model --input-format jsonl --parts 2 --part K records.jsonl -o merged
    elmo merge merged
    elmo embed --model model --input-format tokens --words bank --dtype int8 a.txt b.txt -o words
    elmo task train --kind tag --train train.conll --dev train.conll --model model --evaluations 1 \\
        --min-steps 2 --features features -o task
"""

import json
import os
import pathlib
import re
import shutil
import tarfile
import unittest

import h5py
import numpy
import shards
import tool
from tool import BAD_INPUT, DONE, STOPPED, run

FIXTURE = tool.TOP / "tests/fixtures/format-1.tar.gz"


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


class FormatOne(tool.ToolTest):
    def setUp(self):
        super().setUp()
        with tarfile.open(FIXTURE) as archive:
            archive.extractall(self.folder)
        # The texts are named as they were.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def date_forward(self, *folders):
        """Changes the version in the runs' manifests to this one, because runs of other versions
        are not continued."""
        version = run("--version").stdout.decode().split()[1]
        for folder in folders:
            self.change(self.folder / folder, tool_version=version)

    def change(self, folder, **components):
        """Changes components of a run's fingerprint, in its manifest and its shards."""
        path = folder / "manifest.json"
        described = manifest(folder)
        described["fingerprint"] |= components
        for listed in described["shards"]:
            with h5py.File(folder / listed["file"], "r+") as shard:
                for name, value in components.items():
                    shard.attrs[name] = value
            listed["bytes"] = (folder / listed["file"]).stat().st_size
        path.write_text(json.dumps(described))
        # The tool says what the checksums are now.
        text = path.read_text()
        for found, before in re.findall(r"checksum of the file is ([0-9a-f]{32}); expected ([0-9a-f]{32})",
                                        run("verify", folder).stderr.decode()):
            text = text.replace(before, found)
        path.write_text(text)

    def tool(self, *arguments, code=DONE):
        result = run(*arguments)
        self.assert_exit(result, code)
        return result.stdout.decode() + result.stderr.decode()

    def embed(self, *arguments, code=DONE):
        return self.tool("embed", "--model", "model", "--input-format", "tokens", "--shard-size",
                         150, "a.txt", "b.txt", *arguments, code=code)

    def test_the_fixture_is_of_format_1(self):
        for name in ("run", "merged", "words", "features/train"):
            described = manifest(self.folder / name)
            self.assertEqual(described["version"], 1, name)
            self.assertNotIn("tables", described["shards"][0])
        with h5py.File("run/shard-00001.h5") as shard:
            self.assertIn("sentences/offsets", shard)

    def test_info(self):
        described = json.loads(self.tool("info", "--json", "run"))
        self.assertEqual((described["sentences"], described["tokens"], described["complete"]),
                         (6, 21, True))
        self.assertIn("sentences/line", self.tool("info", "run/shard-00000.h5"))
        self.assertIn("elmo index", self.tool("info", "merged/index.h5"))

    def test_verify(self):
        for name in ("run", "merged", "words", "features/train"):
            self.assertIn("index.h5: ok", self.tool("verify", name))
        shard = self.folder / "run/shard-00000.h5"
        content = bytearray(shard.read_bytes())
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
        self.assertIn("shard-00000.h5: DAMAGED", self.tool("verify", "run", code=BAD_INPUT))

    def test_export(self):
        for name in ("run", "merged", "words"):
            self.tool("export", name, "--format", "npy", "--dtype", "float32", "-o", f"{name}.npy")
            with h5py.File(f"{name}/index.h5") as index:
                expected = index["activations"][:].astype("f4")
                if name == "words":
                    expected *= index["scales"][:][..., None]
                numpy.testing.assert_array_equal(numpy.load(f"{name}.npy"), expected)
                numpy.testing.assert_array_equal(numpy.load(f"{name}.offsets.npy"),
                                                 index["sentences/offsets"][:])

    def test_mix_writes_the_current_format(self):
        for name in ("run", "merged"):
            self.tool("mix", name, "--weights", "0,1", "-o", "mixed", "--overwrite")
            before, after = shards.contents(f"{name}/index.h5"), shards.contents("mixed/index.h5")
            self.assertEqual(manifest(self.folder / "mixed")["version"], 2)
            for path, values in before.items():
                if path != "activations":
                    self.assertEqual(after[path], values, path)
            self.tool("verify", "mixed")

    def test_merge(self):
        before = shards.contents("merged/index.h5")
        for name in ("manifest.json", "index.h5"):
            (self.folder / "merged" / name).unlink()
        self.tool("merge", "merged")
        self.assertEqual(shards.contents("merged/index.h5"), before)
        self.assertEqual(manifest(self.folder / "merged")["version"], 2)
        self.tool("verify", "merged")

    def test_neighbors(self):
        for name, expected in (
                ("run", [("a.txt", 1, "The [bank] was closed ."), ("a.txt", 3, "We sat on the [bank] ."),
                         ("b.txt", 1, "The river rose over the [bank] .")]),
                ("merged", [("1", 1, "One [bank] ."), ("second", 2, "A [bank] .")])):
            answer = json.loads(self.tool("neighbors", "--quiet", "--format", "jsonl", "--same-word",
                                          "--model", "model", "--corpus", name, "the [bank]"))
            self.assertEqual(sorted((one["file"], one["line"], one["sentence"])
                                    for one in answer["neighbors"]), expected)

    def test_features(self):
        before = {path: path.read_bytes() for path in self.folder.rglob("features/*/*")}
        text = self.tool("task", "train", "--kind", "tag", "--train", "train.conll", "--dev",
                         "train.conll", "--model", "model", "--evaluations", 1, "--min-steps", 2,
                         "--features", "features", "-o", "task")
        self.assertNotIn("embedded", text)
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("features/*/*")},
                         before)

    def test_a_complete_run_is_left_unchanged_and_gets_a_new_index(self):
        before = shards.contents("run/index.h5")
        content = (self.folder / "run/index.h5").read_bytes()
        self.date_forward("run")
        self.assertIn("is complete", self.embed("--resume", "-o", "run"))
        self.assertEqual((self.folder / "run/index.h5").read_bytes(), content)
        (self.folder / "run/index.h5").unlink()
        self.embed("--resume", "-o", "run")
        self.assertEqual(shards.contents("run/index.h5"), before)
        self.tool("verify", "run")

    def test_an_unfinished_run_is_not_continued(self):
        for name in ("run", "features/train"):
            described = manifest(self.folder / name)
            (self.folder / name / "manifest.json").write_text(json.dumps(described | {"index": None}))
        self.assertIn("an unfinished run in format 1",
                      self.embed("--resume", "-o", "run", code=BAD_INPUT))
        self.tool("verify", "run", code=STOPPED)
        self.embed("--overwrite", "-o", "run")
        self.assertEqual(manifest(self.folder / "run")["version"], 2)
        words = self.tool("task", "train", "--kind", "tag", "--train", "train.conll", "--dev",
                          "train.conll", "--model", "model", "--features", "features", "-o",
                          "task", code=BAD_INPUT)
        self.assertIn("an unfinished run in format 1", words)
        self.assertIn("remove features/train", words)

    def test_parts_of_both_formats_are_merged(self):
        for name in ("manifest.json", "index.h5"):
            (self.folder / "merged" / name).unlink()
        shutil.rmtree("merged/part-00001-of-00002")
        self.date_forward("merged/part-00000-of-00002")
        self.tool("embed", "--model", "model", "--input-format", "jsonl", "--parts", 2, "--part", 1,
                  "records.jsonl", "-o", "merged")
        # This program's ICU may be newer than the fixture's, which makes the same tokens of this text.
        parts = sorted(pathlib.Path("merged").glob("part-*/manifest.json"))
        second = json.loads(parts[1].read_text())
        self.change(parts[0].parent, tokenizer=second["fingerprint"]["tokenizer"])
        self.tool("merge", "merged")
        self.tool("verify", "merged")
        self.tool("embed", "--model", "model", "--input-format", "jsonl", "records.jsonl", "-o",
                  "whole")
        merged, whole = shards.contents("merged/index.h5"), shards.contents("whole/index.h5")
        self.assertEqual(whole.keys() - merged.keys(), {"document"})
        for path, values in merged.items():
            if path != "activations":  # of another CPU
                self.assertEqual(values, whole[path], path)


if __name__ == "__main__":
    unittest.main()
