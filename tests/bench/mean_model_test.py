#!/usr/bin/env python3
"""The mean of models has the means of their weights, and all else of the last one."""

import pathlib
import tempfile
import unittest


class Mean(unittest.TestCase):
    def test_weights_are_means_in_the_types_of_the_last_model(self):
        try:
            import h5py
            import numpy
        except ImportError as error:
            self.skipTest(str(error))
        import mean_model

        with tempfile.TemporaryDirectory() as top:
            top = pathlib.Path(top)
            for name, value in ("first", 0.25), ("last", 1.0):
                (top / name).mkdir()
                for other in mean_model.OTHERS:
                    (top / name / other).write_text(name)
                for weights in mean_model.WEIGHTS:
                    with h5py.File(top / name / weights, "w") as file:
                        file["lstm/kernel"] = numpy.full((2, 3), value, "f2")
                        file["bias"] = numpy.full(4, 2 * value, "f4")
            mean_model.write_mean([top / "first", top / "last"], top / "mean")
            for weights in mean_model.WEIGHTS:
                with h5py.File(top / "mean" / weights) as file:
                    self.assertEqual(file["lstm/kernel"].dtype, numpy.float16)
                    self.assertTrue((file["lstm/kernel"][...] == 0.625).all())
                    self.assertTrue((file["bias"][...] == 1.25).all())
            self.assertEqual({(top / "mean" / other).read_text() for other in mean_model.OTHERS}, {"last"})


if __name__ == "__main__":
    unittest.main()
