#!/usr/bin/env python3
"""Real clients read real shards: every dtype, compressed or not, in one shard and in 300, with empty
sentences. Their values equal those that h5py reads from the shards.

Runs in the virtual environment of `make check-clients`, which has the clients.
"""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import datasets
import gensim
import h5py
import hdf5plugin  # also registers the filter zstd for every reader of this process
import numpy
import pandas
import pyarrow
import pyarrow.parquet
import safetensors.numpy
import safetensors.torch
import sklearn.preprocessing
import torch

import tool
from tool import DONE, run

DTYPES = ("float32", "float16", "bfloat16", "int8")
COMPRESSIONS = ("none", "gzip", "zstd")
SHARDS = (1, 300)
COLUMNS = ["activations", "document", "sentence", "spans", "tokens"]
# Each of the many shards takes up to 16 tokens of 40 numbers and about 30 bytes beside them: two
# sentences, of seven and six tokens.
NUMBERS, TOKENS, BYTES = 40, 16, 30
TEXT = "\n\n" + "".join(f"a{n} naïve café {n} 東京 b é\n" + "\n" * (n % 3) +
                        f"The bank {n} was closed .\n" for n in range(300)) + "\n"
REQUIREMENTS = tool.TOP / "tests/clients/requirements.txt"
READING = tool.TOP / "io/shard/READING.md"


