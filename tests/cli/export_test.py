#!/usr/bin/env python3
"""`elmo export`: a run as arrays and as the streams that `elmo embed` writes."""

import json
import math
import signal
import struct
import unittest

import h5py
import numpy
import tool
from tool import BAD_INPUT, DONE, INTERRUPTED, USAGE, english, run, start

LAYERS = ((), ("--layers", "top"), ("--layers", "average", "--layer-norm"),
          ("--layers", "mix", "--mix-weights", "0.5,-1,2e-3", "--gamma", "0.7"))
ELEMENTS = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "I8": "|i1", "I64": "<i8"}


def tensors(path):
    """The tensors of a safetensors file, by the format's own description, and its metadata."""
    content = path.read_bytes()
    size, = struct.unpack("<Q", content[:8])
    assert size % 8 == 0 and content[8:9] == b"{"
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    metadata = header.pop("__metadata__")
    assert all(isinstance(value, str) for value in metadata.values())
    found, end = {}, 0
    for name, told in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, past = told["data_offsets"]
        element = numpy.dtype(ELEMENTS[told["dtype"]])
        assert begin == end and past - begin == math.prod(told["shape"]) * element.itemsize
        assert (8 + size + begin) % element.itemsize == 0
        found[name] = numpy.frombuffer(data[begin:past], element).reshape(told["shape"])
        end = past
    assert end == len(data)
    return found, metadata


