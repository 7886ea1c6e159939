#!/usr/bin/env python3
"""The small learners that compare vectors, and what a comparison says of that which is missing."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import probes
except ImportError:
    numpy = None

COMPARE = pathlib.Path(__file__).with_name("compare.py")


@unittest.skipUnless(numpy, "no NumPy")
class Learners(unittest.TestCase):
    def setUp(self):
        self.chance = numpy.random.default_rng(1)

    def vectors(self, count, layers=1, width=8):
        return self.chance.standard_normal((count, layers, width)).astype(numpy.float32)

    def test_a_linear_probe_learns_a_linear_label_and_a_mix_finds_its_layer(self):
        train, dev = self.vectors(2000, 3), self.vectors(500, 3)
        labels, expected = (["ab"[int(value > 0)] for value in part[:, 1, 0]] for part in (train, dev))
        for mixed in (False, True):
            self.assertGreater(probes.linear_accuracy(train, labels, dev, expected, mixed, epochs=100), 90)
        shuffled = list(self.chance.permutation(labels))
        self.assertLess(probes.linear_accuracy(train, shuffled, dev, expected, epochs=100), 60)

    def test_gradients_match_differences(self):
        inputs = probes.Inputs(self.vectors(9, 3, 4), self.vectors(2, 3, 4), True)
        inputs.train = inputs.train.astype(numpy.float64)
        network = probes.NameNetwork(inputs, 3, self.chance, 5, 6)
        arrays = [*network.arrays, *inputs.arrays]
        for i, array in enumerate(arrays):
            arrays[i] = array.astype(numpy.float64)
        network.arrays, (inputs.weights, inputs.gamma) = arrays[:7], arrays[7:]
        labels = numpy.array([0, 1, 2, 1, 0, 2, 1, 1, 0])
        inside = numpy.array([0, 0, 1, 1, 1, 1, 1, 1, 1])
        drop = self.chance.integers(0, 2, (9, 25)) * 2.0
        flags = self.chance.random((9, 6))

        def loss():
            logits = network.forward(inputs.train, flags, inside, drop)
            top = logits.max(axis=1)
            return ((numpy.log(numpy.exp(logits - top[:, None]).sum(axis=1)) + top -
                     logits[numpy.arange(9), labels]) * inside).sum() / 9

        logits = network.forward(inputs.train, flags, inside, drop)
        gradients = network.gradients(probes.softmax_gradient(logits, labels) * inside[:, None])
        for array, gradient in zip(arrays, gradients):
            for at in self.chance.integers(0, array.size, 5):
                kept = array.flat[at]
                sides = []
                for step in (1e-6, -1e-6):
                    array.flat[at] = kept + step
                    sides.append(loss())
                array.flat[at] = kept
                self.assertAlmostEqual((sides[0] - sides[1]) / 2e-6, gradient.flat[at], places=6)

    def test_names_are_learned_from_vectors_and_context(self):
        def sentences(count):
            return [(["Ms", name, "saw", "rain"], ["O", "B-PER", "O", "O"])
                    for name in self.chance.choice(["Ann", "Bo", "Cy"], count)]

        train, dev = sentences(60), sentences(20)
        vectors = [self.vectors(4 * len(part)) for part in (train, dev)]
        self.assertEqual(probes.name_f1(vectors[0], train, vectors[1], dev, epochs=20), 100)

    def test_spans_and_paths(self):
        self.assertEqual(probes.spans_of(["B-A", "I-A", "I-B", "O", "B-A", "B-A"]),
                         {(0, 2, "A"), (4, 5, "A"), (5, 6, "A")})
        classes = ["B-A", "B-B", "I-A", "O"]
        scores = numpy.array([[0, 1, 5, 0], [0, 0, 3, 0.]])  # I-A first is not legal, nor after B-B
        self.assertEqual(probes.best_path(scores, classes), ["B-A", "I-A"])

    def test_neighbors(self):
        train = numpy.array([[[1, 0.]], [[0, 1.]], [[.9, .1]]])
        found = probes.nearest_senses(train, [("w", "x"), ("w", "y"), ("v", "z")], numpy.array([[[0, 2.]], [[1, 0.]]]),
                                      [("w", ["y"], "first"), ("u", ["first"], "first")])
        self.assertEqual(found, 100)
        texts = self.vectors(50)
        for standardized in (False, True):
            self.assertEqual(probes.retrieved(texts, texts, standardized), 100)
            self.assertLess(probes.retrieved(texts[::-1], texts, standardized), 20)

    def test_missing_parts_are_skipped_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, COMPARE, "--encoders", "elmo", "--only", "tags", "--work", folder],
                                  env={**os.environ, "ELMO": "/nonexistent/elmo"}, check=True, text=True,
                                  capture_output=True)
        self.assertIn("compare.py: elmo-tiny-en, float32 is skipped: no /nonexistent/elmo", done.stderr)


if __name__ == "__main__":
    unittest.main()
