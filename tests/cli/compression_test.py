#!/usr/bin/env python3
"""`--compression`: the same numbers in less space; zstd requires HDF5's plugin."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy
import shards
import tool
from tool import BAD_INPUT, DONE, USAGE, english, run


def plugin_folder():
    """A folder with HDF5's zstd filter, or None."""
    places = os.environ.get("HDF5_PLUGIN_PATH", "").split(":")
    places += ["/usr/local/hdf5/lib/plugin", *map(str, pathlib.Path("/usr/lib").glob(
        "*/hdf5/serial/plugins"))]
    try:
        import hdf5plugin
        places.append(getattr(hdf5plugin, "PLUGIN_PATH", ""))
    except ImportError:
        pass
    for place in filter(None, places):
        if any(pathlib.Path(place).glob("*zstd*.so*")):
            return place
    return None


class Compressions(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", english(1 << 14))
        self.plain = self.embed("plain")

    def embed(self, name, *arguments, **keywords):
        output = self.folder / name
        result = run("embed", "--quiet", "--model", self.model, self.text, "-o", output, *arguments,
                     **keywords)
        self.assert_exit(result, DONE)
        return output

    def test_gzip_changes_no_number(self):
        packed = self.embed("gzip", "--compression", "gzip")
        numpy.testing.assert_array_equal(shards.vectors(packed), shards.vectors(self.plain))

    def test_without_the_plugin_zstd_is_refused_before_anything_is_written(self):
        empty = self.folder / "empty"
        empty.mkdir()
        output = self.folder / "zstd"
        for command in (("embed", "--model", self.model, self.text), ("mix", self.plain, "--weights",
                                                                     "0,1,0")):
            result = run(*command, "-o", output, "--compression", "zstd",
                         env={**os.environ, "HDF5_PLUGIN_PATH": str(empty)})
            self.assert_exit(result, USAGE)
            for word in ("32015", str(empty), "HDF5_PLUGIN_PATH", "hdf5plugin", "gzip"):
                self.assertIn(word, result.stderr.decode())
            self.assertFalse(output.exists())

    def test_with_the_plugin_zstd_is_read_by_all(self):
        folder = plugin_folder()
        if folder is None:
            self.skipTest("HDF5's zstd filter is not installed (libh5zstd.so)")
        environment = {**os.environ, "HDF5_PLUGIN_PATH": folder}
        packed = self.embed("zstd", "--compression", "zstd", env=environment)
        size = sum(path.stat().st_size for path in packed.glob("shard-*"))
        self.assertLess(size, sum(path.stat().st_size for path in self.plain.glob("shard-*")))
        self.assert_exit(run("verify", packed, env=environment), DONE)
        mixed = self.folder / "mixed"
        self.assert_exit(run("mix", "--quiet", packed, "-o", mixed, "--weights", "0,1,0",
                             env=environment), DONE)
        script = ("import h5py, numpy, sys\n"
                  "packed, plain = (h5py.File(name)['activations'] for name in sys.argv[1:])\n"
                  "assert numpy.array_equal(packed[:], plain[:])\n")
        subprocess.run([sys.executable, "-c", script, packed / "index.h5", self.plain / "index.h5"],
                       env=environment, check=True)
        # Without the plugin, a message says what is missing.
        result = run("verify", packed, env={**os.environ, "HDF5_PLUGIN_PATH": str(self.folder)})
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("32015", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
