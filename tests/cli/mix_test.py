#!/usr/bin/env python3
"""`elmo mix`: mixing the layers of a run gives the same as `elmo embed --layers mix`."""

import json
import shutil
import signal
import unittest

import numpy
import shards
import tool
from tool import BAD_INPUT, DONE, STOPPED, USAGE, english, run, start, wait_until

WEIGHTS = ("0.5,-1,2e-3", ("--gamma", "0.7"))


class Mix(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", "The bank was closed.\n\nWe sat by the river. It rained.\n")
        self.layers = self.folder / "layers"

    def embed(self, output, *arguments, text=None):
        result = run("embed", "--quiet", "--model", self.model, text or self.text, "-o", output,
                     *arguments)
        self.assert_exit(result, DONE)
        return output

    def mix(self, output, *arguments, layers=None):
        return run("mix", "--quiet", layers or self.layers, "-o", output, *arguments)

    def test_float32_shards_match_what_embed_writes(self):
        for number, more in enumerate(((), ("--boundaries",), ("--initial-state", "warm"))):
            for norm in ((), ("--layer-norm",)):
                with self.subTest(more=more, norm=norm):
                    layers = self.embed(self.folder / f"layers{number}{len(norm)}", *more)
                    weights, gamma = WEIGHTS
                    expected = self.embed(self.folder / f"expected{number}{len(norm)}", *more,
                                          "--layers", "mix", "--mix-weights", weights, *gamma, *norm)
                    mixed = self.folder / f"mixed{number}{len(norm)}"
                    self.assert_exit(self.mix(mixed, "--weights", weights, *gamma, *norm,
                                              layers=layers), DONE)
                    self.assertIsNone(shards.difference(expected, mixed))
                    self.assert_exit(run("verify", mixed), DONE)
                    self.assertEqual(json.loads(run("info", "--json", mixed).stdout)["layers"],
                                     ["mix"])

    def test_float16_is_mixed_as_rounded(self):
        self.embed(self.layers, "--dtype", "float16")
        exact = self.embed(self.folder / "exact", "--layers", "mix", "--mix-weights", "1,2,3")
        for more, dtype in (((), numpy.float16), (("--dtype", "float32"), numpy.float32)):
            mixed = self.folder / str(dtype.__name__)
            self.assert_exit(self.mix(mixed, "--weights", "1,2,3", *more), DONE)
            found = shards.vectors(mixed)
            self.assertEqual(found.dtype, dtype)
            self.assertTrue(numpy.allclose(found.astype(float), shards.vectors(exact), atol=2e-3))

    def test_several_shards_stay_separate_and_compression_changes_no_number(self):
        text = self.write("long.txt", english(1 << 15))
        self.embed(self.layers, "--shard-size", "100K", text=text)
        expected = self.embed(self.folder / "expected", "--layers", "mix", "--mix-weights", "0,1,0",
                              text=text)
        for compression in ("none", "gzip"):
            mixed = self.folder / compression
            self.assert_exit(self.mix(mixed, "--weights", "0,1,0", "--compression", compression),
                             DONE)
            names = [sorted(path.name for path in folder.glob("shard-*"))
                     for folder in (self.layers, mixed)]
            self.assertGreater(len(names[0]), 5)
            self.assertEqual(*names)
            self.assertEqual(shards.vectors(mixed).tobytes(), shards.vectors(expected).tobytes())
            self.assert_exit(run("verify", mixed), DONE)

    def test_a_run_without_tokens_is_mixed(self):
        self.embed(self.layers, text=self.write("empty.txt", ""))
        self.assert_exit(self.mix(self.folder / "mixed", "--weights", "0,1,0"), DONE)
        self.assert_exit(run("verify", self.folder / "mixed"), DONE)

    def test_a_stopped_run_continues(self):
        text = self.write("long.txt", english(1 << 17))
        self.embed(self.layers, "--shard-size", "64K", text=text)
        whole, stopped = self.folder / "whole", self.folder / "stopped"
        self.assert_exit(self.mix(whole, "--weights", "0,1,0"), DONE)
        with start("mix", self.layers, "-o", stopped, "--weights", "0,1,0") as process:
            wait_until((stopped / "shard-00002.h5").exists, process)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate()
            self.assertIn(process.returncode, (STOPPED, DONE), errors)
        other = self.mix(stopped, "--weights", "0,1,1", "--resume")
        self.assert_exit(other, BAD_INPUT)
        self.assertIn("selected_layers", other.stderr.decode())
        self.assert_exit(self.mix(stopped, "--weights", "0,1,0", "--resume"), DONE)
        self.assertIsNone(shards.difference(whole, stopped))
        again = run("mix", self.layers, "-o", stopped, "--weights", "0,1,0", "--resume")
        self.assert_exit(again, DONE)
        self.assertRegex(again.stderr.decode(),
                         r"elmo: ([\d,]+) tokens of .* mixed\nelmo: \1 tokens of them mixed before")
        self.assert_exit(run("verify", stopped), DONE)

    def test_a_merged_run_is_continued_after_any_shard(self):
        text = self.write("lines.txt", b"".join(english(6000, seed=seed) for seed in range(3)))
        for count, source in ((3, text), (4, self.write("line.txt", "One line.\n"))):
            layers = self.folder / f"parts{count}"
            for number in range(count):
                self.embed(layers, "--parts", count, "--part", number, "--shard-size", "64K",
                           text=source)
            self.assert_exit(run("merge", "--quiet", layers), DONE)
            whole = self.folder / f"whole{count}"
            self.assert_exit(self.mix(whole, "--weights", "0,1,0", layers=layers), DONE)
            manifest = json.loads((whole / "manifest.json").read_text())
            self.assertEqual(len(manifest["shards"]) > count, source == text)
            for published in range(len(manifest["shards"]) + 1):
                with self.subTest(count=count, published=published):
                    stopped = self.folder / f"stopped{count}-{published}"
                    shutil.copytree(whole, stopped)
                    shards_then = manifest["shards"][:published]
                    (stopped / "manifest.json").write_text(json.dumps(
                        manifest | {"complete": False, "index": None, "shards": shards_then}))
                    self.assert_exit(
                        self.mix(stopped, "--weights", "0,1,0", "--resume", layers=layers), DONE)
                    self.assertIsNone(shards.difference(whole, stopped))
                    self.assert_exit(run("verify", stopped), DONE)
            self.assert_exit(self.mix(whole, "--weights", "0,1,0", "--resume", layers=layers), DONE)

    def test_an_unfinished_run_is_reported_with_its_command(self):
        self.embed(self.layers)
        mixed = self.folder / "mixed"
        self.assert_exit(self.mix(mixed, "--weights", "0,1,0"), DONE)
        for folder, command in ((self.layers, "embed"), (mixed, "mix")):
            manifest = json.loads((folder / "manifest.json").read_text())
            manifest["complete"], manifest["index"] = False, None
            (folder / "manifest.json").write_text(json.dumps(manifest))
            continues = f"{command} --resume continues it"
            self.assertIn(continues, run("info", folder).stdout.decode())
            for quiet in ((), ("--quiet",)):
                result = run("verify", folder, *quiet)
                self.assert_exit(result, STOPPED)
                self.assertIn(f"{folder}: not complete: ", result.stderr.decode())
                self.assertIn(continues, result.stderr.decode())
                self.assertEqual(b"shard-00000.h5: ok" in result.stdout, not quiet)
            shard = folder / "shard-00000.h5"
            shard.write_bytes(shard.read_bytes()[:-1])
            self.assert_exit(run("verify", "--quiet", folder), BAD_INPUT)

    def test_the_input_run_is_not_written_into(self):
        run_folder = self.embed(self.layers)
        link = self.folder / "link"
        link.symlink_to(self.layers)
        result = self.mix(link, "--weights", "0,1,0", "--overwrite")
        self.assert_exit(result, USAGE)
        self.assertIn("choose another", result.stderr.decode())
        self.assert_exit(run("verify", run_folder), DONE)

    def test_another_run_is_not_continued(self):
        self.embed(self.layers)
        mixed = self.folder / "mixed"
        self.assert_exit(self.mix(mixed, "--weights", "0,1,0"), DONE)
        other = self.embed(self.folder / "other", text=self.write("text.txt", "Something else.\n"))
        result = self.mix(mixed, "--weights", "0,1,0", "--resume", layers=other)
        self.assert_exit(result, BAD_INPUT)
        result = self.mix(mixed, "--weights", "0,1,0")
        self.assert_exit(result, USAGE)
        self.assertIn("--overwrite", result.stderr.decode())
        self.assert_exit(self.mix(mixed, "--weights", "0,1,0", "--overwrite", layers=other), DONE)

    def learn(self, place, model=None, mix=None):
        rows = "Ada\tB-PER\nsat\tO\n\nRome\tB-LOC\nwas\tO\nold\tO\n\n"
        data = self.write("train.conll", rows * 3)
        task = self.folder / (mix or place)
        result = run("task", "train", "--quiet", "--kind", "tag", "--train", data, "--dev", data,
                     "-o", task, "--model", model or self.model, "--hidden", 4, "--word-dim", 4,
                     "--char-filters", 2, "--batch", 4, "--learning-rate", 0.1, "--threads", 1,
                     "--evaluations", 2, "--elmo", place, *(("--mix", mix) if mix else ()))
        self.assert_exit(result, DONE)
        return task

    def test_a_task_s_weights_are_those_that_embed_uses(self):
        self.embed(self.layers)
        for place, more in (("input", ()), ("both", ("--place", "output"))):
            with self.subTest(place):
                task = self.learn(place)
                mixed = self.folder / f"{place}-mixed"
                self.assert_exit(self.mix(mixed, "--task", task, *more), DONE)
                embedded = self.embed(self.folder / f"{place}-embedded", "--layers", "mix", "--mix",
                                      task, *more)
                self.assertIsNone(shards.difference(embedded, mixed))
                told = json.loads((task / "task.json").read_text())
                chosen = told["mixes"][more[1] if more else "input"]
                layers = shards.vectors(self.layers).astype(float)
                stacked = [numpy.concatenate([layers[:, 0]] * 2, axis=1),
                           *(layers[:, i:i + 2].reshape(len(layers), -1) for i in (1, 3))]
                expected = chosen["gamma"] * sum(share * layer for share, layer
                                                 in zip(chosen["shares"], stacked))
                self.assertTrue(numpy.allclose(shards.vectors(mixed)[:, 0], expected, atol=1e-5))

    def test_a_task_of_another_model_is_refused(self):
        self.embed(self.layers)
        both, none = self.learn("both"), self.learn("none")
        concat = self.learn("input", mix="concat")
        other_model = self.folder / "model"
        self.assert_exit(run("init", "--options", self.model / "options.json", "--seed", 9, "-o",
                             other_model), DONE)
        other = self.folder / "other"
        self.learn("input", model=other_model).rename(other)
        odd = self.folder / "odd"
        odd.mkdir()
        told = json.loads((both / "task.json").read_text())
        told["mixes"] = {"input": {"shares": [1e39, 0, 0], "gamma": 1}}
        (odd / "task.json").write_text(json.dumps(told))
        for task, more, code, words in ((both, (), USAGE, "--place"),
                                        (odd, (), BAD_INPUT, "from 0 to 1"),
                                        (none, (), BAD_INPUT, "without a mixture"),
                                        (concat, (), BAD_INPUT, "all layers side by side"),
                                        (other, (), BAD_INPUT, "same model"),
                                        (other, ("--place", "output"), USAGE, "--place input"),
                                        (self.layers, (), BAD_INPUT, "task.json")):
            mixed = self.mix(self.folder / "mixed", "--task", task, *more)
            embedded = run("embed", "--model", self.model, self.text, "-o", self.folder / "mixed",
                           "--layers", "mix", "--mix", task, *more)
            for result in (mixed, embedded):
                self.assert_exit(result, code)
                self.assertIn(words, result.stderr.decode())
                self.assertFalse((self.folder / "mixed").exists())

    def test_an_edited_task_is_refused(self):
        self.embed(self.layers)
        task = self.learn("input")
        good = json.loads((task / "task.json").read_text())
        mix = good["mixes"]["input"]
        for change, words in (
                ({"mixes": {"input": {**mix, "shares": []}}}, "mixes.input.shares is []"),
                ({"mixes": {"input": {**mix, "shares": None}}}, "mixes.input.shares is null"),
                ({"mixes": {"input": {**mix, "shares": [0, 0, 0]}}}, "of sum 1"),
                ({"mixes": {"inside": mix}}, "mixes.input is missing"),
                ({"mixes": {"input": mix, "output": mix}}, "expected a mixture for each place"),
                ({"elmo": "output"}, "mixes.output is missing"),
                ({"bilm_layers": 3}, "each of the layers 0 to 3"),
                ({"bilm_layers": 1}, "each of the layers 0 to 1")):
            with self.subTest(words=words):
                (task / "task.json").write_text(json.dumps({**good, **change}))
                mixed = self.mix(self.folder / "mixed", "--task", task)
                embedded = run("embed", "--model", self.model, self.text, "-o",
                               self.folder / "mixed", "--layers", "mix", "--mix", task)
                for result in (mixed, embedded):
                    self.assert_exit(result, BAD_INPUT)
                    self.assertIn(f"{task}/task.json: ", result.stderr.decode())
                    self.assertIn(words, result.stderr.decode())
                    self.assertFalse((self.folder / "mixed").exists())

    def test_invalid_runs_are_refused(self):
        self.embed(self.layers)
        top = self.embed(self.folder / "top", "--layers", "top")
        unfinished = self.embed(self.folder / "unfinished")
        manifest = json.loads((unfinished / "manifest.json").read_text())
        (unfinished / "manifest.json").write_text(json.dumps({**manifest, "complete": False,
                                                             "index": None}))
        for arguments, layers, code, words in (
                (("--weights", "0,1,0"), top, BAD_INPUT, "expected all layers"),
                (("--weights", "0,1,0"), unfinished, BAD_INPUT, "has not ended"),
                (("--weights", "0,1,0"), self.folder / "missing", BAD_INPUT, "missing is missing"),
                (("--weights", "0,1"), None, USAGE, "expected 3"),
                ((), None, USAGE, "--weights"),
                (("--weights", "0,1,0", "--task", top), None, USAGE, "--task"),
                (("--gamma", "2"), None, USAGE, "--gamma"),
                (("--weights", "0,inf,0"), None, USAGE, "--weights")):
            with self.subTest(words=words):
                result = self.mix(self.folder / "mixed", *arguments, layers=layers)
                self.assert_exit(result, code)
                self.assertIn(words, result.stderr.decode())
        result = run("mix", self.layers, "-o", self.layers, "--weights", "0,1,0", "--overwrite")
        self.assert_exit(result, USAGE)
        self.assert_exit(run("verify", self.layers), DONE)


if __name__ == "__main__":
    unittest.main()
