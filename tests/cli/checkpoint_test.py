#!/usr/bin/env python3
"""Models as published or trained: checkpoints of TensorFlow, and softmaxes with their published
names."""

import json
import shutil
import struct
import unittest
import zipfile

import checkpoints
import numpy
import tool
from checkpoints import field, varint
from tool import BAD_INPUT, DONE, run

TEXT = "We closed the bank .\nOther words .\nthe bank\n"
TOKENS = ("--input-format", "tokens", "--quiet")
INDEX = "model.ckpt-5.index"
DATA = "model.ckpt-5.data-00000-of-00001"


class CheckpointTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.softmax = self.folder / "softmax"
        self.softmax.mkdir()
        checkpoints.write_softmax(self.softmax, tool.OPTIONS["lstm"]["projection_dim"])
        self.files = (self.model / "weights.hdf5", self.softmax / "softmax.hdf5")
        self.trained = self.folder / "trained"

    def trained_folder(self, *files, **keywords):
        """A checkpoint with the numbers of self.model, and its words."""
        shutil.rmtree(self.trained, ignore_errors=True)
        checkpoints.write_folder(self.trained, self.model, *(files or self.files), **keywords)
        (self.trained / "vocab.txt").write_text("\n".join(checkpoints.WORDS) + "\n")
        return self.trained

    def complete_folder(self):
        """The same model as this project saves it."""
        folder = self.folder / "complete"
        shutil.copytree(self.model, folder)
        checkpoints.write_softmax(folder, tool.OPTIONS["lstm"]["projection_dim"])
        return folder

    def vectors(self, *model):
        result = run("embed", *model, "--format", "npy", *TOKENS, text=TEXT)
        self.assert_exit(result, DONE)
        self.assertGreater(len(result.stdout), 1000)
        return result.stdout

    def perplexity(self, model):
        result = run("perplexity", "--model", model, *TOKENS, "--json", text=TEXT)
        self.assert_exit(result, DONE)
        measured = json.loads(result.stdout)
        return {key: value for key, value in measured.items()
                if "seconds" not in key and "per_second" not in key and key != "model"}

    def refusal(self, *arguments):
        result = run(*(arguments or ("embed", "--model", self.trained, "--format", "npy")),
                     text=TEXT)
        self.assert_exit(result, BAD_INPUT)
        return result.stderr.decode()


