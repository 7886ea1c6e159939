#!/usr/bin/env python3
"""`elmo embed --dry-run`: the estimated cost of each choice."""

import collections
import json
import unittest

import tool
from tool import DONE, USAGE, english, run


class DryRun(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", english(1 << 17))

    def plan(self, *arguments, text=None):
        result = run("embed", "--quiet", "--dry-run", "--json", "--model", self.model,
                     text or self.text, *arguments)
        self.assert_exit(result, DONE)
        return json.loads(result.stdout)

    def test_sizes_match_the_shards(self):
        # Long enough for the last chunks of datasets, which are not full, to count little.
        self.text = self.write("long.txt", english(1 << 19))
        plan = self.plan()
        sizes = {(size["layers"], size["dtype"]): size for size in plan["sizes"]}
        self.assertEqual(len(sizes), 8)
        for layers, option in (("all", "all"), ("top, average or mix", "average")):
            for dtype in ("float32", "int8") if option == "all" else ("bfloat16",):
                for compression, name in (("none", "bytes"), ("gzip", "gzip_bytes")):
                    with self.subTest(layers=option, dtype=dtype, compression=compression):
                        output = self.folder / "run"
                        self.assert_exit(run("embed", "--quiet", "--model", self.model, self.text,
                                             "-o", output, "--overwrite", "--layers", option,
                                             "--dtype", dtype, "--compression", compression), DONE)
                        stored = sum(path.stat().st_size for path in output.glob("shard-*"))
                        told = sizes[layers, dtype][name]
                        self.assertLess(abs(told / stored - 1), 0.2)
        float32 = sizes["all", "float32"]
        self.assertLess(abs(plan["bytes"] / float32["bytes"] - 1), 0.1)

    def test_time_and_parts_agree(self):
        plan = self.plan()
        first = plan["speeds"][0]
        self.assertEqual(first["precision"], "float32")
        self.assertGreaterEqual(plan["threads"], 1)
        for speed in plan["speeds"]:
            self.assertAlmostEqual(speed["seconds"] * speed["tokens_per_second"], plan["tokens"],
                                   delta=1e-6 * plan["tokens"])
            self.assertGreaterEqual(speed["parts"], 1)

    def test_the_tables_are_for_people(self):
        result = run("embed", "--dry-run", "--model", self.model, self.text)
        self.assert_exit(result, DONE)
        text = result.stdout.decode()
        for words in ("--layers all", "--layers top, average or mix", "bfloat16", "int8",
                      "--compression gzip", "--precision float32", "tokens/s"):
            self.assertIn(words, text)

    def test_an_input_without_tokens_has_no_tables(self):
        plan = self.plan(text=self.write("empty.txt", "\n\n"))
        self.assertEqual((plan["tokens"], plan["sizes"], plan["speeds"]), (0, [], []))

    def test_runs_without_rows_for_all_tokens_have_no_table_of_sizes(self):
        for arguments in (("--pool", "mean"), ("--match", ".*")):
            plan = self.plan(*arguments)
            self.assertEqual(plan["sizes"], [])
            self.assertGreater(plan["bytes"], 0)
            told = run("embed", "--dry-run", "--model", self.model, self.text, *arguments)
            self.assertNotIn("--layers", told.stdout.decode())
            self.assertIn("tokens/s", told.stdout.decode())

    def test_rare_words_are_not_counted(self):
        counts = collections.Counter(
            run("tokenize", "--model", self.model, self.text).stdout.split())
        plan = self.plan("--average-words", "--min-count", 3)
        self.assertEqual(plan["rows"], sum(count >= 3 for count in counts.values()))
        self.assertLess(plan["rows"], len(counts))

    def test_requests_that_would_be_refused_are_refused(self):
        for arguments, words in ((("--resume",), "--resume"),
                                 (("--format", "jsonl", "--compression", "gzip"), "-o PATH"),
                                 (("--format", "jsonl", "--layout", "allennlp"), "--format"),
                                 (("--average-words", "--forget-sentences"), "allennlp"),
                                 (("--average-words", "--shard-size", "1M"),
                                  "without --average-words")):
            with self.subTest(arguments):
                result = run("embed", "--dry-run", "--model", self.model, self.text, *arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())

    def test_only_a_dry_run_prints_json(self):
        result = run("embed", "--model", self.model, self.text, "--format", "npy", "--json")
        self.assert_exit(result, USAGE)
        self.assertIn("--dry-run", result.stderr.decode())

    def test_the_size_matches_every_output(self):
        for number, (arguments, name) in enumerate(((("--dtype", "int8", "--compression", "gzip"), "run"),
                                (("--pool", "mean"), "run"),
                                (("--words", "the,of"), "run"),
                                (("--layout", "allennlp"), "out.hdf5"),
                                (("--average-words",), "out.txt"),
                                (("--average-words",), "out.bin"),
                                (("--format", "jsonl"), None),
                                (("--format", "npy"), None))):
            with self.subTest(arguments=arguments, name=name):
                folder = self.folder / str(number)
                folder.mkdir()
                output = () if name is None else ("-o", folder / name)
                plan = self.plan(*arguments, *output)
                written = run("embed", "--quiet", "--model", self.model, self.text, *arguments,
                              *output)
                self.assert_exit(written, DONE)
                path = folder / (name or "none")
                stored = (len(written.stdout) if name is None
                          else path.stat().st_size if path.is_file()
                          else sum(each.stat().st_size for each in path.glob("*-*.h5")))
                self.assertLess(abs(plan["bytes"] / stored - 1), 0.1, (plan["bytes"], stored))


if __name__ == "__main__":
    unittest.main()
