#!/usr/bin/env python3
"""Files of versions since 0.8 are read, verified and continued.

The programs of these versions wrote tests/fixtures/0.8.tar.xz, 0.9.tar.xz and 1.0.tar.xz, with a.txt,
b.txt, records.jsonl, train.conll and options.json (an LSTM of 4 cells) in the working directory:

    elmo init --options options.json --seed 1 -o model
    elmo embed --model model --input-format tokens --shard-size 300 a.txt b.txt -o run
    (the same)                               -o unfinished   # killed after the second shard
    elmo embed --model model --input-format jsonl --parts 2 --part K records.jsonl -o merged
    elmo merge merged
    elmo embed --model model --input-format tokens --words bank --dtype int8 a.txt b.txt -o words
    elmo train a.txt --valid b.txt --options options.json --input-format tokens --batch 2 --unroll 5 \\
        --samples 4 --steps 6 --checkpoint-every 2 --keep 1 --seed 1 --max-steps 3 -o training
    elmo task train --kind tag --train train.conll --dev train.conll --model model --evaluations 2 \\
        --min-steps 2 --batch 1 --word-dim 2 --hidden 2 --char-filters 2 --features features -o task
    (the same)                               --max-steps 1 -o stopped
"""

import json
import os
import pathlib
import re
import sys
import tarfile
import unittest

import h5py
import numpy
import shards
import tool
import training
from tool import BAD_INPUT, DONE, ELMO, STOPPED, run

os.environ["ELMO_PROGRAM"] = str(pathlib.Path(ELMO).resolve())
sys.path.insert(0, str(tool.TOP / "cli/python"))
import elmo  # noqa: E402 (needs the path)

EMBED = ("embed", "--model", "model", "--input-format", "tokens", "--shard-size", 300, "a.txt", "b.txt")
TRAIN = ("train", "a.txt", "--valid", "b.txt", "--options", "options.json", "--input-format", "tokens",
         "--threads", 1, "--batch", 2, "--unroll", 5, "--samples", 4, "--steps", 6,
         "--checkpoint-every", 2, "--keep", 1, "--seed", 1)
TASK = ("task", "train", "--kind", "tag", "--train", "train.conll", "--dev", "train.conll", "--model",
        "model", "--features", "features", "--evaluations", 2, "--min-steps", 2, "--batch", 1,
        "--word-dim", 2, "--hidden", 2, "--char-filters", 2, "--threads", 1)


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