class Checkpoints(CheckpointTest):
    def test_activations_match_the_weights_file(self):
        expected = self.vectors("--model", self.model)
        for keywords in ({}, {"shards": 3}, {"old": True}, {"per_block": 1}, {"per_block": 1000}):
            with self.subTest(keywords):
                self.trained_folder(**keywords)
                self.assertEqual(self.vectors("--model", self.trained), expected)
        self.assertEqual(self.vectors("--options", self.trained / "options.json", "--weights",
                                      self.trained / INDEX), expected)

    def test_one_layer_and_word_models(self):
        options = json.loads(json.dumps(tool.OPTIONS))
        options["lstm"]["n_layers"] = 1
        words = json.loads(json.dumps(tool.OPTIONS))
        del words["char_cnn"]
        words["n_tokens_vocab"] = len(checkpoints.WORDS)
        for name, architecture in (("one", options), ("words", words)):
            model = self.folder / name
            made = run("init", "--options", self.write(f"{name}.json", json.dumps(architecture)),
                       "-o", model)
            self.assert_exit(made, DONE)
            if name == "words":
                (model / "vocab.txt").write_text("\n".join(checkpoints.WORDS) + "\n")
            expected = self.vectors("--model", model)
            for keywords in ({}, {"one_layer": True}, {"one_layer": True, "old": True}):
                if name == "words" and keywords:
                    continue
                with self.subTest(name, **keywords):
                    folder = self.folder / "trained"
                    shutil.rmtree(folder, ignore_errors=True)
                    checkpoints.write_folder(folder, model, model / "weights.hdf5", **keywords)
                    (folder / "vocab.txt").write_text("\n".join(checkpoints.WORDS) + "\n")
                    self.assertEqual(self.vectors("--model", folder), expected)

    def test_a_softmax_shared_with_the_embedding_is_read(self):
        options = json.loads(json.dumps(tool.OPTIONS))
        del options["char_cnn"]
        options["n_tokens_vocab"] = len(checkpoints.WORDS)
        model = self.folder / "words"
        made = run("init", "--options", self.write("words.json", json.dumps(options)), "-o", model)
        self.assert_exit(made, DONE)
        arrays = checkpoints.arrays_of(model / "weights.hdf5", self.softmax / "softmax.hdf5")
        arrays["lm/softmax/W"] = arrays["lm/embedding"]
        self.trained_folder(model / "weights.hdf5")
        shutil.copy(model / "options.json", self.trained)
        checkpoints.write(self.trained, arrays)
        expected = self.perplexity(self.trained)
        del arrays["lm/softmax/W"]
        checkpoints.write(self.trained, arrays)
        self.assertEqual(self.perplexity(self.trained), expected)

    def test_float64_numbers_are_rounded(self):
        arrays = {name: array.astype("float64") if array.dtype == "float32" else array
                  for name, array in checkpoints.arrays_of(*self.files).items()}
        self.trained_folder()
        checkpoints.write(self.trained, arrays)
        self.assertEqual(self.vectors("--model", self.trained),
                         self.vectors("--model", self.model))

    def test_the_softmax_is_read_with_its_words(self):
        complete = self.complete_folder()
        self.trained_folder()
        self.assertEqual(self.perplexity(self.trained), self.perplexity(complete))
        described = json.loads(run("info", "--json", self.trained).stdout)
        self.assertTrue(described["softmax"])
        self.assertIn("read from a checkpoint of TensorFlow, model.ckpt-5", described["remarks"])
        (self.trained / "vocab.txt").rename(self.trained / "vocab-2016-09-10.txt")
        self.assertEqual(self.perplexity(self.trained), self.perplexity(complete))
        (self.trained / "vocab-2016-09-10.txt").unlink()
        self.assertIn("or vocab.txt beside a checkpoint",
                      self.refusal("perplexity", "--model", self.trained))
        described = json.loads(run("info", "--json", self.trained).stdout)
        self.assertFalse(described["softmax"])

    def test_convert_writes_the_model_with_its_softmax(self):
        self.trained_folder()
        self.assert_exit(run("convert", self.trained, "-o", self.folder / "converted"), DONE)
        self.assertEqual((self.folder / "converted/weights.hdf5").read_bytes(),
                         (self.model / "weights.hdf5").read_bytes())
        self.assertEqual(self.perplexity(self.folder / "converted"),
                         self.perplexity(self.trained))

    def test_finetune_starts_from_it(self):
        self.trained_folder()
        text = self.write("text.txt", TEXT * 20)
        for model in (self.trained, self.complete_folder()):
            result = run("finetune", "--model", model, text, "--valid", text,
                         "--input-format", "tokens", "--steps", 2, "--batch", 2, "-o",
                         self.folder / f"finetuned-{model.name}")
            self.assert_exit(result, DONE)
        self.assertEqual((self.folder / "finetuned-trained/weights.hdf5").read_bytes(),
                         (self.folder / "finetuned-complete/weights.hdf5").read_bytes())

    def test_an_archive_holds_the_same_model(self):
        expected = self.vectors("--model", self.model)
        self.trained_folder(shards=2)
        archive = self.folder / "model.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in self.trained.iterdir():
                file.write(path, "trained/" + path.name)
        self.assertEqual(self.vectors("--model", archive), expected)
        self.assertEqual(self.perplexity(archive), self.perplexity(self.trained))

    def test_hdf5_weights_take_precedence(self):
        self.trained_folder()
        shutil.copy(self.model / "weights.hdf5", self.trained)
        (self.trained / INDEX).write_bytes(b"damaged")
        self.assertEqual(self.vectors("--model", self.trained),
                         self.vectors("--model", self.model))

    def test_the_file_checkpoint_names_the_checkpoint(self):
        expected = self.vectors("--model", self.model)
        self.trained_folder()
        others = {name: 2 * array for name, array in checkpoints.arrays_of(*self.files).items()}
        named = (self.trained / "checkpoint").read_text()
        checkpoints.write(self.trained, others, name="model.ckpt-9")
        (self.trained / "checkpoint").write_text(named)
        self.assertEqual(self.vectors("--model", self.trained), expected)
        (self.trained / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-8"\n')
        self.assertIn("names model.ckpt-8, but model.ckpt-8.index is missing", self.refusal())
        (self.trained / "checkpoint").unlink()
        self.assertIn("holds 2 checkpoints (model.ckpt-5.index, model.ckpt-9.index); expected one",
                      self.refusal())
        (self.trained / "model.ckpt-9.index").unlink()
        self.assertEqual(self.vectors("--model", self.trained), expected)
        (self.trained / "checkpoint").write_text("model.ckpt-5\n")
        self.assertIn("checkpoint: does not begin with model_checkpoint_path", self.refusal())
        for path in (r"C:\\train\\model.ckpt-5", "model.ckpt-5", "/train/model.ckpt-5"):
            (self.trained / "checkpoint").write_text(f'model_checkpoint_path: "{path}"\n')
            self.assertEqual(self.vectors("--model", self.trained), expected)
        # Another checkpoint is not a substitute, even if it is the only one.
        (self.trained / "checkpoint").write_text('model_checkpoint_path: "/train/model.ckpt-7"\n')
        self.assertIn("names model.ckpt-7, but model.ckpt-7.index is missing", self.refusal())
        (self.trained / INDEX).unlink()
        self.assertIn("names model.ckpt-7, but model.ckpt-7.index is missing", self.refusal())
        (self.trained / "model.ckpt-7").write_bytes(b"x")
        self.assertIn("a checkpoint of TensorFlow's first format", self.refusal())


class Published(CheckpointTest):
    def test_a_softmax_with_its_published_name_is_found(self):
        complete = self.complete_folder()
        published, prefix = self.folder / "published", "elmo_2x4096_512_2048cnn_2xhighway_"
        published.mkdir()
        for name in ("options.json", "weights.hdf5"):
            shutil.copy(complete / name, published / (prefix + name))
        shutil.copy(complete / "softmax.hdf5", published / (prefix + "softmax_weights.hdf5"))
        # Without its words, which are downloaded apart, the softmax is not used.
        self.assertIn("vocab-2016-09-10.txt", self.refusal("perplexity", "--model", published))
        self.assert_exit(run("convert", published, "-o", self.folder / "converted"), DONE)
        self.assertFalse((self.folder / "converted/softmax.hdf5").exists())
        remark = "the softmax is not read: its words (vocabulary.txt, vocab.txt) are missing"
        self.assertIn(remark, json.loads(run("info", "--json", published).stdout)["remarks"])
        shutil.copy(complete / "vocabulary.txt", published / "vocab-2016-09-10.txt")
        self.assertEqual(self.perplexity(published), self.perplexity(complete))


class Damage(CheckpointTest):
    """Errors about a checkpoint name what was found, where, and what was expected."""

    def test_a_variable_of_another_shape_is_named(self):
        name = "lm/CNN_proj/W_proj"
        shape = (12, 8)

        def changed(**values):
            def change(key, variable):
                if key == name:
                    variable.update(values)
            return change

        for values, message in (
                ({"type": checkpoints.INT32}, "W_proj is int32 (12, 8); expected float32 (12, 8)"),
                ({"type": 77}, "W_proj is of type 77 (12, 8)"),
                ({"shape": (8, 12)}, "W_proj is float32 (8, 12); expected float32 (12, 8)"),
                ({"shape": ()}, "W_proj is float32 ()"),
                ({"shape": (12, 2**64 - 1)}, "W_proj is float32 (12, 18446744073709551615)"),
                ({"size": 2**63}, "W_proj claims 9223372036854775808 bytes; expected 384"),
                ({"shard": 1}, "W_proj claims to be in shard 1; expected shards 0 to 0"),
                ({"shard": 2**64 - 1}, "W_proj claims to be in shard 18446744073709551615"),
                ({"offset": 2**64 - 4}, f"{DATA}: has "),
                ({"offset": 10**6}, "W_proj from byte 1000000"),
                ({"checksum": 1}, "W_proj has another checksum"),
                ({"more": field(7, field(1, b""))}, "W_proj is partitioned"),
                ({"more": b"\xff"}, "the entry of lm/CNN_proj/W_proj cannot be parsed"),
                ({"more": field(2, b"\x12\x7f")}, "the entry of lm/CNN_proj/W_proj cannot be"),
                ({"more": field(2, field(2, b"") * 255)}, "the entry of lm/CNN_proj/W_proj cannot"),
                ({"more": varint(9 << 3 | 1) + b"12345678"}, None),  # fields of the future
        ):
            with self.subTest(values):
                self.trained_folder(change=changed(**values))
                if message is None:
                    self.vectors("--model", self.trained)
                else:
                    self.assertIn(message, self.refusal())
        self.assertEqual(checkpoints.arrays_of(*self.files)[name].shape, shape)

    def test_an_unsupported_header_is_explained(self):
        for head, message in (
                (checkpoints.header(big_endian=True), "its numbers are big-endian"),
                (checkpoints.header(oldest_reader=2), "needs readers of format 2; expected"),
                (b"", "has 0 shards; expected 1 to 100000"),
                (checkpoints.header(shards=2**64 - 1), "has 18446744073709551615 shards"),
                (b"\xff", "the entry with an empty name cannot be parsed"),
                (b"\x08", "the entry with an empty name cannot be parsed"),
                (b"\x0a\x7f", "the entry with an empty name cannot be parsed"),
                (checkpoints.header(shards=2), "data-00000-of-00002"),
        ):
            with self.subTest(head):
                self.trained_folder(head=head)
                self.assertIn(message, self.refusal())

    def test_variables_that_share_their_bytes_are_refused(self):
        def change(_, variable):
            variable["offset"] = 0
        arrays = {name: numpy.zeros_like(array)
                  for name, array in checkpoints.arrays_of(*self.files).items()}
        self.trained_folder()
        checkpoints.write(self.trained, arrays, change=change)
        data = self.trained / DATA
        data.write_bytes(data.read_bytes()[:4400])
        self.assertIn("expected each variable to have its own", self.refusal())

    def test_missing_variables_and_files_are_named(self):
        arrays = checkpoints.arrays_of(*self.files)
        for name in ("lm/char_embed", "lm/RNN_1/rnn/multi_rnn_cell/cell_1/lstm_cell/kernel"):
            with self.subTest(name):
                self.trained_folder()
                checkpoints.write(self.trained, {key: array for key, array in arrays.items()
                                                 if key != name})
                self.assertIn(f"{INDEX}: {name} is missing; expected float32 (", self.refusal())
        self.trained_folder(self.model / "weights.hdf5")
        self.assertIn("lm/softmax/W is missing; expected float32 (8, 8)",
                      self.refusal("perplexity", "--model", self.trained))
        (self.trained / DATA).unlink()
        self.assertIn(f"there is no file {self.trained / DATA}", self.refusal())

    def test_words_other_than_the_softmax_s_are_refused(self):
        self.trained_folder()
        (self.trained / "vocab.txt").write_text("<S>\n</S>\n<UNK>\n")
        self.assertIn("lm/softmax/W is float32 (8, 8); expected float32 (3, 8)",
                      self.refusal("perplexity", "--model", self.trained))

    def test_numbers_that_are_not_finite_are_refused(self):
        arrays = checkpoints.arrays_of(*self.files)
        arrays["lm/char_embed"][3, 2] = numpy.nan
        self.trained_folder()
        checkpoints.write(self.trained, arrays)
        self.assertIn("char_embed[3, 2] is NaN", self.refusal())

    def test_changed_bytes_are_found_anywhere(self):
        self.trained_folder()
        index = (self.trained / INDEX).read_bytes()
        expected = run("info", "--json", self.trained).stdout
        undetected, positions = 0, range(0, len(index), 23)
        for position in positions:
            damaged = bytearray(index)
            damaged[position] ^= 0x10
            (self.trained / INDEX).write_bytes(damaged)
            result = run("info", "--json", self.trained)
            if result.returncode == DONE:  # a block that is not read, or the zeros of the footer
                undetected += 1
                self.assertEqual(result.stdout, expected)
            else:
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(INDEX.encode(), result.stderr)
        self.assertLess(undetected, len(positions) / 20)
        (self.trained / INDEX).write_bytes(index)
        data = bytearray((self.trained / DATA).read_bytes())
        data[-1] ^= 1  # train_perplexity, which is not read
        (self.trained / DATA).write_bytes(data)
        self.assert_exit(run("info", self.trained), DONE)

    def test_invalid_tables_are_refused(self):
        good = [(b"", checkpoints.header()), (b"lm/b", b"\x08\x01"), (b"lm/c", b"\x08\x01")]
        block = checkpoints.block(good)

        def table_of(content, handle=None, sound=True):
            """A table of one block, with a chosen handle in its index."""
            handle = handle or varint(0) + varint(len(content))
            index = checkpoints.block([(b"z", handle)])
            made = content + (checkpoints.trailer(content) if sound else b"\0\1\2\3\4")
            footer = varint(0) * 2 + varint(len(made))
            footer += varint(len(index))
            return (made + index + checkpoints.trailer(index) + footer.ljust(40, b"\0")
                    + struct.pack("<Q", checkpoints.MAGIC))

        def handle(offset, size):
            return varint(offset) + varint(size)

        long_key = [(b"", checkpoints.header()), (b"k" * 2000, b"")]
        for content, message in (
                (b"", "does not end with the magic number"),
                (b"x" * 100, "does not end with the magic number"),
                (struct.pack("<Q", checkpoints.MAGIC), "does not end with the magic number"),
                (b"\xff" * 40 + struct.pack("<Q", checkpoints.MAGIC), "its footer is cut off"),
                (b"\0\0\0" + b"\x7f" * 37 + struct.pack("<Q", checkpoints.MAGIC),
                 "claims 127 bytes"),
                (table_of(block, sound=False), "the block at byte 0 has another checksum"),
                (table_of(block, handle(0, 2**64 - 1)), "claims 18446744073709551615 bytes"),
                (table_of(block, handle(0, 2**64 - 5)), "claims 18446744073709551611 bytes"),
                (table_of(block, handle(2**64 - 1, 8)), "the block at byte 18446744073709551615"),
                (table_of(block, b"\xff"), "its index is cut off"),
                (table_of(b""), "an entry of a block does not fit"),
                (table_of(struct.pack("<I", 2**32 - 1)), "an entry of a block does not fit"),
                (table_of(b"\1\0\0" + block), "an entry of a block does not fit"),
                (table_of(b"\0\xff\xff\xff\xff\x0f\0" + block), "an entry of a block does not fit"),
                (table_of(checkpoints.block([])), "has no entry with an empty name"),
                (table_of(checkpoints.block([good[1]])), "has no entry with an empty name"),
                (table_of(checkpoints.block([good[2], good[1]])), "do not ascend"),
                (table_of(checkpoints.block([good[0], good[0]])), "do not ascend"),
                (table_of(checkpoints.block(long_key)), "a key has more than 1024 bytes"),
                (checkpoints.table(good, compression=1), "is compressed; expected an index that"),
                (table_of(block) + b"x", "does not end with the magic number"),
                (b"\0" * (2**24 + 1), "is too large; expected at most 16777216 bytes"),
        ):
            with self.subTest(message, size=len(content)):
                self.trained_folder()
                (self.trained / INDEX).write_bytes(content)
                self.assertIn(message, self.refusal())

    def test_overlapping_blocks_are_refused(self):
        self.trained_folder()
        content = checkpoints.block([(b"", checkpoints.header())])
        handle = varint(0) + varint(len(content))
        index = checkpoints.block([(b"a", handle), (b"b", handle)])
        made = content + checkpoints.trailer(content)
        footer = b"\0\0" + varint(len(made)) + varint(len(index))
        (self.trained / INDEX).write_bytes(made + index + checkpoints.trailer(index)
                                           + footer.ljust(40, b"\0")
                                           + struct.pack("<Q", checkpoints.MAGIC))
        self.assertIn("the block at byte 0 begins before byte", self.refusal())


if __name__ == "__main__":
    unittest.main()
