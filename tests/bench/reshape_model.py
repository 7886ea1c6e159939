#!/usr/bin/env python3
"""Writes a model with fewer or more cells and more outputs, to be trained from the weights of another one.

  reshape_model.py MODEL --cells 512 --outputs 256 -o SHAPED

If cells are cut, those of each LSTM with the largest rows in the projection are kept. Added cells read their inputs
with small random weights, and their rows in the projection are zero. Nothing reads the added outputs yet: their
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
    added = max(0, cells - old_cells)

    def with_cells(read, make):
        """Of each gate, the columns of the kept cells, then those that `make` returns for the added ones."""
        shape = (*read.shape[:-1], added)
        return numpy.concatenate([part for gate in numpy.split(read, 4, -1) for part in (gate[..., kept], make(shape))],
                                 -1)

    def small(shape):
        return random.normal(0, (2 * outputs) ** -0.5, shape)

    # Rows of the input, then of the recurrent outputs.
    replace(cell, "W_0", lambda read: with_cells(numpy.concatenate([
        lengthened(part, outputs) for part in numpy.split(read, [old_outputs])]), small))
    replace(cell, "B", lambda bias: with_cells(bias, numpy.zeros))
    replace(cell, "W_P_0", lambda rows: lengthened(widened(rows[kept], outputs, random), cells))


def write_reshaped(model, cells, outputs, shaped):
    options = json.loads((model / "options.json").read_text())
    found = options["lstm"]["projection_dim"]
    if outputs < found:
        sys.exit(f"{model}: found {found} outputs; expected at most {outputs}")
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
    parser.add_argument("--cells", type=int, required=True, help="LSTM cells of each layer and direction")
    parser.add_argument("--outputs", type=int, required=True, help="at least those of the model")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="a folder that is not there")
    flags = parser.parse_args()
    write_reshaped(flags.model, flags.cells, flags.outputs, flags.output)


if __name__ == "__main__":
    main()
