#!/usr/bin/env python3
"""Writes a model whose weights are the means of those of others, which were trained one from the other.

  mean_model.py -o mean first second

The end of a run lies at the edge of a wide minimum, and the mean of two ends closer to its middle (Izmailov et
al. 2018, Averaging Weights Leads to Wider Optima and Better Generalization). All but the weights is of the last
model; means are taken in double and stored in its types."""

import argparse
import pathlib
import shutil

import h5py

WEIGHTS = ("weights.hdf5", "softmax.hdf5")
OTHERS = ("options.json", "vocabulary.txt", "tokenizer.json")


def write_mean(models, output):
    output.mkdir()
    for name in OTHERS + WEIGHTS:
        shutil.copy(models[-1] / name, output)
    for name in WEIGHTS:
        files = [h5py.File(model / name, "r") for model in models]
        with h5py.File(output / name, "r+") as mean:
            def replace(path, found):
                if isinstance(found, h5py.Dataset):
                    found[...] = sum(file[path][...].astype("f8") for file in files) / len(files)
            mean.visititems(replace)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=pathlib.Path, nargs="+", metavar="MODEL")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="a folder that is not there")
    flags = parser.parse_args()
    write_mean(flags.models, flags.output)


if __name__ == "__main__":
    main()
