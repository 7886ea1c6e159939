#!/usr/bin/env python3
"""The model that comes with the source: how its numbers are stored, and under which licence."""

import pathlib
import unittest

import h5py

SHIPPED = pathlib.Path(__file__).resolve().parents[2] / "cli/models/elmo-tiny-en"
FILES = ("weights.hdf5", "softmax.hdf5")


class ShippedModel(unittest.TestCase):
    def test_biases_are_float32_and_everything_else_is_float16(self):
        for name in FILES:
            with h5py.File(SHIPPED / name) as file:
                datasets = []
                file.visititems(lambda path, item: datasets.append((path, item.ndim, item.dtype))
                                if isinstance(item, h5py.Dataset) else None)
                self.assertTrue(datasets)
                for path, rank, dtype in datasets:
                    with self.subTest(path):
                        self.assertEqual(dtype, "float32" if rank == 1 else "float16")

    def test_it_has_its_own_licence(self):
        text = (SHIPPED / "LICENSE").read_text(encoding="utf-8")
        self.assertIn("Attribution-ShareAlike 3.0 Unported", text)
        card = (SHIPPED / "README.md").read_text(encoding="utf-8")
        self.assertIn("license: cc-by-sa-3.0", card)
        self.assertIn("`LICENSE`", card)


if __name__ == "__main__":
    unittest.main()
