"""Shared by the tests of commands that predict words: a softmax, and what NumPy makes of it."""

import json

import h5py
import numpy

from tool import DONE, OPTIONS, ToolTest, run

WIDTH = OPTIONS["lstm"]["projection_dim"]
WORDS = ["</S>", "the", "cat", "sat", "<UNK>", "on", "mat", "a", ".", "<S>", "The", ",", "and"]


class PredictingTest(ToolTest):
    """The tiny model has a softmax over WORDS and others that no text has, in several tiles."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        chance = numpy.random.default_rng(3)
        cls.words = WORDS + [f"never{number}" for number in range(1200)]
        cls.weights = chance.normal(size=(len(cls.words), WIDTH)).astype("<f4")
        cls.bias = chance.normal(size=len(cls.words)).astype("<f4")
        with h5py.File(cls.model / "softmax.hdf5", "w") as file:
            file["softmax/W"] = cls.weights
            file["softmax/b"] = cls.bias
        (cls.model / "vocabulary.txt").write_text("\n".join(cls.words) + "\n")

    def layers(self, text, *options):
        """The record of `elmo embed` of each sentence with tokens, with boundaries, and the last
        layers of its tokens [T, 2P]."""
        result = run("embed", "--model", self.model, "--layers", "top", "--boundaries",
                     "--format", "jsonl", *options, text=text)
        self.assert_exit(result, DONE)
        for record in map(json.loads, result.stdout.splitlines()):
            if record["tokens"]:
                yield record, numpy.array(record["vectors"])[:, 0]

    def log_softmax(self, states):
        logits = states @ self.weights.T.astype(float) + self.bias
        return logits - numpy.logaddexp.reduce(logits, axis=1, keepdims=True)

    def expected(self, text, *options):
        """For each sentence with tokens: its record, and the log probabilities of its tokens,
        forward [T − 1] from the second token on, and backward [T − 1] up to the last but one."""
        for record, top in self.layers(text, *options):
            rows = {word: row for row, word in enumerate(self.words)}
            inner = [rows.get(token, rows["<UNK>"]) for token in record["tokens"][1:-1]]
            targets = numpy.array([rows["<S>"], *inner, rows["</S>"]])
            both = []
            for states, wanted in ((top[:-1, :WIDTH], targets[1:]), (top[1:, WIDTH:], targets[:-1])):
                both.append(self.log_softmax(states)[numpy.arange(len(wanted)), wanted])
            yield record, both
