#!/usr/bin/env python3
"""Real clients read Arrow: streams and files of every dtype, with empty sentences. Their values equal
those that h5py reads from the shards.

Runs in the virtual environment of `make check-clients`, which has the clients.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

import tool
from readers import NUMBERS, TEXT, Run
from tool import DONE, run

# The dtypes that a client does not read: DuckDB has no float16.
UNREAD = {"duckdb": ("float16",)}
COLUMNS = ["document", "sentence", "line", "tokens", "spans", "activations"]


def with_each(test):
    """The test, in a subtest for each dtype."""
    def test_all(self):
        for dtype in self.runs:
            with self.subTest(dtype):
                test(self, self.runs[dtype], self.streams[dtype], self.files[dtype])
    return test_all


class ArrowReaders(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        top = pathlib.Path(folder.name)
        text = top / "text.txt"
        text.write_text(TEXT, encoding="utf-8")
        cls.runs, cls.streams, cls.files = {}, {}, {}
        for dtype in ("float32", "float16", "int8"):
            arguments = ("--quiet", "--model", cls.model, "--input-format", "tokens", text, "--dtype",
                         dtype)
            made = run("embed", *arguments, "-o", top / dtype)
            assert made.returncode == DONE, made.stderr
            cls.runs[dtype] = Run(top / dtype, dtype)
            # The stream comes out of a pipe, the file from an export.
            cls.streams[dtype] = top / f"{dtype}.arrows"
            cls.files[dtype] = top / f"{dtype}.arrow"
            made = run("embed", *arguments, "--format", "arrow")
            assert made.returncode == DONE, made.stderr
            cls.streams[dtype].write_bytes(made.stdout)
            made = run("export", "--quiet", top / dtype, "--format", "arrow", "-o", cls.files[dtype])
            assert made.returncode == DONE, made.stderr

    def check(self, found, columns):
        """Compares columns, as lists of Python or arrays, with the shards'."""
        expected = found.columns
        rows = len(columns["document"])
        self.assertEqual(rows, TEXT.count("\n"))
        self.assertEqual(list(columns["sentence"]), list(range(rows)))
        self.assertEqual(list(columns["line"]), list(range(1, rows + 1)))
        tokens = [token for row in columns["tokens"] for token in row]
        self.assertEqual(tokens, expected["tokens"].tolist())
        counts = numpy.bincount(expected["sentence"].astype(int), minlength=rows)
        self.assertEqual([len(row) for row in columns["tokens"]], counts.tolist())
        for name, width in (("spans", 2), ("activations", NUMBERS), ("scales", 5)):
            if name not in expected:
                continue
            values = [value for row in columns[name] for value in row]
            numpy.testing.assert_array_equal(
                numpy.array([list(value) for value in values], expected[name].dtype),
                expected[name].reshape(-1, width))

    @with_each
    def test_pyarrow_maps_both_without_a_copy(self, found, stream, file):
        for opened in (pyarrow.ipc.open_stream(pyarrow.memory_map(str(stream))),
                       pyarrow.ipc.open_file(pyarrow.memory_map(str(file)))):
            before = pyarrow.total_allocated_bytes()
            table = opened.read_all()
            self.assertLess(pyarrow.total_allocated_bytes() - before, 10_000)
            table.validate(full=True)
            self.check(found, table.to_pydict())
            values = table["activations"].chunk(0).values.flatten()
            self.assertEqual(values.buffers()[1].address % 64, 0)
            numpy.testing.assert_array_equal(
                values.to_numpy(), found.columns["activations"].ravel()[:len(values)])
            metadata = {key.decode(): value.decode()
                        for key, value in table.schema.metadata.items()}
            self.assertEqual(metadata["shape"], "[5,8]")
            self.assertEqual(metadata["dtype"], found.dtype)
            self.assertIn("model", metadata)

    @with_each
    def test_pyarrow_reads_a_pipe_and_writes_parquet(self, found, stream, _):
        with subprocess.Popen(["cat", stream], stdout=subprocess.PIPE) as process, \
                pyarrow.ipc.open_stream(process.stdout) as reader:
            table = reader.read_all()
        path = self.folder / "vectors.parquet"
        pyarrow.parquet.write_table(table, path)
        self.check(found, pyarrow.parquet.read_table(path).to_pydict())

    @with_each
    def test_pandas(self, found, _, file):
        self.check(found, pandas.read_feather(file))

    @with_each
    def test_polars(self, found, stream, file):
        for frame in (polars.read_ipc_stream(stream), polars.read_ipc(file),
                      polars.scan_ipc(file).collect()):
            self.check(found, frame.to_dict(as_series=False))

    @with_each
    def test_duckdb(self, found, stream, file):
        if found.dtype in UNREAD["duckdb"]:
            self.skipTest(f"DuckDB has no {found.dtype}")
        for rows in (pyarrow.ipc.open_stream(pyarrow.memory_map(str(stream))),
                     pyarrow.ipc.open_file(pyarrow.memory_map(str(file))).read_all()):
            answer = duckdb.sql("SELECT * FROM rows ORDER BY sentence")
            self.check(found, dict(zip(answer.columns, zip(*answer.fetchall()))))

    @with_each
    def test_datasets_maps_a_stream(self, found, stream, _):
        rows = datasets.Dataset.from_file(str(stream))
        self.assertEqual([one["filename"] for one in rows.cache_files], [str(stream)])
        self.check(found, rows.with_format("numpy")[:])

    @with_each
    def test_javascript(self, found, stream, file):
        modules = os.environ.get("ELMO_NODE_MODULES")
        if modules is None:
            self.skipTest("needs Node.js")
        for path in (stream, file):
            result = subprocess.run(
                ["node", tool.TOP / "tests/clients/arrow_reader.js", path], check=True,
                stdout=subprocess.PIPE, env={**os.environ, "NODE_PATH": modules})
            columns = pyarrow.ipc.open_stream(stream).schema.names
            sums = dict(zip(["rows", *columns[3:]], result.stdout.decode().split()))
            self.assertEqual(int(sums["rows"]), TEXT.count("\n"))
            self.assertEqual(int(sums["tokens"]),
                             sum(len(token) for token in found.columns["tokens"]))
            for name in columns[4:]:
                self.assertAlmostEqual(
                    float(sums[name]) / float(found.columns[name].astype("f8").sum() or 1), 1, 9)

    def test_rows_without_tokens_and_pooled_rows(self):
        result = run("embed", "--quiet", "--model", self.model, "--format", "arrow", "--pool", "mean",
                     text="One two. Three.\n")
        self.assert_exit(result, DONE)
        table = pyarrow.ipc.open_stream(result.stdout).read_all().to_pydict()
        self.assertEqual(table["tokens"], [["One two ."], ["Three ."]])
        self.assertEqual(table["spans"], [[[0, 8]], [[9, 15]]])
        self.assertEqual([len(row) for row in table["activations"]], [1, 1])


if __name__ == "__main__":
    unittest.main()
