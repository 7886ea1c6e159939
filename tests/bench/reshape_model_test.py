#!/usr/bin/env python3
"""A reshaped model keeps the strongest cells, nothing reads its added outputs, and no output reads its added cells."""

import json
import pathlib
import tempfile
import unittest

import tool

LSTM = "RNN/MultiRNNCell/Cell0/LSTMCell"


class Reshaped(unittest.TestCase):
    def test_strongest_cells_are_kept_and_added_outputs_are_not_read(self):
        try:
            import h5py
            import numpy
        except ImportError as error:
            self.skipTest(str(error))
        import reshape_model

        cells, outputs, words = 4, 2, 5
        read = numpy.arange(2 * outputs * 4 * cells, dtype="f4").reshape(2 * outputs, 4 * cells)
        bias = numpy.arange(4 * cells, dtype="f4")
        projection = numpy.array([[1, 1], [9, 9], [2, 2], [0, -8]], "f2")  # cells 1 and 3 are the strongest
        with tempfile.TemporaryDirectory() as top:
            model, shaped = pathlib.Path(top) / "model", pathlib.Path(top) / "shaped"
            model.mkdir()
            for name in ("vocabulary.txt", "tokenizer.json"):
                (model / name).write_text(name)
            (model / "options.json").write_text(json.dumps(
                {"lstm": {"dim": cells, "projection_dim": outputs, "cell_clip": 3}}))
            with h5py.File(model / "weights.hdf5", "w") as file:
                for direction in ("RNN_0", "RNN_1"):
                    file[f"{direction}/{LSTM}/W_0"] = read
                    file[f"{direction}/{LSTM}/B"] = bias
                    file[f"{direction}/{LSTM}/W_P_0"] = projection
                file["CNN_proj/W_proj"] = numpy.ones((6, outputs), "f2")
                file["CNN_proj/b_proj"] = numpy.ones(outputs, "f4")
            with h5py.File(model / "softmax.hdf5", "w") as file:
                file["softmax/W"] = numpy.ones((words, outputs), "f2")
                file["softmax/b"] = numpy.ones(words, "f4")
            with self.assertRaisesRegex(SystemExit, "found 2 outputs; expected at most 1"):
                reshape_model.write_reshaped(model, 2, 1, shaped)
            reshape_model.write_reshaped(model, 2, 3, shaped)

            self.assertEqual(json.loads((shaped / "options.json").read_text())["lstm"],
                             {"dim": 2, "projection_dim": 3, "cell_clip": 3})
            gates = [1, 3, 5, 7, 9, 11, 13, 15]
            with h5py.File(shaped / "weights.hdf5") as file:
                for direction in ("RNN_0", "RNN_1"):
                    lstm = file[direction][LSTM]
                    made = lstm["W_0"][...]
                    self.assertTrue((made[[0, 1, 3, 4]] == read[:, gates]).all())
                    self.assertTrue((made[[2, 5]] == 0).all())
                    self.assertTrue((lstm["B"][...] == bias[gates]).all())
                    self.assertTrue((lstm["W_P_0"][:, :2] == projection[[1, 3]]).all())
                    self.assertTrue((lstm["W_P_0"][:, 2] != 0).all())
                    self.assertEqual(lstm["W_P_0"].dtype, numpy.float16)
                self.assertEqual(file["CNN_proj/W_proj"].shape, (6, 3))
                self.assertTrue((file["CNN_proj/b_proj"][...] == [1, 1, 0]).all())
            with h5py.File(shaped / "softmax.hdf5") as file:
                self.assertTrue((file["softmax/W"][...] == [1, 1, 0]).all())
                self.assertEqual(file["softmax/b"].shape, (words,))


class Widened(tool.ToolTest):
    def test_features_are_those_of_the_model_before_training(self):
        try:
            import h5py
            import numpy
        except ImportError as error:
            self.skipTest(str(error))
        import reshape_model

        text = self.write("text.txt", tool.english(4000))
        options = self.write("options.json", json.dumps(tool.OPTIONS))
        model, widened = self.folder / "model", self.folder / "widened"
        self.assert_exit(tool.run("train", text, "--valid", text, "--options", options, "--steps", 5, "--batch", 4,
                                  "--threads", 1, "-o", model), tool.DONE)
        reshape_model.write_reshaped(model, 24, 10, widened)
        found = []
        for folder in model, widened:
            output = self.folder / f"{folder.name}-vectors"
            self.assert_exit(tool.run("embed", "--quiet", text, "--model", folder, "-o", output), tool.DONE)
            with h5py.File(output / "index.h5") as file:
                found.append(file["activations"][..., :8])
            printed = tool.run("perplexity", "--quiet", "--json", text, "--model", folder)
            self.assert_exit(printed, tool.DONE)
            found.append(json.loads(printed.stdout)["average"])
        self.assertLess(numpy.abs(found[0] - found[2]).max(), 1e-5)
        self.assertAlmostEqual(found[1], found[3], delta=found[1] * 1e-5)
        with h5py.File(widened / "weights.hdf5") as file:
            added = file["RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_0"][:, 16:24]
            self.assertTrue((added != 0).any(axis=0).all())  # the new cells learn different things


if __name__ == "__main__":
    unittest.main()
