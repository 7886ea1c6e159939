#!/usr/bin/env python3
"""The Python package's Run, with NumPy and h5py: every dtype, any number of shards, damage."""

import contextlib
import errno
import io
import json
import os
import pathlib
import pickle
import resource
import shutil
import sys
import unittest
from unittest import mock

import h5py
import numpy

import shards
import tool
from disk_full_test import small_disk
from tool import DONE, ELMO, run

os.environ["ELMO_PROGRAM"] = str(pathlib.Path(ELMO).resolve())
sys.path.insert(0, str(tool.TOP / "cli/python"))
import elmo  # noqa: E402 (needs the path)

TEXT = "\n\n" + "".join(f"a{n} naïve café {n} 東京 b é\n" + "\n" * (n % 3) +
                        f"The bank {n} was closed .\n" for n in range(300)) + "\n"


class PythonRuns(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = cls.model.parent / "text.txt"
        cls.text.write_text(TEXT, encoding="utf-8")

    def embed(self, name, *arguments, exit_code=DONE):
        output = self.folder / name
        self.assert_exit(run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                             self.text, "-o", output, *arguments), exit_code)
        return output

    def check(self, folder):
        """Compares all of a run with its index, as h5py reads it."""
        found = elmo.open(folder)
        with h5py.File(folder / "index.h5") as index:
            offsets = index["sentences/offsets"][:].astype(int)
            values = index["activations"][:]
            if "scales" in index:
                values = values * index["scales"][:][..., None]
            tokens, spans = index["tokens"].asstr()[:], index["spans"][:]
            ids = dict(zip(index["documents/number"][:], index["documents/id"].asstr()[:]))
            documents = [ids[number] for number in index["sentences/document"][:]]
            lines = index["sentences/line"][:].tolist()
        self.assertEqual(len(found), len(offsets) - 1)
        self.assertEqual(found.token_count, len(tokens))
        for number, sentence in enumerate(found):
            begin, end = offsets[number:number + 2]
            self.assertEqual(sentence.tokens, tokens[begin:end].tolist())
            self.assertEqual(sentence.spans.tolist(), spans[begin:end].tolist())
            self.assertEqual((sentence.document, sentence.line), (documents[number], lines[number]))
            self.assertEqual(sentence.vectors.dtype, values.dtype)
            numpy.testing.assert_array_equal(sentence.vectors, values[begin:end])
        return found

    def test_every_dtype_compressed_or_not_in_any_number_of_shards(self):
        for dtype in ("float32", "float16", "bfloat16", "int8"):
            for compression, size in (("none", "8K"), ("gzip", "1G")):
                with self.subTest((dtype, compression)):
                    found = self.check(self.embed(f"{dtype}-{compression}", "--dtype", dtype,
                                                  "--compression", compression, "--shard-size",
                                                  size))
                    self.assertEqual((found.dtype, found.shape), (dtype, (5, 8)))

    def test_merged_parts_pooled_rows_and_selected_tokens(self):
        for part in range(3):
            parts = self.embed("parts", "--parts", 3, "--part", part)
        self.assert_exit(run("merge", parts), DONE)
        merged = self.check(parts)
        plain = elmo.open(self.embed("plain"))
        self.assertEqual([one.tokens for one in merged], [one.tokens for one in plain])
        pooled = self.check(self.embed("pooled", "--pool", "mean"))
        self.assertEqual(pooled[3].tokens, [" ".join(plain[3].tokens)])
        selected = self.check(self.embed("selected", "--words", "bank"))
        self.assertEqual((len(selected), selected[0].tokens), (300, ["bank"]))
        self.assertEqual(plain[selected[7].number].tokens[:3], ["The", "bank", "7"])

    def test_a_run_is_a_sequence(self):
        found = elmo.open(self.embed("run", "--shard-size", "4K"))
        tokens = [one.tokens for one in found]
        self.assertEqual([one.tokens for one in found[10:20]], tokens[10:20])
        self.assertEqual([one.tokens for one in found[50:3:-7]], tokens[50:3:-7])
        self.assertEqual(found[-2].tokens, tokens[-2])
        self.assertEqual(found[20:10], [])
        self.assertEqual(found[5].vectors.shape, (len(tokens[5]), 5, 8))
        for index in (len(found), -len(found) - 1):
            message = f"^sentence index out of range: found {index}; the run has {len(found)} "
            with self.assertRaisesRegex(IndexError, message):
                found[index]
            with self.assertRaisesRegex(IndexError, message):
                found.vectors(index)
        with self.assertRaises(TypeError):
            found[1.5]
        with self.assertRaisesRegex(TypeError, "^'slice' object cannot be interpreted as an integer$"):
            found.vectors(slice(0, 2))
        self.assertEqual(found[numpy.int64(3)].tokens, tokens[3])
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            relative = elmo.open("run")
        finally:
            os.chdir(here)
        self.assertEqual([one.tokens for one in relative], tokens)
        copy = pickle.loads(pickle.dumps(found))
        numpy.testing.assert_array_equal(copy[5].vectors, found[5].vectors)

    def test_a_forked_process_can_read_too(self):
        found = elmo.open(self.embed("run", "--compression", "gzip"))
        expected = found[3].vectors
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if (found[3].vectors == expected).all() else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_incomplete_runs_and_other_folders_are_refused(self):
        with self.assertRaisesRegex(elmo.InputError, "text.txt: found no run"):
            elmo.open(self.text)
        with self.assertRaisesRegex(elmo.InputError, "missing: found no run"):
            elmo.open(self.folder / "missing")
        folder = self.embed("run")
        manifest = (folder / "manifest.json").read_text()
        (folder / "manifest.json").write_text(manifest.replace('"complete": true',
                                                               '"complete": false'))
        with self.assertRaisesRegex(elmo.InputError, "not complete"):
            elmo.open(folder)
        (folder / "manifest.json").write_text(manifest)
        for member, value in (("dtype", 3), ("dtype", "float64"), ("shards", 1), ("shards", [{}])):
            changed = json.dumps({**json.loads(manifest), member: value})
            (folder / "manifest.json").write_text(changed)
            with self.assertRaisesRegex(elmo.InputError, "found no run"):
                elmo.open(folder)
        (folder / "manifest.json").write_text(manifest)
        whole = (folder / "index.h5").read_bytes()
        for name, row, value, reason in (("offsets", -1, 7, "7 tokens"), ("offsets", 5, 0, "rise"),
                                         ("document", 3, 9, "document 9")):
            with h5py.File(folder / "index.h5", "r+") as index:
                index["sentences"][name][row] = value
            with self.assertRaisesRegex(elmo.InputError, f"index.h5: damaged.*{reason}"):
                elmo.open(folder)
            (folder / "index.h5").write_bytes(whole)
        (folder / "index.h5").write_bytes(b"damaged")
        with self.assertRaisesRegex(elmo.InputError, "index.h5: damaged"):
            elmo.open(folder)

    def test_nothing_outside_a_run_is_read(self):
        folder = self.embed("run", "--dtype", "int8")
        other = self.folder / "other"
        shutil.copytree(folder, other)

        def refuse(reason, *ways):
            for way in (lambda: elmo.open(folder)[2], lambda: list(elmo.open(folder)),
                        lambda: elmo.open(folder).vectors(2), *ways):
                with self.assertRaisesRegex(elmo.InputError, reason):
                    way()

        def neighbors():
            elmo.neighbors("bank", elmo.open(folder))

        for file, path in (("shard-00000.h5", "activations"), ("shard-00000.h5", "scales"),
                           ("shard-00000.h5", "tokens"), ("shard-00000.h5", "spans"),
                           ("index.h5", "sentences/offsets"), ("index.h5", "sentences/document"),
                           ("index.h5", "sentences/line"), ("index.h5", "documents/number"),
                           ("index.h5", "documents/id")):
            for kind, (_, reason) in shards.CRAFTED.items():
                if kind == "external storage" and path in ("tokens", "documents/id"):
                    continue  # HDF5 has no strings there
                with self.subTest((path, kind)):
                    shards.craft(folder, file, path, kind, f"../other/{file}")
                    # Maps need no spans.
                    refuse(f"{file}: .*{path} ({reason})", *[neighbors] *
                           (path in ("activations", "scales", "tokens")))
                shutil.copytree(other, folder, dirs_exist_ok=True)
        with h5py.File(folder / "index.h5", "r+") as index:
            del index["sentences"]
            index["sentences"] = h5py.ExternalLink("../other/index.h5", "sentences")
        refuse("sentences/offsets is reached over a link out of the file")
        for name in ("../other/shard-00000.h5", str(other / "shard-00000.h5"),
                     "part-00000-of-00002/../../other/shard-00000.h5", "shard-00000.h5\n",
                     "part-00000-of-00002/part-00001-of-00002/shard-00000.h5", "", "index.h5"):
            shutil.copytree(other, folder, dirs_exist_ok=True)
            shards.list_sizes(folder, file=name)
            with self.subTest(name):
                refuse(r"manifest.json: shards\[0\].file is .*; expected a shard's name")

    def test_runs_in_another_format_are_refused(self):
        manifest = self.embed("run") / "manifest.json"
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 1}))
        with self.assertRaisesRegex(elmo.InputError, "manifest.json: version is 1; expected 2"):
            elmo.open(manifest.parent)

    def test_a_damaged_shard_is_named(self):
        folder = self.embed("run", "--shard-size", "4K")
        found = elmo.open(folder)
        found.verify()
        shard = folder / "shard-00002.h5"
        whole = shard.read_bytes()
        half = len(whole) // 2
        for damaged in (whole[:half] + bytes(len(whole) - half),
                        whole.replace(b"GCOL", b"heap")):  # where HDF5 keeps the tokens' text
            shard.write_bytes(damaged)
            with self.assertRaisesRegex(elmo.InputError, "shard-00002"):
                elmo.open(folder).verify()
        with self.assertRaisesRegex(elmo.InputError, "shard-00002.h5: damaged"):
            list(elmo.open(folder))
        for change in (lambda file: file.pop("spans"),
                       lambda file: file["activations"].resize(3, axis=0)):
            shard.write_bytes(whole)
            with h5py.File(shard, "r+") as file:
                change(file)
            os.truncate(shard, len(whole))
            try:
                list(elmo.open(folder))
                self.fail("the damage was not found")
            except elmo.InputError as error:  # its traceback keeps what is not closed
                self.assertIn("shard-00002.h5: damaged", str(error))
                opened = [os.path.realpath(link) for link in pathlib.Path("/proc/self/fd").iterdir()]
                self.assertNotIn(str(shard.resolve()), opened)
        shard.write_bytes(whole[:1000])
        with self.assertRaisesRegex(elmo.InputError, "shard-00002.h5: found 1,000 bytes"):
            list(elmo.open(folder))
        shard.unlink()
        with self.assertRaisesRegex(elmo.InputError, "shard-00002.h5: missing"):
            list(elmo.open(folder))

    def test_a_file_that_the_system_refuses_to_read_is_not_damaged(self):
        folder = self.embed("run")
        found = elmo.open(folder)

        def check(name, code, use):
            with self.assertRaises(elmo.Error) as caught:
                use()
            self.assertEqual(str(caught.exception), f"cannot read {folder / name}: {os.strerror(code)}")
            self.assertIs(type(caught.exception), elmo.Error)

        for code in (errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM):
            with mock.patch("pathlib.Path.read_text", side_effect=OSError(code, "refused")):
                check("manifest.json", code, lambda: elmo.open(folder))
            with mock.patch("h5py.File", side_effect=OSError(code, "refused")):
                check("index.h5", code, lambda: elmo.open(folder))
                check("shard-00000.h5", code, lambda: found[2])
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
        check("manifest.json", errno.EMFILE, lambda: elmo.open(folder))
        check("shard-00000.h5", errno.EMFILE, lambda: found[2])
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        self.assertEqual(found[2].tokens[0], "a0")

    def test_the_embedder_of_allennlp_has_a_key_for_each_line(self):
        path = self.folder / "lines.h5"
        embedder = elmo.allennlp.ElmoEmbedder(model=self.model)
        self.addCleanup(embedder.model.close)

        def embed(*lines):
            embedder.embed_file(io.StringIO("\n".join(lines)), path, use_sentence_keys=True)
            with h5py.File(path) as file:
                return {key: file[key].shape for key in file}

        self.assertEqual(embed("/", "./a", "a/b", "a b", "a/b", ".."), {
            key: (3, len(key.split()), 16) for key in ("\u2215", ".\u2215a", "a\u2215b", "a b", "..")})
        for line in (".", "a\0b", "\ud800"):
            with self.assertRaisesRegex(elmo.InputError, "^found .*the line"):
                embed("a", line)

    def test_a_full_disk_is_an_error_with_the_reason(self):
        folder = self.embed("run")
        disk = small_disk(self)
        with contextlib.suppress(OSError), (disk / "full").open("wb", buffering=0) as full:
            while full.write(bytes(1 << 20)):
                pass
        with mock.patch("tempfile.tempdir", str(disk)), \
                self.assertRaisesRegex(elmo.Error, "No space left on device") as caught:
            elmo.neighbors("bank", folder)
        self.assertNotIsInstance(caught.exception, ValueError)

    def test_maps_of_a_word_are_pages(self):
        page = elmo.neighbors("bank", elmo.open(self.embed("run")))
        self.assertIn("bank", page.html)
        self.assertRegex(repr(page), "^<elmo.WordMap of 'bank': [0-9,]+ characters of HTML>$")
        self.assertTrue(page._repr_html_().startswith("<iframe srcdoc="))
        for word in ("nowhere", "--help", "-x", "--"):
            with self.assertRaisesRegex(elmo.InputError, f"found no token '{word}'"):
                elmo.neighbors(word, self.folder / "run")
        for options, message in (({"map": "x.html"}, "^map: the package sets it"),
                                 ({"quiet": True}, "^quiet: the package sets it"),
                                 ({"version": True}, "^version: it prints text"),
                                 ({"count": 3}, "^count: a map shows all"),
                                 ({"sampel": 3}, "^sampel: .*did you mean sample")):
            with self.assertRaisesRegex(elmo.UsageError, message):
                elmo.neighbors("bank", self.folder / "run", **options)
        with self.assertRaisesRegex(elmo.UsageError, "^word: found ''"):
            elmo.neighbors("", self.folder / "run")
        with self.assertRaisesRegex(elmo.UsageError, "^corpus: found an empty list"):
            elmo.neighbors("bank", [])
        for corpus in ({"run": "text"}, {"run"}, 3, [3]):
            with self.assertRaisesRegex(elmo.TextTypeError, "^corpus: found"):
                elmo.neighbors("bank", corpus)
        for word in (None, 5, b"bank"):
            with self.assertRaisesRegex(elmo.TextTypeError, "^word: found .*; expected a str$"):
                elmo.neighbors(word, self.folder / "run")
        for corpus in (os.fsencode(self.folder / "run"), [os.fsencode(self.folder / "run")]):
            self.assertEqual(elmo.neighbors("bank", corpus).html, page.html)

    def test_a_map_can_show_several_texts(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        text = "The bank -x was closed. We sat on the bank -x of the river.\n"
        self.write("-first,text.txt", text)
        self.write("second.txt", text)
        for corpus, second in (("-first,text.txt", False), (["-first,text.txt"], False),
                               (["second.txt", pathlib.Path("-first,text.txt")], True)):
            page = elmo.neighbors("bank", corpus, model=self.model).html
            self.assertEqual(("-first,text.txt" in page, "second.txt" in page), (True, second))


if __name__ == "__main__":
    unittest.main()
