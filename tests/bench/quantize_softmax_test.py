#!/usr/bin/env python3
"""A softmax in int8 predicts as its weights times their scales do, and a damaged one is refused."""

import json
import shutil
import unittest

import tool


class QuantizedSoftmax(tool.ToolTest):
    def setUp(self):
        try:
            import h5py
            import numpy
        except ImportError as error:
            self.skipTest(str(error))
        import quantize_softmax
        self.h5py, self.numpy = h5py, numpy
        super().setUp()
        words = ["<S>", "</S>", "<UNK>", *map(str, range(40))]
        self.whole, self.quantized = self.folder / "whole", self.folder / "quantized"
        shutil.copytree(self.model, self.whole)
        (self.whole / "vocabulary.txt").write_text("\n".join(words) + "\n")
        chance = numpy.random.default_rng(1)
        weights = chance.normal(size=(len(words), 8)).astype("f4")
        weights[7] = 0  # a word that has not been learned
        with h5py.File(self.whole / "softmax.hdf5", "w") as file:
            file["softmax/W"], file["softmax/b"] = weights, chance.normal(size=len(words)).astype("f4")
        shutil.copytree(self.whole, self.quantized)
        quantize_softmax.quantize(self.quantized)

    def perplexity(self, model, code=tool.DONE):
        result = tool.run("perplexity", "--quiet", "--json", "--model", model, text="1 2 3 7 some words . 39\n")
        self.assert_exit(result, code)
        return json.loads(result.stdout)["average"] if code == tool.DONE else result.stderr.decode()

    def test_rows_are_multiplied_by_their_scales(self):
        with self.h5py.File(self.quantized / "softmax.hdf5") as file:
            self.assertEqual(file["softmax/W"].dtype, self.numpy.int8)
            rows = file["softmax/W"][...] * file["softmax/scales"][...][:, None]
        with self.h5py.File(self.whole / "softmax.hdf5", "r+") as file:
            self.assertLess(abs(file["softmax/W"][...] - rows).max(), 0.02)
            file["softmax/W"][...] = rows
        expected = self.perplexity(self.whole)
        self.assertAlmostEqual(self.perplexity(self.quantized), expected, delta=expected * 1e-6)

    def test_damaged_scales_are_refused(self):
        for make in (lambda scales: None, lambda scales: scales[1:], lambda scales: scales * float("nan")):
            with self.h5py.File(self.quantized / "softmax.hdf5", "r+") as file:
                scales = file["softmax/scales"][...]
                del file["softmax/scales"]
                if make(scales) is not None:
                    file["softmax/scales"] = make(scales)
            self.assertIn("softmax/", self.perplexity(self.quantized, tool.BAD_INPUT))
            with self.h5py.File(self.quantized / "softmax.hdf5", "a") as file:
                if "softmax/scales" in file:
                    del file["softmax/scales"]
                file["softmax/scales"] = scales


if __name__ == "__main__":
    unittest.main()