class Run:
    """A folder of shards and what h5py reads from these, one after the other."""

    def __init__(self, folder, dtype):
        self.folder, self.dtype = folder, dtype
        manifest = json.loads((folder / "manifest.json").read_text())
        self.files = [folder / shard["file"] for shard in manifest["shards"]]
        columns = [self.read(file) for file in self.files]
        self.columns = {name: numpy.concatenate([column[name] for column in columns])
                        for name in columns[0]}

    @staticmethod
    def read(file):
        with h5py.File(file) as shard:
            return {name: data.asstr()[:] if name == "tokens" else data[:]
                    for name, data in shard.items()}

    @property
    def vectors(self):
        """Activations; those of int8 as float32."""
        values = self.columns["activations"]
        return values * self.columns["scales"][..., None] if self.dtype == "int8" else values

    def sentences(self, offsets):
        """Vectors of each sentence, also of those without tokens."""
        return [self.vectors[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]


def with_each_run(test):
    """The test, in a subtest for each run."""
    def test_all(self):
        for name, found in self.runs.items():
            with self.subTest(name):
                test(self, found)
    return test_all


class Readers(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = pathlib.Path(folder.name)
        cls.text = cls.top / "text.txt"
        cls.text.write_text(TEXT, encoding="utf-8")
        # The tool loads the filter that the client ships.
        environment = {**os.environ, "HDF5_PLUGIN_PATH": hdf5plugin.PLUGIN_PATH}
        cls.runs = {}
        for dtype in DTYPES:
            element = numpy.dtype(dtype.replace("bfloat16", "int16")).itemsize
            size = TOKENS * (NUMBERS * element + BYTES)
            for compression in COMPRESSIONS:
                for shards in SHARDS:
                    output = cls.top / f"{dtype}-{compression}-{shards}"
                    print(f"writing {output.name}", file=sys.stderr, flush=True)
                    arguments = ("--shard-size", size) if shards > 1 else ()
                    made = run("embed", "--quiet", "--model", cls.model, "--input-format",
                               "tokens", cls.text, "-o", output, "--dtype", dtype,
                               "--compression", compression, *arguments, env=environment)
                    assert made.returncode == DONE, made.stderr
                    found = cls.runs[output.name] = Run(output, dtype)
                    assert len(found.files) == shards, (output, len(found.files))

    def test_the_page_names_the_pinned_versions(self):
        page = READING.read_text(encoding="utf-8")
        for line in REQUIREMENTS.read_text(encoding="utf-8").split():
            name, version = line.split("==")
            self.assertIn(f"\n| {name} | {version}", page)

    def assert_equal(self, found, expected):
        numpy.testing.assert_array_equal(numpy.asarray(found), expected, strict=True)

    @with_each_run
    def test_h5py_reads_the_same_from_the_index_and_from_any_number_of_shards(self, found):
        plain = self.runs[f"{found.dtype}-none-1"].columns
        self.assertEqual(sorted(found.columns), sorted(plain))
        self.assertEqual(set(found.columns) - {"scales"}, set(COLUMNS))
        with h5py.File(found.folder / "index.h5") as index:
            for name, values in found.columns.items():
                self.assert_equal(values, plain[name])
                self.assertEqual(len(values), len(found.columns["tokens"]))
                column = index[name].asstr()[:] if name == "tokens" else index[name][:]
                self.assert_equal(column, values)
            counts = numpy.diff(index["sentences/offsets"][:].astype("int64"))
        self.assertEqual(len(counts), TEXT.count("\n"))
        self.assertGreater((counts == 0).sum(), 100)
        self.assert_equal(numpy.bincount(found.columns["sentence"].astype("int64"),
                                         minlength=len(counts)), counts)

    def check_rows(self, found, rows):
        """Compares columns, as arrays or lists, with those of h5py."""
        self.assertEqual(sorted(rows), sorted(found.columns))
        for name, expected in found.columns.items():
            self.assert_equal(numpy.asarray(rows[name], expected.dtype), expected)

    @with_each_run
    def test_datasets(self, found):
        files = str(found.folder / "shard-*.h5")
        with tempfile.TemporaryDirectory() as cache:
            rows = datasets.load_dataset("hdf5", data_files=files, split="train",
                                         cache_dir=cache)
            self.assertEqual(rows.features["tokens"].dtype, "string")
            self.assertEqual(rows.features["activations"].shape, (5, 8))
            self.assertEqual(rows.features["activations"].dtype,
                             found.dtype.replace("bfloat16", "float32"))
            self.check_rows(found, rows.with_format("numpy")[:])
            streamed = datasets.load_dataset("hdf5", data_files=files, split="train",
                                             streaming=True, cache_dir=cache)
            streamed = list(streamed)
        self.check_rows(found, {name: [row[name] for row in streamed] for name in streamed[0]})

    @with_each_run
    def test_pandas_reads_a_table_of_each_shard_and_a_parquet_file(self, found):
        # A column of a frame has one dimension.
        frame = pandas.concat(pandas.DataFrame({
            name: list(values) if values.ndim > 1 else values
            for name, values in found.read(file).items()}) for file in found.files)
        self.check_rows(found, {name: numpy.stack(frame[name]) if values.ndim > 1
                                else frame[name]
                                for name, values in found.columns.items()})
        self.assertEqual(frame.groupby("sentence").size().tolist(),
                         numpy.unique(found.columns["sentence"], return_counts=True)[1].tolist())
        rows = pandas.read_parquet(self.parquet(found))
        self.check_rows(found, {
            name: [numpy.stack(value) if values.ndim > 2 else value for value in rows[name]]
            for name, values in found.columns.items()})

    def parquet(self, found):
        """A Parquet file with the columns of `found`."""
        path = self.folder / "rows.parquet"
        table = {}
        for name, values in found.columns.items():
            column = pyarrow.array(values.ravel())
            for width in reversed(values.shape[1:]):
                column = pyarrow.FixedSizeListArray.from_arrays(column, width)
            table[name] = column
        pyarrow.parquet.write_table(pyarrow.table(table), path)
        return path

    @with_each_run
    def test_pyarrow_takes_columns_and_tensors_and_reads_them_from_parquet(self, found):
        table = pyarrow.parquet.read_table(self.parquet(found))
        self.check_rows(found, table.to_pydict())
        values = found.columns["activations"]
        path = self.folder / "tensors.parquet"
        pyarrow.parquet.write_table(pyarrow.table({
            "activations": pyarrow.FixedShapeTensorArray.from_numpy_ndarray(values)}), path)
        tensors = pyarrow.parquet.read_table(path).column("activations").combine_chunks()
        if isinstance(tensors, pyarrow.ChunkedArray):
            tensors = tensors.chunk(0)
        self.assert_equal(tensors.to_numpy_ndarray(), values)

    @with_each_run
    def test_scikit_learn_learns_from_one_shard_after_the_other(self, found):
        scaler = sklearn.preprocessing.StandardScaler()
        for file in found.files:
            with h5py.File(file) as shard:
                scaler.partial_fit(shard["activations"][:].reshape(-1, NUMBERS))
        values = found.columns["activations"].reshape(-1, NUMBERS).astype("float64")
        numpy.testing.assert_allclose(scaler.mean_, values.mean(axis=0), rtol=1e-5, atol=1e-6)
        self.assertEqual(scaler.n_samples_seen_, len(values))

    def export(self, found, form, name):
        path = self.folder / name
        self.assert_exit(run("export", "--quiet", "--overwrite", found.folder, "--format", form,
                             "-o", path,
                             env={**os.environ, "HDF5_PLUGIN_PATH": hdf5plugin.PLUGIN_PATH}), DONE)
        return path

    @with_each_run
    def test_safetensors(self, found):
        path = self.export(found, "safetensors", "vectors.safetensors")
        tensors = safetensors.torch.load_file(path)
        self.assertEqual(tensors["activations"].dtype, getattr(torch, found.dtype))
        with h5py.File(found.folder / "index.h5") as index:
            expected = {"offsets": index["sentences/offsets"][:].astype("int64"),
                        "activations": found.columns["activations"]}
        if found.dtype == "int8":
            expected["scales"] = found.columns["scales"]
        elif found.dtype == "bfloat16":
            tensors["activations"] = tensors["activations"].to(torch.float32)
        self.assertEqual(sorted(tensors), sorted(expected))
        for name, values in expected.items():
            self.assert_equal(tensors[name], values)
        if found.dtype != "bfloat16":  # NumPy has none
            arrays = safetensors.numpy.load_file(path)
            for name, values in expected.items():
                self.assert_equal(arrays[name], values)

    @with_each_run
    def test_numpy_maps_an_exported_array(self, found):
        if found.dtype != "bfloat16":  # NumPy has none
            mapped = numpy.load(self.export(found, "npy", "vectors.npy"), mmap_mode="r")
            self.assert_equal(mapped, found.columns["activations"])

    def embed_top(self, name, *arguments):
        path = self.folder / name
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                             self.text, "--layers", "top", "-o", path, *arguments), DONE)
        return path

    def test_gensim_reads_mean_vectors_of_words(self):
        columns = Run(self.embed_top("top"), "float32").columns
        for name in ("words.txt", "words.bin"):
            vectors = gensim.models.KeyedVectors.load_word2vec_format(
                self.embed_top(name, "--average-words"), binary=name == "words.bin")
            self.assertEqual(set(vectors.key_to_index), set(columns["tokens"]))
            for word in vectors.key_to_index:
                rows = columns["activations"][columns["tokens"] == word, 0].astype("float64")
                numpy.testing.assert_allclose(vectors[word], rows.mean(axis=0), rtol=1e-5,
                                              atol=1e-7)


if __name__ == "__main__":
    unittest.main()
