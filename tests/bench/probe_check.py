#!/usr/bin/env python3
"""Holds `elmo probe` against scikit-learn's logistic regression on the same activations.

    elmo probe --train F --dev F --column xpos --features DIR --json > probe.json
    probe_check.py --train F --dev F --column xpos --features DIR --probe probe.json

DIR has the runs `train` and `dev`, which `elmo probe` wrote there, or `elmo embed`. Labels are read
here by code of its own. Each layer is fitted by L-BFGS under several strengths of the penalty |W|^2,
of which the one that is best on dev counts; the mix is fitted with the weights and the gamma that
the probe has learned. Prints both accuracies and their difference by layer, and exits with 1 where
one is more than --tolerance points apart.
"""

import argparse
import gzip
import json
import lzma
import pathlib
import sys
import warnings

import h5py
import numpy
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def labels_of(path, column):
    """The labels of all tokens of a file of CoNLL-U or of two columns."""
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(pathlib.Path(path).suffix, open)
    labels = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\r\n").split("\t")
            if len(fields) == 2:
                labels.append(fields[1])
            elif len(fields) == 10 and fields[0].isdigit():
                labels.append(fields[COLUMNS.index(column)])
    return numpy.array(labels)


def activations_of(folder):
    """[tokens, R, W] of a run, and the names of its rows."""
    shards = json.loads((folder / "manifest.json").read_text())["shards"]
    parts = []
    for shard in shards:
        with h5py.File(folder / shard["file"]) as file:
            parts.append(file["activations"][:])
            rows = [row.decode() if isinstance(row, bytes) else row
                    for row in file.attrs["layers"]]
    return numpy.concatenate(parts), rows


def features_of(activations, rows, layer, probe):
    """The inputs of the probe with that name, as float32."""
    def both(number):
        if number == 0:
            token = activations[:, 0].astype(numpy.float32)
            return numpy.concatenate((token, token), axis=1)
        pair = activations[:, 2 * number - 1:2 * number + 1].astype(numpy.float32)
        return pair.reshape(len(pair), -1)

    if layer == "mix":
        return probe["gamma"] * sum(weight * both(number)
                                    for number, weight in enumerate(probe["weights"]))
    if layer in rows:
        return activations[:, rows.index(layer)].astype(numpy.float32)
    return both(int(layer))


def best_accuracy(train, dev, strengths, iterations):
    """The accuracy on dev in percent of the penalty that is best there, and that penalty's C."""
    scale = train[0].std()
    model = LogisticRegression(solver="lbfgs", multi_class="multinomial", max_iter=iterations,
                               warm_start=True, tol=1e-4)
    best = (0.0, None)
    for strength in sorted(strengths):
        model.C = strength
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(train[0] / scale, train[1])
        accuracy = 100 * (model.predict(dev[0] / scale) == dev[1]).mean()
        best = max(best, (accuracy, strength), key=lambda pair: pair[0])
    return best


def compare(options):
    """(layer, accuracy of the probe, accuracy of the regression, C) of each layer."""
    with open(options.probe, encoding="utf-8") as file:
        probes = json.load(file)["layers"]
    labels = {name: labels_of(getattr(options, name), options.column) for name in ("train", "dev")}
    values = {}
    for name in ("train", "dev"):
        values[name], rows = activations_of(options.features / name)
        if len(values[name]) != len(labels[name]):
            raise SystemExit(f"{name}: {len(values[name])} tokens have activations, "
                             f"{len(labels[name])} labels; expected as many")
    for layer in options.layers or probes:
        sets = [(features_of(values[name], rows, layer, probes[layer]), labels[name])
                for name in ("train", "dev")]
        accuracy, strength = best_accuracy(*sets, options.strengths, options.iterations)
        yield layer, probes[layer]["dev"], accuracy, strength


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--column", default="xpos", choices=COLUMNS[2:])
    parser.add_argument("--features", required=True, type=pathlib.Path)
    parser.add_argument("--probe", required=True, help="what elmo probe --json printed")
    parser.add_argument("--layers", nargs="*", help="of all the probe has")
    parser.add_argument("--strengths", nargs="*", type=float, default=[0.01, 0.1, 1.0, 10.0],
                        help="scikit-learn's C: the inverse of the penalty's weight")
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--tolerance", type=float, default=0.2, help="points")
    options = parser.parse_args(arguments)
    apart = 0
    for layer, probe, regression, strength in compare(options):
        difference = probe - regression
        apart += abs(difference) > options.tolerance
        print(f"{layer:12} probe {probe:6.2f}  regression {regression:6.2f} (C {strength:g})  "
              f"difference {difference:+.2f}", flush=True)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
