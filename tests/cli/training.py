"""Shared by the tests of training: an architecture that learns quickly, and small texts."""

import json
import pathlib
import random

from tool import DONE, ToolTest, english, run

OPTIONS = {
    "lstm": {"dim": 32, "projection_dim": 16, "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
             "use_skip_connections": True},
    "char_cnn": {"activation": "relu", "embedding": {"dim": 4}, "filters": [[1, 8], [2, 16]],
                 "n_highway": 1, "n_characters": 262, "max_characters_per_token": 20},
}

# Every step of a run of this size takes about a millisecond.
SHAPE = ("--batch", 4, "--unroll", 5, "--samples", 64)
ONE_THREAD = ("--threads", 1)


def memorable(sentences=20, seed=5):
    """Sentences of a few made-up words, each word in only a few of them."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 7)))
             for _ in range(60)]
    return "\n".join(" ".join(chance.sample(words, chance.randint(4, 9)))
                     for _ in range(sentences)) + "\n"


def records(folder):
    """The records of a run without members that differ between interrupted and uninterrupted
    runs."""
    lines = (pathlib.Path(folder) / "progress.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"}
            for line in lines]


def validations(folder):
    return [record for record in records(folder) if "valid_perplexity" in record]


def computes_bfloat16():
    """True if this CPU has the instructions for it."""
    return b"bfloat16" in run("info").stdout


def checkpoints(folder):
    return sorted(path.name for path in (pathlib.Path(folder) / "checkpoints").glob("step-*.h5"))


class TrainingTest(ToolTest):
    """A test with an architecture and two texts, the same for all tests of the class."""

    shape = (*SHAPE, *ONE_THREAD)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.model.parent
        cls.options, cls.text, cls.valid = (folder / name for name in
                                            ("small.json", "text.txt", "valid.txt"))
        cls.options.write_text(json.dumps(OPTIONS))
        cls.text.write_bytes(english(6000))
        cls.valid.write_bytes(english(1000, seed=2))

    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"

    @classmethod
    def arguments(cls, output, *more):
        return ("train", cls.text, "--valid", cls.valid, "--options", cls.options, *cls.shape,
                "-o", output, *more)

    @classmethod
    def train(cls, output, *more):
        return run(*cls.arguments(output, *more))

    def perplexity(self, model, text, *more):
        result = run("perplexity", "--json", "--model", model, text, *more)
        self.assert_exit(result, DONE)
        return json.loads(result.stdout)
