#!/usr/bin/env python3
"""The models that come with the source: how their numbers are stored, their language and license."""

import json
import pathlib
import unittest

import h5py

MODELS = pathlib.Path(__file__).resolve().parents[2] / "cli/models"
LANGUAGES = {"elmo-tiny-en": ("en", "Latn"), "elmo-small-en": ("en", "Latn"),
             "elmo-tiny-ko": ("ko", "Hang")}
FILES = ("weights.hdf5", "softmax.hdf5")


class ShippedModels(unittest.TestCase):
    def test_these_are_all_models(self):
        self.assertEqual({folder.name for folder in MODELS.iterdir()}, set(LANGUAGES))

    def test_biases_and_scales_are_float32_the_softmax_int8_and_everything_else_float16(self):
        for path in (MODELS / model / name for model in LANGUAGES for name in FILES):
            with h5py.File(path) as file:
                datasets = []
                file.visititems(lambda path, item: datasets.append((path, item.ndim, item.dtype))
                                if isinstance(item, h5py.Dataset) else None)
                self.assertTrue(datasets)
                for name, rank, dtype in datasets:
                    with self.subTest(f"{path}: {name}"):
                        matrix = "int8" if name == "softmax/W" else "float16"
                        self.assertEqual(dtype, "float32" if rank == 1 else matrix)

    def test_each_has_a_language(self):
        for model, (language, script) in LANGUAGES.items():
            with self.subTest(model):
                told = json.loads((MODELS / model / "language.json").read_text(encoding="utf-8"))
                self.assertEqual(told, {"language": language, "scripts": [script]})
                card = (MODELS / model / "README.md").read_text(encoding="utf-8")
                self.assertIn(f"language: {language}\n", card)

    def test_each_has_its_own_license(self):
        for model in LANGUAGES:
            with self.subTest(model):
                text = (MODELS / model / "LICENSE").read_text(encoding="utf-8")
                self.assertIn("Attribution-ShareAlike 3.0 Unported", text)
                card = (MODELS / model / "README.md").read_text(encoding="utf-8")
                self.assertIn("license: cc-by-sa-3.0", card)
                self.assertIn("`LICENSE`", card)


if __name__ == "__main__":
    unittest.main()
