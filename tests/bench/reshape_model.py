#!/usr/bin/env python3
"""Writes a model with fewer cells and more outputs, to be trained from the weights of another one.

  reshape_model.py MODEL --cells 512 --outputs 256 -o SHAPED

Of each LSTM, the cells with the largest rows in the projection are kept. Nothing reads the added outputs yet: their
projections are random, with the spread of the others, and the weights that read them are zero. If no cell is cut,
the old outputs and the perplexity do not change."""

import argparse
import json
import pathlib
import shutil
import sys

import h5py
import numpy

from mean_model import OTHERS, WEIGHTS


def widened(matrix, outputs, random):
    """With more columns, random numbers of the spread of those that are there."""
    added = random.normal(0, matrix.std(), (matrix.shape[0], outputs - matrix.shape[1]))
    return numpy.concatenate([matrix, added], 1)


def lengthened(array, rows):
    """With more rows, all zero."""
    return numpy.concatenate([array, numpy.zeros((rows - array.shape[0], *array.shape[1:]))])


def replace(group, name, make):
    """Keeps the type; computes in double."""
    array = group[name][...]
    del group[name]
    group[name] = make(array.astype("f8")).astype(array.dtype)


def reshape_lstm(cell, cells, outputs, random):
    projection = cell["W_P_0"][...].astype("f8")
    old_cells, old_outputs = projection.shape
    kept = numpy.sort(numpy.argsort(-numpy.linalg.norm(projection, axis=1), kind="stable")[:cells])
    gates = numpy.concatenate([gate * old_cells + kept for gate in range(4)])
    # Rows of the input, then of the recurrent outputs.
    replace(cell, "W_0", lambda read: numpy.concatenate([
        lengthened(part[:, gates], outputs) for part in numpy.split(read, [old_outputs])]))
    replace(cell, "B", lambda bias: bias[gates])
    replace(cell, "W_P_0", lambda rows: widened(rows[kept], outputs, random))


def write_reshaped(model, cells, outputs, shaped):
    options = json.loads((model / "options.json").read_text())
    found = options["lstm"]["dim"], options["lstm"]["projection_dim"]
    if cells > found[0] or outputs < found[1]:
        sys.exit(f"{model}: found {found[0]} cells and {found[1]} outputs; expected at least {cells} cells and at most "
                 f"{outputs} outputs")
    shaped.mkdir()
    for name in OTHERS + WEIGHTS:
        shutil.copy(model / name, shaped)
    options["lstm"].update(dim=cells, projection_dim=outputs)
    (shaped / "options.json").write_text(json.dumps(options))
    random = numpy.random.default_rng(1)
    with h5py.File(shaped / "weights.hdf5", "r+") as file:
        for direction in ("RNN_0", "RNN_1"):
            for layer in file[direction]["RNN/MultiRNNCell"].values():
                reshape_lstm(layer["LSTMCell"], cells, outputs, random)
        replace(file["CNN_proj"], "W_proj", lambda weights: widened(weights, outputs, random))
        replace(file["CNN_proj"], "b_proj", lambda bias: lengthened(bias, outputs))
    with h5py.File(shaped / "softmax.hdf5", "r+") as file:
        replace(file["softmax"], "W", lambda words: lengthened(words.T, outputs).T)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, metavar="MODEL")
    parser.add_argument("--cells", type=int, required=True, help="at most those of the model")
    parser.add_argument("--outputs", type=int, required=True, help="at least those of the model")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="a folder that is not there")
    flags = parser.parse_args()
    write_reshaped(flags.model, flags.cells, flags.outputs, flags.output)


if __name__ == "__main__":
    main()