class Export(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", b"The bank was closed.\n\n" + english(1 << 13))
        self.run = self.embed("run", "--shard-size", "64K")

    def embed(self, name, *arguments, text=None):
        output = self.folder / name
        self.assert_exit(run("embed", "--quiet", "--model", self.model, text or self.text, "-o",
                             output, *arguments), DONE)
        return output

    def export(self, form, *arguments, folder=None):
        return run("export", "--quiet", folder or self.run, "--format", form, *arguments)

    def file(self, form, name, *arguments, folder=None):
        path = self.folder / name
        self.assert_exit(self.export(form, "-o", path, *arguments, folder=folder), DONE)
        return path

    def shards(self, folder, *names):
        with h5py.File(folder / "index.h5") as file:
            return [file[name][:] for name in names]

    def test_streams_match_embed(self):
        self.assertGreater(len(list(self.run.glob("shard-*"))), 2)
        for layers in LAYERS:
            for form, dtypes in (("jsonl", ("float32", "float16", "bfloat16", "int8")),
                                 ("npy", ("float32", "float16"))):
                for dtype in dtypes:
                    with self.subTest(layers=layers, form=form, dtype=dtype):
                        embedded = run("embed", "--quiet", "--model", self.model, self.text,
                                       "--format", form, "--dtype", dtype, *layers)
                        self.assert_exit(embedded, DONE)
                        exported = self.export(form, "--dtype", dtype, *layers)
                        self.assert_exit(exported, DONE)
                        self.assertTrue(exported.stdout == embedded.stdout)

    def test_the_stream_of_a_pooled_run_matches_embed(self):
        for unit in ("sentence", "document"):
            pooled = ("--pool", "mean", "--pool-by", unit)
            folder = self.embed(unit, *pooled)
            embedded = run("embed", "--quiet", "--model", self.model, self.text, "--format", "npy",
                           *pooled)
            self.assert_exit(embedded, DONE)
            exported = self.export("npy", folder=folder)
            self.assert_exit(exported, DONE)
            self.assertTrue(exported.stdout == embedded.stdout)

    def test_rounded_numbers_stay_unchanged(self):
        for dtype in ("float16", "bfloat16", "int8"):
            folder = self.embed(dtype, "--dtype", dtype, "--boundaries")
            embedded = run("embed", "--quiet", "--model", self.model, self.text, "--format",
                           "jsonl", "--dtype", dtype, "--boundaries")
            self.assertTrue(self.export("jsonl", folder=folder).stdout == embedded.stdout)
            path = self.file("jsonl", f"{dtype}.jsonl", folder=folder)
            self.assertEqual(path.read_bytes(), embedded.stdout)

    def test_one_array_and_its_offsets(self):
        activations, offsets = self.shards(self.run, "activations", "sentences/offsets")
        for dtype in ("float32", "float16"):
            path = self.file("npy", f"{dtype}.npy", "--dtype", dtype)
            mapped = numpy.load(path, mmap_mode="r")
            self.assertEqual(mapped.dtype, dtype)
            numpy.testing.assert_array_equal(mapped, activations.astype(dtype))
            found = numpy.load(self.folder / f"{dtype}.offsets.npy")
            self.assertEqual(found.dtype, "uint64")
            numpy.testing.assert_array_equal(found, offsets)
            self.assertFalse((self.folder / f"{dtype}.scales.npy").exists())
        names = {path.name for path in self.folder.iterdir()}
        self.assertEqual(names, {"text.txt", "run", "float32.npy", "float32.offsets.npy",
                                 "float16.npy", "float16.offsets.npy"})

    def test_int8_has_its_scales(self):
        steps, scales = self.shards(self.embed("int8", "--dtype", "int8"), "activations", "scales")
        path = self.file("npy", "bytes", "--dtype", "int8")
        numpy.testing.assert_array_equal(numpy.load(path, mmap_mode="r"), steps)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "bytes.scales.npy"), scales)
        # From int8 to int8 the steps stay, the scales to within a rounding.
        again = self.file("npy", "again.npy", folder=self.folder / "int8")
        numpy.testing.assert_array_equal(numpy.load(again), steps)
        numpy.testing.assert_array_max_ulp(numpy.load(self.folder / "again.scales.npy"), scales, 1)

    def test_safetensors(self):
        activations, offsets = self.shards(self.run, "activations", "sentences/offsets")
        for dtype, element in (("float32", "<f4"), ("float16", "<f2"), ("bfloat16", "<u2"),
                               ("int8", "|i1")):
            path = self.file("safetensors", f"{dtype}.safetensors", "--dtype", dtype)
            found, metadata = tensors(path)
            self.assertEqual(metadata["layers"], "x,forward_1,backward_1,forward_2,backward_2")
            self.assertIn("model", metadata)
            numpy.testing.assert_array_equal(found.pop("offsets"), offsets)
            values = found.pop("activations")
            self.assertEqual(values.dtype, element)
            tolerance = 1e-3 * abs(activations) + 1e-7
            if dtype == "bfloat16":
                values = (values.astype("u4") << 16).view("f4")
                tolerance = 2**-8 * abs(activations)
            if dtype == "int8":
                scales = found.pop("scales")[..., None]
                values, tolerance = values * scales, 0.501 * scales
            self.assertEqual(found, {})
            self.assertTrue((abs(values - activations) <= tolerance).all())
        try:
            from safetensors.numpy import load_file
        except ImportError:
            return
        numpy.testing.assert_array_equal(load_file(self.folder / "float32.safetensors")["activations"],
                                         activations)

    def test_layers_are_selected(self):
        for layers in LAYERS[1:]:
            expected, = self.shards(self.embed(layers[1], *layers), "activations")
            found = numpy.load(self.file("npy", f"{layers[1]}.npy", *layers))
            numpy.testing.assert_array_equal(found, expected)
            same = numpy.load(self.file("npy", f"{layers[1]}-run.npy",
                                        folder=self.folder / layers[1]))
            numpy.testing.assert_array_equal(same, expected)

    def test_a_run_without_tokens(self):
        for text, sentences in (("", 0), ("\n\n", 1)):
            empty = self.embed(f"empty{sentences}", text=self.write("empty.txt", text))
            array = numpy.load(self.file("npy", f"e{sentences}.npy", folder=empty), mmap_mode=None)
            self.assertEqual(array.shape, (0, 5, 8))
            offsets = numpy.load(self.folder / f"e{sentences}.offsets.npy")
            self.assertEqual(offsets.tolist(), [0] * (sentences + 1))
            found, _ = tensors(self.file("safetensors", f"e{sentences}", folder=empty))
            self.assertEqual(found["activations"].shape, (0, 5, 8))
            self.assertEqual(self.export("jsonl", folder=empty).stdout.count(b"\n"), sentences)

    def test_files_are_replaced_only_on_request(self):
        for form, names in (("npy", ("a.npy", "a.offsets.npy")), ("jsonl", ("a.jsonl",)),
                            ("safetensors", ("a.safetensors",))):
            for name in names:
                self.write(name, "mine")
                path = self.folder / names[0]
                result = self.export(form, "-o", path)
                self.assert_exit(result, USAGE)
                self.assertIn("--overwrite", result.stderr.decode())
                self.assertEqual((self.folder / name).read_text(), "mine")
                self.assert_exit(self.export(form, "-o", path, "--overwrite"), DONE)
                self.assertNotEqual((self.folder / name).read_bytes(), b"mine")
                for other in names:
                    (self.folder / other).unlink()

    def test_old_scales_are_removed_with_the_numbers_they_belong_to(self):
        path = self.file("npy", "again.npy", "--dtype", "int8")
        scales = self.folder / "again.scales.npy"
        self.assertTrue(scales.exists())
        self.assert_exit(self.export("npy", "-o", path, "--overwrite", "--dtype", "float32"), DONE)
        self.assertEqual(numpy.load(path).dtype, numpy.float32)
        self.assertFalse(scales.exists())
        self.write(scales.name, "mine")
        path.unlink()
        (self.folder / "again.offsets.npy").unlink()
        result = self.export("npy", "-o", path, "--dtype", "float32")
        self.assert_exit(result, USAGE)
        self.assertIn("again.scales.npy exists", result.stderr.decode())
        self.assertEqual(scales.read_text(), "mine")

    def test_invalid_requests_are_refused(self):
        top = self.embed("top", "--layers", "top")
        unfinished = self.embed("unfinished")
        manifest = json.loads((unfinished / "manifest.json").read_text())
        (unfinished / "manifest.json").write_text(json.dumps({**manifest, "complete": False,
                                                             "index": None}))
        path = self.folder / "out"
        for form, arguments, folder, code, words in (
                ("npy", ("--dtype", "bfloat16", "-o", path), None, USAGE, "no bfloat16"),
                ("npy", ("--dtype", "int8"), None, USAGE, "scales"),
                ("safetensors", (), None, USAGE, "standard output; use -o PATH"),
                ("arrow", ("-o", "a.parquet"), None, USAGE, "use .arrow for a file"),
                ("jsonl", ("--layers", "top"), top, BAD_INPUT, "expected all layers"),
                ("jsonl", (), unfinished, BAD_INPUT, "has not ended"),
                ("jsonl", (), self.folder, BAD_INPUT, "manifest.json"),
                ("jsonl", ("--layers", "mix", "--mix-weights", "1,2"), None, USAGE, "expected 3"),
                ("jsonl", ("--gamma", "2"), None, USAGE, "--layers mix"),
                ("jsonl", ("--overwrite",), None, USAGE, "-o PATH"),
                ("hdf5", (), None, USAGE, "--format")):
            with self.subTest(words=words):
                result = self.export(form, *arguments, folder=folder)
                self.assert_exit(result, code)
                self.assertIn(words, result.stderr.decode())
                self.assertFalse(path.exists())

    def test_numbers_that_the_format_cannot_hold(self):
        large = ("--layers", "mix", "--layer-norm", "--gamma", "1e6", "--dtype", "float16")
        path = self.folder / "large.npy"
        result = self.export("npy", *large, "-o", path)
        self.assert_exit(result, tool.FAILURE)
        self.assertIn("sentence 0", result.stderr.decode())
        self.assertEqual(list(self.folder.glob("large*")), [])

    def test_a_stopped_export_leaves_nothing(self):
        folder = self.embed("long", text=self.write("long.txt", english(1 << 18)))
        path = self.folder / "stopped.jsonl"
        with start("export", folder, "--format", "jsonl", "-o", path) as process:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate()
        self.assertIn(process.returncode, (INTERRUPTED, DONE, -signal.SIGTERM), errors)
        self.assertEqual(path.exists(), process.returncode == DONE)
        if process.returncode == INTERRUPTED:
            self.assertIn("nothing was written", errors.decode())
            self.assertEqual(list(self.folder.glob("stopped*")), [])


if __name__ == "__main__":
    unittest.main()