class OldVersion:
    """The tests of one version; this program may run on another CPU, so numbers are nearly equal."""

    version = None

    def setUp(self):
        super().setUp()
        with tarfile.open(tool.TOP / f"tests/fixtures/{self.version}.tar.xz") as archive:
            archive.extractall(self.folder)
        # The texts are named as they were.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def tool(self, *arguments, code=DONE):
        result = run(*arguments)
        self.assert_exit(result, code)
        return result.stdout.decode() + result.stderr.decode()

    def assert_close(self, found, expected):
        numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)

    def test_info(self):
        described = json.loads(self.tool("info", "--json", "run"))
        self.assertEqual((described["sentences"], described["tokens"], described["complete"]), (6, 30, True))
        for path in ("model", "task", "training", "merged/index.h5", "run/shard-00000.h5"):
            self.tool("info", path)

    def test_verify(self):
        for name in ("run", "merged", "words", "features/train"):
            self.assertIn("index.h5: ok", self.tool("verify", name))
        self.tool("verify", "unfinished", code=STOPPED)
        shard = self.folder / "run/shard-00000.h5"
        content = bytearray(shard.read_bytes())
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
        self.assertIn("shard-00000.h5: DAMAGED", self.tool("verify", "run", code=BAD_INPUT))

    def test_the_model_computes_what_the_run_holds(self):
        self.tool(*EMBED, "-o", "now")
        before, after = shards.contents("run/index.h5"), shards.contents("now/index.h5")
        self.assertEqual(before.keys(), after.keys())
        for path, values in before.items():
            if path != "activations":
                self.assertEqual(after[path], values, path)
        self.assert_close(shards.vectors(self.folder / "now"), shards.vectors(self.folder / "run"))

    def test_export_and_mix(self):
        for name in ("run", "merged", "words"):
            self.tool("export", name, "--format", "npy", "--dtype", "float32", "-o", f"{name}.npy")
            with h5py.File(f"{name}/index.h5") as index:
                expected = index["activations"][:].astype("f4")
                if name == "words":
                    expected *= index["scales"][:][..., None]
            numpy.testing.assert_array_equal(numpy.load(f"{name}.npy"), expected)
        for name in ("run", "merged"):
            self.tool("mix", name, "--weights", "0,1", "-o", "mixed", "--overwrite")
            self.tool("verify", "mixed")

    def test_the_python_package_opens_runs(self):
        for name in ("run", "merged", "words"):
            found = elmo.open(name)
            with h5py.File(f"{name}/index.h5") as index:
                self.assertEqual([token for sentence in found for token in sentence.tokens],
                                 index["tokens"].asstr()[:].tolist())
            found.verify()

    def test_merge(self):
        before = shards.contents("merged/index.h5")
        for name in ("manifest.json", "index.h5"):
            (self.folder / "merged" / name).unlink()
        self.tool("merge", "merged")
        self.assertEqual(shards.contents("merged/index.h5"), before)

    def test_neighbors(self):
        answer = json.loads(self.tool("neighbors", "--quiet", "--format", "jsonl", "--same-word",
                                      "--model", "model", "--corpus", "run", "the [bank]"))
        self.assertEqual(sorted((one["file"], one["line"], one["sentence"]) for one in answer["neighbors"]),
                         [("a.txt", 1, "The [bank] was closed ."), ("a.txt", 2, "We sat on the [bank] ."),
                          ("b.txt", 1, "The river rose over the [bank] ."),
                          ("b.txt", 3, "The [bank] opened again .")])

    def test_a_run_is_continued(self):
        self.tool(*EMBED, "-o", "now")
        published = len(manifest(self.folder / "unfinished")["shards"])
        self.assertEqual(published, 2)
        kept = (self.folder / "unfinished/shard-00001.h5").read_bytes()
        self.tool(*EMBED, "--resume", "-o", "unfinished")
        self.assertEqual((self.folder / "unfinished/shard-00001.h5").read_bytes(), kept)
        self.tool("verify", "unfinished")
        before, after = shards.contents("now/index.h5"), shards.contents("unfinished/index.h5")
        for path, values in before.items():
            if path != "activations":
                self.assertEqual(after[path], values, path)
        self.assert_close(shards.vectors(self.folder / "unfinished"), shards.vectors(self.folder / "now"))

    def test_a_training_is_continued(self):
        self.tool(*TRAIN, "-o", "now")
        self.assertIn("step 3", self.tool(*TRAIN, "--resume", "-o", "training"))
        for found, expected in zip(training.validations("training"), training.validations("now"),
                                   strict=True):
            self.assertEqual(found["step"], expected["step"])
            self.assert_close(found["valid_perplexity"], expected["valid_perplexity"])
        self.tool("embed", "--model", "training", "--input-format", "tokens", "a.txt", "-o", "own")

    def test_a_task_is_continued(self):
        self.tool(*TASK, "-o", "now")
        self.tool(*TASK, "--resume", "-o", "stopped")
        records = [training.records(folder) for folder in ("stopped", "now")]
        self.assertEqual(len(records[0]), 2)
        for found, expected in zip(*records, strict=True):
            self.assert_close(found["loss"], expected["loss"])

    def test_a_task_is_applied(self):
        scores = json.loads(self.tool("task", "evaluate", "--json", "--quiet", "task", "train.conll",
                                      "--model", "model"))
        self.assertIn("accuracy", json.dumps(scores))
        found = self.tool("task", "predict", "--quiet", "task", "train.conll", "--model", "model")
        self.assertEqual(len(re.findall(r"\b(?:DET|NOUN|VERB|PUNCT|PRON|ADP)\b", found)), 10, found)


class Version08(OldVersion, tool.ToolTest):
    version = "0.8"


class Version09(OldVersion, tool.ToolTest):
    version = "0.9"


class Version10(OldVersion, tool.ToolTest):
    version = "1.0"


if __name__ == "__main__":
    unittest.main()
