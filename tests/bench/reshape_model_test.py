#!/usr/bin/env python3
"""A reshaped model keeps the strongest cells, and nothing reads its added outputs."""

import json
import pathlib
import tempfile
import unittest

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
            for wrong in (5, 3), (2, 1):
                with self.assertRaisesRegex(SystemExit, "found 4 cells and 2 outputs"):
                    reshape_model.write_reshaped(model, *wrong, shaped)
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


if __name__ == "__main__":
    unittest.main()
