#!/usr/bin/env python3
"""cli/deploy/slurm on a real Slurm of two nodes, whose jobs are stopped, preempted, killed and
drained: what is merged is what one run writes, in every dataset and bit.

It takes minutes and root, and runs only where ELMO_START_SLURM is set, as `make check-scale` does:
processes, network, mounts and host name are the test's own. ELMO_SEED gives its seed.
"""

import json
import lzma
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
import unittest

import h5py
import numpy

import slurm_cluster
import tool
from tool import DONE, ELMO, english, run

PARTS = 12
TEXT_BYTES = 3_000_000
# Few numbers a token, and much to compute: parts take seconds, and the disk is left alone.
OPTIONS = tool.OPTIONS | {"lstm": tool.OPTIONS["lstm"] | {"dim": 2048, "projection_dim": 32}}
ISOLATED = ("setpriv", "--pdeathsig=KILL", "unshare", "--net", "--mount", "--uts", "--ipc", "--pid",
            "--fork", "--kill-child", "--mount-proc")
ROWS = 100_000  # compared at once


def obstacle():
    """Why there can be no Slurm here; None where there can."""
    if "ELMO_START_SLURM" not in os.environ:
        return "starts daemons and takes minutes; make check-scale runs it"
    if os.geteuid() != 0:
        return "needs root"
    for program in (*slurm_cluster.PROGRAMS, "setpriv", "unshare", "ip"):
        if shutil.which(program) is None:
            return f"needs {program}; see make check-scale"
    if subprocess.run([*ISOLATED, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return "needs namespaces"
    return None


def text():
    """English prose where the reference data is, else words made up."""
    reference = os.environ.get("ELMO_REFERENCE_DATA")
    path = pathlib.Path(reference or "") / "data/corpus/train-00.txt.xz"
    if reference is None or not path.exists():
        print("made-up words, without ELMO_REFERENCE_DATA", file=sys.stderr)
        return english(TEXT_BYTES)
    with lzma.open(path) as file:
        return file.read(TEXT_BYTES)


def datasets(file):
    found = {}
    # Inner nodes of an index's tree follow the sizes of the shards; what they show is compared.
    file.visititems(lambda name, item: found.update({name: item})
                    if isinstance(item, h5py.Dataset) and not name.startswith("tree/") else None)
    return found


def bits(values):
    return values.tolist() if values.dtype.hasobject else values.view(numpy.uint8)


class Slurm(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        reason = obstacle()
        if reason:
            raise unittest.SkipTest(reason)
        super().setUpClass()

    def assert_same(self, expected, actual):
        with h5py.File(expected) as expected, h5py.File(actual) as actual:
            whole, merged = datasets(expected), datasets(actual)
            self.assertEqual(whole.keys(), merged.keys())
            self.assertGreater(len(whole["tokens"]), 100_000)
            for name, dataset in whole.items():
                other = merged[name]
                self.assertEqual((dataset.dtype, dataset.shape), (other.dtype, other.shape))
                for row in range(0, len(dataset), ROWS):
                    rows = slice(row, row + ROWS)
                    same = numpy.array_equal(bits(dataset[rows]), bits(other[rows]))
                    self.assertTrue(same, f"/{name} differs from row {row} on")

    def test_parts_survive_a_hostile_cluster(self):
        seed = int(os.environ.get("ELMO_SEED") or random.SystemRandom().randrange(1 << 32))
        print(f"ELMO_SEED={seed}", file=sys.stderr)
        corpus = self.write("corpus.txt", text())
        options, model = self.write("options.json", json.dumps(OPTIONS)), self.folder / "model"
        self.assert_exit(run("init", "--options", options, "--seed", 1, "-o", model), DONE)
        words = (corpus, "--model", model, "--shard-size", "2M")
        begun = time.monotonic()
        cluster = self.folder / "cluster"
        cluster.mkdir()
        with open(self.folder / "scenario.log", "wb") as log:
            scenario = subprocess.run(
                [*ISOLATED, sys.executable, "-B",
                 pathlib.Path(__file__).with_name("slurm_scenario.py"), cluster, str(seed),
                 str(PARTS), self.folder / "parts", *words], cwd=self.folder,
                env=dict(os.environ, ELMO=str(pathlib.Path(ELMO).resolve())),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
        print((self.folder / "scenario.log").read_text(), f"{time.monotonic() - begun:.0f} s",
              file=sys.stderr)
        self.assertEqual(scenario.returncode, 0, self.logs())

        report = json.loads((cluster / "scenario.json").read_text())
        stopped = [event for event in report["happened"] if event["what"].startswith("SIGTERM")]
        self.assertGreaterEqual(sum(report["restarts"].values()), len(stopped) + 1, report)
        whole = self.folder / "whole"
        self.assert_exit(run("embed", "--quiet", "-o", whole, *words), DONE)
        self.assert_same(whole / "index.h5", self.folder / "parts/index.h5")
        self.assert_exit(run("verify", self.folder / "parts"), DONE)

    def logs(self):
        """The end of what daemons and jobs wrote."""
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in
                         [*self.folder.glob("*.log"), *(self.folder / "cluster").glob("*.log"),
                          *(self.folder / "cluster").glob("*.out")])


if __name__ == "__main__":
    unittest.main()
