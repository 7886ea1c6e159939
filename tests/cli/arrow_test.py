#!/usr/bin/env python3
"""`--format arrow`, read with the Python package's reader, which needs NumPy only; other readers are in
tests/clients."""

import io
import pathlib
import signal
import sys
import unittest

import h5py
import numpy

import tool
from tool import BAD_INPUT, DONE, INTERRUPTED, USAGE, english, run, start, wait_until

sys.path.insert(0, str(tool.TOP / "cli/python"))
from elmo import _arrow  # noqa: E402 (needs the path)

TEXT = "The bank was closed. We sat on the naïve bank.\n\nIt rained.\n"


def rows(data):
    """The rows of a stream: document, sentence, line, tokens, spans, vectors each; and its schema."""
    stream = _arrow.Stream(io.BytesIO(data))
    found = []
    for batch in stream:
        documents = batch.documents()
        for row in range(batch.count):
            begin, end = batch.ends[row:row + 2]
            found.append((documents[row], int(batch.sentence[row]), int(batch.line[row]),
                          batch.tokens(begin, end), batch.spans[begin:end].tolist(),
                          batch.vectors[begin:end]))
    return found, stream


def stream_of(file):
    """The stream in an Arrow file, between the magic words."""
    data = file.read_bytes()
    assert data.startswith(b"ARROW1\0\0") and data.endswith(b"ARROW1")
    return data[8:]


# The end of a stream.
END = b"\xff\xff\xff\xff\0\0\0\0"


