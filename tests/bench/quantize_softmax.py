#!/usr/bin/env python3
"""Stores the softmax weights of a model in int8, with a scale for each word, in place.

  quantize_softmax.py MODEL

The largest magnitude of a row becomes 127. `elmo` reads W * scales (io/model/weights.h)."""

import argparse
import os
import pathlib

import h5py
import numpy


def quantize(model):
    path = model / "softmax.hdf5"
    with h5py.File(path) as file:
        weights, bias = file["softmax/W"][...].astype("f4"), file["softmax/b"][...]
    scales = (abs(weights).max(axis=1) / 127).astype("<f4")
    steps = numpy.rint(weights / numpy.where(scales == 0, 1, scales)[:, None]).astype("i1")
    made = path.with_suffix(".tmp")
    with h5py.File(made, "w") as file:
        file["softmax/W"], file["softmax/scales"], file["softmax/b"] = steps, scales, bias
    os.replace(made, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, metavar="MODEL")
    quantize(parser.parse_args().model)


if __name__ == "__main__":
    main()
