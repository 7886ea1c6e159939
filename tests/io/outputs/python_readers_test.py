#!/usr/bin/env python3
"""Reads what the sinks write with h5py, NumPy and json.

    python_readers_test.py ELMO_IO_TESTS

Exits with 77, skipped, where h5py is not installed.
"""

import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "cli/python"))
from elmo import _arrow  # noqa: E402 (needs the path)

TESTS = sys.argv.pop()
SENTENCES = 20
ROWS, WIDTH = 3, 4

# Tolerance per number; for int8, one step of its row.
TOLERANCES = {"float32": 1e-6, "float16": 2e-3, "bfloat16": 2**-8, "int8": 0}


def sentence(number):
    """Tokens, spans, document and line of tests/fixtures/activations.h."""
    tokens = [f"tökén{number}-{token}" for token in range((number * 5 + 2) % 7)]
    spans = [
        (100 * number + 10 * index, 100 * number + 10 * index + len(token.encode()))
        for index, token in enumerate(tokens)
    ]
    return tokens, spans, number // 3, number % 3 + 1


def activations(number, tokens):
    one = numpy.float32
    index = numpy.arange(tokens * ROWS * WIDTH, dtype=one)
    values = one(number) + one(0.1) * index - one(2)
    return values.reshape(tokens, ROWS, WIDTH)


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        subprocess.run(
            [TESTS, "--no-skip", "--test-case=samples for other readers"],
            env={**os.environ, "ELMO_SAMPLES": str(cls.folder)},
            check=True,
            stdout=subprocess.DEVNULL,
        )

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check_sentence(self, file, tables, number, first, last, base):
        tokens, spans, document, line = sentence(number)
        self.assertEqual([token.decode() for token in file["tokens"][first:last]], tokens)
        self.assertEqual([tuple(span) for span in file["spans"][first:last]], spans)
        self.assertTrue((file["sentence"][first:last] == number).all())
        self.assertTrue((file["document"][first:last] == document).all())
        self.assertEqual(tables["sentences/document"][number - base], document)
        self.assertEqual(tables["sentences/line"][number - base], line)
        expected = activations(number, len(tokens)).astype("f8")
        found = file["activations"][first:last].astype("f8")
        dtype = file.attrs["dtype"]
        tolerance = TOLERANCES[dtype] * numpy.abs(expected)
        if dtype == "int8":
            found *= file["scales"][first:last][..., None]
            tolerance = numpy.abs(expected).max(axis=2, keepdims=True) / 253
        self.assertTrue((numpy.abs(found - expected) <= tolerance).all())

    def check_file(self, file, tables, base, count):
        offsets = tables["sentences/offsets"][()]
        self.assertEqual(len(offsets), count + 1)
        self.assertEqual(offsets[-1], len(file["tokens"]))
        for number in range(base, base + count):
            self.check_sentence(file, tables, number, offsets[number - base],
                                offsets[number - base + 1], base)
        documents = dict(zip(tables["documents/number"][()], tables["documents/id"].asstr()[()]))
        self.assertEqual(
            documents,
            {n: f"döcument/{n}.txt" for n in range(base // 3, (base + count - 1) // 3 + 1)},
        )

    def check_groups(self, shard, base, count):
        """A shard alone shows which of its tokens belong to one sentence or document."""
        filled = [number for number in range(base, base + count) if sentence(number)[0]]
        begins = numpy.flatnonzero(numpy.diff(shard["sentence"][:])) + 1
        found = numpy.split(shard["tokens"].asstr()[:], begins)
        self.assertEqual(list(map(list, found)), [sentence(number)[0] for number in filled])
        self.assertEqual(list(numpy.unique(shard["document"])),
                         sorted({sentence(number)[2] for number in filled}))

    def test_shards_and_index(self):
        for dtype in TOLERANCES:
            folder = self.folder / dtype
            with h5py.File(folder / "index.h5") as index:
                self.assertEqual(index.attrs["format"], "elmo index")
                # NumPy has no bfloat16: h5py widens them.
                self.assertEqual(index["activations"].dtype, dtype.replace("bfloat16", "float32"))
                self.assertEqual("scales" in index, dtype == "int8")
                self.check_file(index, index, 0, SENTENCES)
            for number, (base, count) in enumerate(((0, 8), (8, 8), (16, 4))):
                with h5py.File(folder / f"shard-{number:05}.h5") as shard, \
                        h5py.File(folder / f"tables-{number:05}.h5") as tables:
                    self.assertEqual(shard.attrs["format"], "elmo shard")
                    self.assertEqual(shard.attrs["format_version"], 2)
                    self.assertEqual(shard.attrs["model"], "sample")
                    self.assertEqual(list(shard.attrs["layers"]), ["x", "forward_1", "backward_1"])
                    self.assertEqual(shard.attrs["first_sentence"], base)
                    self.assertEqual(shard.attrs["next_sentence"], base + count)
                    compression = "gzip" if dtype == "float16" else None
                    self.assertEqual(shard["activations"].compression, compression)
                    self.assertEqual(set(map(len, shard.values())), {len(shard["tokens"])})
                    self.assertEqual(shard.keys() - {"scales"}, {"activations", "tokens", "spans",
                                                                 "sentence", "document"})
                    self.check_groups(shard, base, count)
                    self.assertEqual(tables.attrs["format"], "elmo tables")
                    self.assertEqual(tables.attrs["input_hash"], shard.attrs["input_hash"])
                    self.check_file(shard, tables, base, count)

    def test_bits_of_bfloat16(self):
        exact = numpy.concatenate([activations(n, len(sentence(n)[0])) for n in range(SENTENCES)])
        bits = exact.view("u4")
        rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("u2")
        with h5py.File(self.folder / "bfloat16" / "shard-00000.h5") as file:
            data = file["activations"]
            found = numpy.empty(data.shape, "u2")
            data.id.read(h5py.h5s.ALL, h5py.h5s.ALL, found, data.id.get_type())
            numpy.testing.assert_array_equal(found, rounded[: len(found)])
            widened = (found.astype("u4") << 16).view("f4")
            numpy.testing.assert_array_equal(data[:], widened)

    def test_int8_is_rounded_by_its_scales(self):
        exact = numpy.concatenate([activations(n, len(sentence(n)[0])) for n in range(SENTENCES)])
        with h5py.File(self.folder / "int8" / "index.h5") as file:
            scales = numpy.abs(exact).max(axis=2) / numpy.float32(127)
            numpy.testing.assert_array_equal(file["scales"][:], scales)
            steps = numpy.rint(exact / scales[..., None])
            numpy.testing.assert_array_equal(file["activations"][:], steps)
            self.assertEqual(file["activations"].dtype, "int8")

    def test_float32_is_exact(self):
        with h5py.File(self.folder / "float32" / "index.h5") as index:
            parts = [activations(n, len(sentence(n)[0])) for n in range(SENTENCES)]
            numpy.testing.assert_array_max_ulp(index["activations"][()], numpy.concatenate(parts), 1)

    def test_folder_can_be_moved(self):
        moved = self.folder / "moved"
        shutil.copytree(self.folder / "float32", moved)
        here = os.getcwd()
        os.chdir("/")
        try:
            with h5py.File(moved / "index.h5") as index:
                self.check_file(index, index, 0, SENTENCES)
        finally:
            os.chdir(here)

    def test_npy(self):
        for dtype in ("float32", "float16"):
            with open(self.folder / f"{dtype}.npy", "rb") as file:
                for number in range(SENTENCES):
                    array = numpy.load(file)
                    self.assertEqual(array.dtype, dtype)
                    expected = activations(number, len(sentence(number)[0]))
                    numpy.testing.assert_allclose(array, expected.astype(dtype), rtol=2e-3, atol=0)
                self.assertEqual(file.read(), b"")

    def test_jsonl(self):
        for dtype in TOLERANCES:
            with open(self.folder / f"{dtype}.jsonl", encoding="utf-8") as file:
                objects = [json.loads(line) for line in file]
            self.assertEqual(len(objects), SENTENCES)
            for number, found in enumerate(objects):
                tokens, spans, document, line = sentence(number)
                self.assertEqual(found["tokens"], tokens)
                self.assertEqual([tuple(span) for span in found["spans"]], spans)
                self.assertEqual(found["document"], f"döcument/{document}.txt")
                self.assertEqual((found["sentence"], found["line"]), (number, line))
                vectors = numpy.array(found["vectors"], "f4").reshape(len(tokens), ROWS, WIDTH)
                with h5py.File(self.folder / dtype / "index.h5") as file:
                    rows = slice(*file["sentences/offsets"][number : number + 2])
                    array = file["activations"][rows].astype("f4")
                    if dtype == "int8":
                        array *= file["scales"][rows][..., None]
                numpy.testing.assert_array_equal(vectors, array)

    def test_arrow(self):
        for dtype in ("float32", "float16", "int8"):
            stream = (self.folder / f"{dtype}.arrows").read_bytes()
            file = (self.folder / f"{dtype}.arrow").read_bytes()
            # A file is a stream between magic words, with the padding of another beginning.
            for data in (stream, file[8:]):
                found = _arrow.Stream(io.BytesIO(data))
                self.assertEqual((found.shape, found.dtype), ((ROWS, WIDTH), dtype))
                self.assertEqual(found.layers, ["x", "forward_1", "backward_1"])
                self.assertEqual(found.metadata["model"], "sample")
                rows, = found
                self.assertEqual(rows.documents(), [f"döcument/{sentence(number)[2]}.txt"
                                                    for number in range(SENTENCES)])
                self.assertEqual(rows.sentence.tolist(), list(range(SENTENCES)))
                self.assertEqual(rows.line.tolist(),
                                 [sentence(number)[3] for number in range(SENTENCES)])
                for number, (begin, end) in enumerate(zip(rows.ends, rows.ends[1:])):
                    tokens, spans, _, _ = sentence(number)
                    self.assertEqual(rows.tokens(begin, end), tokens)
                    self.assertEqual(list(map(tuple, rows.spans[begin:end])), spans)
                with h5py.File(self.folder / dtype / "index.h5") as index:
                    values = index["activations"][()]
                    if dtype == "int8":
                        values = values * index["scales"][()][..., None]
                numpy.testing.assert_array_equal(rows.vectors, values)

    def test_allennlp(self):
        with h5py.File(self.folder / "allennlp.hdf5") as file:
            index = json.loads(file["sentence_to_index"][0])
            self.assertEqual(file["sentence_to_index"].shape, (1,))
            self.assertEqual(
                sorted(int(key) for key in file if key != "sentence_to_index"),
                list(range(SENTENCES)),
            )
            for number in range(SENTENCES):
                tokens = sentence(number)[0]
                array = file[str(number)][()]
                self.assertEqual(array.dtype, "float32")
                self.assertEqual(array.shape, (2, len(tokens), 2 * WIDTH))
                rows = activations(number, len(tokens))
                expected = [
                    numpy.concatenate((rows[:, 0], rows[:, 0]), 1),
                    numpy.concatenate((rows[:, 1], rows[:, 2]), 1),
                ]
                numpy.testing.assert_array_max_ulp(array, numpy.stack(expected), 1)
                if tokens:
                    self.assertEqual(index[" ".join(tokens)], str(number))


if __name__ == "__main__":
    unittest.main()