class Arrow(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", TEXT)

    def embed(self, *arguments, text=None):
        result = run("embed", "--quiet", "--model", self.model, *arguments, text=text or b"")
        self.assert_exit(result, DONE)
        return result.stdout

    def shards(self, name, *arguments):
        folder = self.folder / name
        self.embed(self.text, "-o", folder, *arguments)
        return folder

    def export(self, folder, *arguments, code=DONE):
        result = run("export", "--quiet", folder, "--format", "arrow", *arguments)
        self.assert_exit(result, code)
        return result.stdout if code == DONE else result.stderr.decode()

    def check(self, data, folder, shape=(5, 8)):
        """Compares a stream with a run."""
        found, stream = rows(data)
        with h5py.File(folder / "index.h5") as index:
            offsets = index["sentences/offsets"][:].astype(int)
            values = index["activations"][:]
            if "scales" in index:
                values = values * index["scales"][:][..., None]
            ids = dict(zip(index["documents/number"][:], index["documents/id"].asstr()[:]))
            expected = [(ids[document], line, index["tokens"].asstr()[begin:end].tolist(),
                         index["spans"][begin:end].tolist())
                        for document, line, begin, end in
                        zip(index["sentences/document"], index["sentences/line"], offsets[:-1],
                            offsets[1:])]
            numbers = list(index["sentences/number"]) if "sentences/number" in index else \
                list(range(len(expected)))
            for name in ("model", "tokenizer", "precision"):
                self.assertEqual(stream.metadata[name], index.attrs[name])
        self.assertEqual(stream.shape, shape)
        self.assertEqual([(row[0], *row[2:5]) for row in found], expected)
        self.assertEqual([row[1] for row in found], numbers)
        numpy.testing.assert_array_equal(numpy.concatenate([row[5] for row in found]), values)

    def test_streams_and_files_match_the_shards(self):
        for dtype in ("float32", "float16", "int8"):
            for layers, shape in (("all", (5, 8)), ("top", (1, 16))):
                with self.subTest((dtype, layers)):
                    arguments = ("--dtype", dtype, "--layers", layers)
                    folder = self.shards(f"{dtype}-{layers}", *arguments)
                    data = self.embed(self.text, "--format", "arrow", *arguments)
                    self.check(data, folder, shape)
                    self.check(self.export(folder), folder, shape)
                    for name in ("run.arrows", "run.arrow"):
                        path = self.folder / name
                        self.export(folder, "-o", path, "--overwrite")
                        self.check(path.read_bytes() if name.endswith("s") else stream_of(path),
                                   folder, shape)

    def test_exported_layers_match_embed(self):
        folder = self.shards("run")
        self.check(self.export(folder, "--layers", "average"),
                   self.shards("average", "--layers", "average"), (1, 16))

    def test_pooled_and_selected_rows(self):
        self.text = self.write("text.txt", TEXT * 3)
        for name, arguments in (("pooled", ("--pool", "mean")),
                                ("documents", ("--pool", "max", "--pool-by", "document")),
                                ("selected", ("--words", "bank"))):
            with self.subTest(name):
                folder = self.shards(name, *arguments)
                self.check(self.embed(self.text, "--format", "arrow", *arguments), folder)
                self.check(self.export(folder), folder)

    def test_word_averages_are_rows(self):
        for name in ("words.arrow", "words.arrows"):
            path = self.folder / name
            self.embed(self.text, "--average-words", "-o", path)
            found, stream = rows(path.read_bytes() if name.endswith("s") else stream_of(path))
            text = self.folder / "words.vec"
            self.embed(self.text, "--average-words", "-o", text, "--overwrite")
            lines = [line.split(" ") for line in text.read_text().splitlines()[1:]]
            self.assertEqual([row[3] for row in found], [[line[0]] for line in lines])
            self.assertEqual([row[1] for row in found], list(range(len(lines))))
            numpy.testing.assert_allclose([row[5].ravel() for row in found],
                                          [list(map(float, line[1:])) for line in lines])

    def test_an_awaited_sentence_is_written_at_once(self):
        process = start("embed", "--quiet", "--model", self.model, "--lines", "--format", "arrow",
                        bufsize=0)
        with process:
            stream = _arrow.Stream(io.BufferedReader(process.stdout))
            batches = iter(stream)
            for number in range(3):
                process.stdin.write(b"It rains.\n")
                batch = next(batches)
                self.assertEqual((batch.count, int(batch.sentence[0])), (1, number))
            process.stdin.close()
            self.assertEqual(list(batches), [])
            self.assertEqual((process.stdout.read(), process.wait()), (b"", DONE))

    def test_only_a_whole_stream_has_an_end(self):
        self.assertTrue(self.embed(self.text, "--format", "arrow").endswith(END))
        with start("embed", "--quiet", "--model", self.model, "--lines", "--format", "arrow",
                   bufsize=0) as process:
            file = io.BufferedReader(process.stdout)
            batches = iter(_arrow.Stream(file))
            process.stdin.write(b"It rains.\n")
            self.assertEqual(next(batches).count, 1)
            process.kill()
            # Cut between two messages, as other readers take for the end.
            self.assertEqual((file.read(), process.wait()), (b"", -signal.SIGKILL))

    def test_exported_streams_are_those_of_embed(self):
        folder = self.shards("run")
        for form in ("jsonl", "npy"):
            result = run("export", "--quiet", folder, "--format", form)
            self.assertEqual(result.stdout, self.embed(self.text, "--format", form))
        (one, _), (other, _) = rows(self.export(folder)), rows(self.embed(self.text, "--format", "arrow"))
        self.assertEqual([row[:5] for row in one], [row[:5] for row in other])
        for row, expected in zip(one, other):
            numpy.testing.assert_array_equal(row[5], expected[5])

    def test_record_batches_are_large_in_bulk(self):
        self.text = self.write("text.txt", english(1 << 19))
        sizes = []
        for batch in _arrow.Stream(io.BytesIO(self.embed(self.text, "--format", "arrow"))):
            sizes.append(batch.vectors.nbytes)
        self.assertGreater(len(sizes), 2)
        folder = self.shards("run")
        sizes = [batch.vectors.nbytes
                 for batch in _arrow.Stream(io.BytesIO(self.export(folder)))]
        self.assertGreater(min(sizes[:-1]), 3 << 20)
        self.assertLess(max(sizes), 5 << 20)

    def test_an_input_without_sentences_is_a_table_without_rows(self):
        found, stream = rows(self.embed("--format", "arrow"))
        self.assertEqual((found, stream.shape), ([], (5, 8)))

    def test_unsupported_dtypes_and_names_without_a_form_are_refused(self):
        folder = self.shards("run", "--dtype", "bfloat16")
        result = run("embed", "--model", self.model, "--dtype", "bfloat16", "--format", "arrow",
                     self.text)
        self.assert_exit(result, USAGE)
        self.assertIn("Arrow has no type for bfloat16", result.stderr.decode())
        self.assertIn("Arrow has no type for bfloat16", self.export(folder, code=USAGE))
        self.check(self.export(folder, "--dtype", "float32"), folder)
        for name in ("table.feather", "table"):
            self.assertIn(".arrows", self.export(folder, "--dtype", "float32", "-o",
                                                 self.folder / name, code=USAGE))
        path = self.write("old.arrow", "old")
        self.assertIn("exists", self.export(folder, "--dtype", "float32", "-o", path, code=USAGE))
        self.assertEqual(path.read_bytes(), b"old")

    def test_a_stopped_export_leaves_nothing(self):
        self.text = self.write("text.txt", english(1 << 19))
        folder = self.shards("run")
        path = self.folder / "run.arrow"
        unfinished = pathlib.Path(f"{path}.unfinished")
        code = DONE
        while code == DONE:  # it ended before the signal reached it
            path.unlink(missing_ok=True)
            with start("export", folder, "--format", "arrow", "-o", path) as process:
                wait_until(lambda: unfinished.exists() or process.poll() is not None)
                process.send_signal(signal.SIGINT)
                process.communicate()
            code = process.returncode
        self.assertEqual(code, INTERRUPTED)
        self.assertEqual([one.name for one in self.folder.glob("run.arrow*")], [])

    def test_a_damaged_run_is_refused(self):
        folder = self.shards("run")
        (folder / "shard-00000.h5").unlink()
        self.assertIn("shard-00000.h5", self.export(folder, code=BAD_INPUT))


if __name__ == "__main__":
    unittest.main()
