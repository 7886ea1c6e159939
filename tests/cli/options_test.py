#!/usr/bin/env python3
"""Options of `elmo embed` that exclude each other or have no effect."""

import json
import unittest

import tool
from tool import DONE, USAGE, run


class Refused(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"
        self.text = self.write("text.txt", "One two.\n")

    def refuse(self, *arguments, says):
        result = run("embed", *arguments, self.text)
        self.assert_exit(result, USAGE)
        self.assertEqual(result.stdout, b"")
        message = result.stderr.decode()
        self.assertTrue(message.startswith("elmo: "), message)
        self.assertIn(says, message)
        self.assertFalse(self.output.exists())

    def refuse_shards(self, *arguments, says):
        self.refuse("--model", self.model, "-o", self.output, *arguments, says=says)

    def refuse_stream(self, *arguments, says):
        self.refuse("--model", self.model, "--format", "jsonl", *arguments, says=says)

    def test_mix_options_require_a_mix(self):
        self.refuse_shards("--gamma", 2, says="--layers mix")
        self.refuse_shards("--layers", "top", "--mix-weights", "1,2,3", says="--layers mix")
        self.refuse_shards("--layers", "top", "--layer-norm", says="--layers average or mix")

    def test_a_mix_has_a_finite_weight_for_each_layer(self):
        self.refuse_shards("--layers", "mix", "--mix-weights", "1,2", says="3")
        self.refuse_shards("--layers", "mix", "--mix-weights", "1,nan,2", says="--mix-weights")
        self.refuse_shards("--layers", "mix", "--gamma", "inf", says="--gamma")

    def test_a_character_model_has_no_vocabulary(self):
        self.refuse_shards("--vocab", self.text, says="--vocab goes with a model that reads words")
        self.refuse_shards("--vocab", self.text, "--dry-run", says="--vocab goes with a model")

    def test_a_number_of_bytes_is_shown_with_its_range(self):
        self.refuse_shards("--shard-size", 0, says="expected a number of bytes from 1 to 2^64-1")

    def test_lanes_require_a_carried_state(self):
        self.refuse_shards("--lanes", 3, says="--initial-state carry")
        self.refuse_shards("--initial-state", "carry", "--lanes", 0, says="--lanes")

    def test_folder_options_require_a_folder(self):
        for arguments in (("--resume",), ("--overwrite",), ("--compression", "gzip"),
                          ("--shard-size", "1M"), ("--layout", "shards")):
            with self.subTest(arguments=arguments):
                self.refuse_stream(*arguments, says="-o")

    def test_an_output_is_a_folder_or_standard_output(self):
        self.refuse("--model", self.model, says="-o")
        self.refuse_shards("--format", "npy", says="--format")

    def test_an_output_is_resumed_or_replaced(self):
        self.refuse_shards("--resume", "--overwrite", says="--overwrite")

    def test_the_one_file_layout_has_its_own_options(self):
        self.refuse_shards("--forget-sentences", says="--layout allennlp")
        self.refuse_shards("--layout", "allennlp", "--shard-size", "1M", says="--layout shards")
        self.refuse_shards("--layout", "allennlp", "--resume", says="--layout shards")

    def test_a_model_is_named_once(self):
        options = self.model / "options.json"
        weights = self.model / "weights.hdf5"
        common = ("-o", self.output)
        self.refuse(*common, "--options", options, says="--weights")
        self.refuse(*common, "--weights", weights, says="--options")
        self.refuse(*common, "--model", self.model, "--options", options, "--weights", weights,
                    says="--model")

    def test_sizes_and_counts_are_positive_numbers(self):
        for option in ("--threads", "--workers", "--batch-tokens", "--max-sentence-tokens",
                       "--shard-size"):
            for value in ("0", "-1", "x", "1.5", "99999999999999999999"):
                with self.subTest(option=option, value=value):
                    self.refuse_shards(option, value, says=option)

    def test_a_value_is_named_before_names_behind_two_dashes(self):
        result = run("embed", "--threads=0", "--", "a.txt")
        self.assert_exit(result, USAGE)
        self.assertIn("--threads: found '0'", result.stderr.decode())

    def test_sizes_have_units(self):
        for value, size in (("65536", 65536), ("64K", 65536), ("64MiB", 64 << 20), ("1g", 1 << 30),
                            ("2TB", 2 << 40)):
            with self.subTest(value):
                result = run("embed", "--model", self.model, "-o", self.output, "--overwrite",
                             "--quiet", "--shard-size", value, self.text)
                self.assert_exit(result, DONE)
                described = json.loads(run("info", "--json", self.output).stdout)
                self.assertEqual(described["fingerprint"]["shard_size"], str(size))

    def test_a_unit_must_be_known(self):
        for value in ("64X", "64KK", "M", "1.5G", "99999999999G"):
            with self.subTest(value):
                self.refuse_shards("--shard-size", value, says="--shard-size")


class Synonyms(tool.ToolTest):
    def test_held_out_data_have_either_name(self):
        text = self.write("text.txt", "One two.\n")
        missing = self.folder / "missing.txt"
        for command in (("train", text, "-o", self.folder / "out"),
                        ("task", "train", "--train", text, "-o", self.folder / "out"),
                        ("probe", "--train", text)):
            with self.subTest(command):
                valid, dev = (run(*command, name, missing).stderr.decode() for name in ("--valid", "--dev"))
                self.assertEqual(valid, dev)
                self.assertNotIn("no option", valid)
                self.assertNotIn("required", valid)



if __name__ == "__main__":
    unittest.main()
