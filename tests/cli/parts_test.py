#!/usr/bin/env python3
"""`embed --parts` and `merge`: merged parts equal a single run in every dataset, in float32 to the
bit."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import h5py

import shards
import tool
from tool import BAD_INPUT, DONE, STOPPED, USAGE, english, run, start


def records(count, seed):
    chance = random.Random(seed)
    lines = []
    for number in range(count):
        record = {"text": " ".join(chance.choice(["One", "two.", "Drei?", "naïve"])
                                   for _ in range(chance.randrange(12)))}
        if chance.random() < 0.3:
            record["id"] = chance.choice([number + 1, f"id{number}", 3])
        lines.append(json.dumps(record, ensure_ascii=False))
        if chance.random() < 0.1:
            lines.append("")
    return "\n".join(lines)


class Parts(tool.ToolTest):
    def embed(self, output, *arguments, files=()):
        return run("embed", "--quiet", "--model", self.model, "-o", output, "--shard-size", "64K",
                   *arguments, *(files or self.files))

    def part(self, output, number, count, *arguments, files=()):
        return self.embed(output, "--parts", count, "--part", number, "--resume", *arguments,
                          files=files)

    def setUp(self):
        super().setUp()
        self.files = [self.write("a.txt", english(9000, seed=1)), self.write("b.txt", ""),
                      self.write("c.txt", b"\xef\xbb\xbf" + english(5000, seed=2)[:-1]),
                      self.write("d.txt", "\n\n \n\n"), self.write("e.txt", english(2000, seed=3))]
        self.whole, self.parts = self.folder / "whole", self.folder / "parts"

    def assert_merged(self, count, *arguments, files=(), order=None):
        """Embeds the text as a whole and in parts, merges the parts, and compares both."""
        self.assert_exit(self.embed(self.whole, *arguments, files=files), DONE)
        for number in order or range(count):
            self.assert_exit(self.part(self.parts, number, count, *arguments, files=files), DONE)
        self.assert_exit(run("merge", self.parts), DONE)
        self.assert_same()

    def assert_same(self, parts=None):
        parts = parts or self.parts
        whole, merged = (shards.contents(folder / "index.h5") for folder in (self.whole, parts))
        self.assertEqual(whole.keys(), merged.keys())
        for name, values in whole.items():
            self.assertEqual(values[:2], merged[name][:2], name)
            self.assertTrue(values == merged[name], f"/{name} differs")
        with h5py.File(self.whole / "index.h5") as whole, h5py.File(parts / "index.h5") as merged:
            self.assertEqual({name: str(value) for name, value in whole.attrs.items()},
                             {name: str(value) for name, value in merged.attrs.items()})
        whole, merged = (json.loads((folder / "manifest.json").read_text())
                         for folder in (self.whole, parts))
        self.assertEqual(whole["fingerprint"], merged["fingerprint"])

    def test_any_number_of_parts_equals_the_whole(self):
        for count in (1, 3, 40):
            with self.subTest(count=count):
                self.parts = self.folder / f"parts{count}"
                self.whole = self.folder / f"whole{count}"
                self.assert_merged(count, order=reversed(range(count)))
                self.assert_exit(run("verify", self.parts), DONE)

    def test_every_format_can_be_cut(self):
        jsonl = [self.write("a.jsonl", records(60, 1)), self.write("b.jsonl", records(50, 2))]
        words = "1\tOne\t_\t_\t_\t_\t0\t_\t_\t_\n2\ttwo\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
        conllu = [self.write(f"{number}.conllu", words * 20) for number in range(3)]
        for name, arguments, files in (
                ("lines", ("--lines",), self.files),
                ("tokens", ("--input-format", "tokens"), self.files),
                ("jsonl", ("--input-format", "jsonl"), jsonl),
                ("conllu", ("--input-format", "conllu"), conllu)):
            with self.subTest(name):
                self.parts, self.whole = self.folder / f"p-{name}", self.folder / f"w-{name}"
                self.assert_merged(5, *arguments, "--compression", "gzip", files=files)

    def test_chosen_and_pooled_rows_are_merged(self):
        for name, arguments, files in (
                ("words", ("--match", "[aeiou]{2}"), self.files),
                ("sentences", ("--pool", "mean"), self.files),
                ("documents", ("--pool", "max", "--pool-by", "document"), self.files),
                ("int8", ("--dtype", "int8"), self.files)):
            with self.subTest(name):
                self.parts, self.whole = self.folder / f"p-{name}", self.folder / f"w-{name}"
                self.assert_merged(4, *arguments, files=files)
                self.assert_exit(run("verify", self.parts), DONE)

    def test_parts_that_were_killed_and_resumed(self):
        text = self.write("long.txt", english(200_000, seed=5))
        self.assert_exit(self.embed(self.whole, files=[text]), DONE)
        for number, kill in enumerate((signal.SIGKILL, signal.SIGTERM)):
            folder = self.parts / f"part-0000{number}-of-00002"
            with start("embed", "--model", self.model, "-o", self.parts, "--shard-size", "64K",
                       "--parts", 2, "--part", number, "--resume", text,
                       stdin=subprocess.DEVNULL) as process:
                while process.poll() is None and not list(folder.glob("shard-*.h5")):
                    time.sleep(0.002)
                process.send_signal(kill)
                process.communicate(timeout=tool.TIMEOUT_SECONDS)
            self.assertIn(process.returncode, (-signal.SIGKILL, STOPPED, DONE))
        for number in range(2):
            self.assert_exit(self.part(self.parts, number, 2, files=[text]), DONE)
        self.assert_exit(run("merge", self.parts), DONE)
        self.assert_same()

    def test_a_merged_run_is_read_like_any_other(self):
        self.assert_merged(4)
        info = json.loads(run("info", "--json", self.parts).stdout)
        self.assertEqual(info["parts"], 4)
        mixed = []
        for number, folder in enumerate((self.whole, self.parts)):
            output = self.folder / f"mixed{number}"
            self.assert_exit(run("mix", folder, "--weights", "1,0,2", "-o", output, "--quiet"), DONE)
            mixed.append(shards.contents(output / "index.h5"))
        self.assertTrue(mixed[0] == mixed[1], "mixed activations differ")
        # From another working directory, moved, and over a link.
        moved = self.folder / "elsewhere" / "moved"
        moved.parent.mkdir()
        self.parts.rename(moved)
        self.assert_same(moved)
        link = self.folder / "link"
        link.symlink_to(moved)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder / "elsewhere")
        self.assert_same(link)

    def test_merging_again_is_harmless(self):
        self.assert_merged(3)
        names = ("manifest.json", "index.h5")
        before = [(self.parts / name).read_bytes() for name in names]
        self.assert_exit(run("merge", self.parts), DONE)
        self.assertEqual(before, [(self.parts / name).read_bytes() for name in names])
        self.assertEqual(sorted(path.name for path in self.parts.iterdir() if path.is_file()),
                         sorted(names))

    def test_missing_and_unfinished_parts_are_named(self):
        for number in (1, 2, 4):
            self.assert_exit(self.part(self.parts, number, 12), DONE)
        manifest = self.parts / "part-00004-of-00012" / "manifest.json"
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"index": None}))
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("--array=0,3-11", result.stderr.decode())
        self.assertIn("1 not ended (4)", result.stderr.decode())
        self.assertFalse((self.parts / "index.h5").exists())

    def test_lost_files_of_a_part_are_named_with_the_remedy(self):
        self.assert_merged(2)
        part = self.parts / "part-00001-of-00002"
        for name, remedy in (("index.h5", "resume embedding the part"),
                             ("shard-00000.h5", "remove the folder and embed the part again"),
                             ("tables-00000.h5", "remove the folder and embed the part again")):
            with self.subTest(name):
                (part / name).unlink()
                result = run("merge", self.parts)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"{name} is missing", result.stderr.decode())
                self.assertIn(remedy, result.stderr.decode())
                if name != "index.h5":
                    shutil.rmtree(part)
                self.assert_exit(self.part(self.parts, 1, 2), DONE)
                self.assert_exit(run("merge", self.parts), DONE)
                self.assert_same()

    def test_verify_reports_as_sound_only_what_it_has_read(self):
        self.assert_merged(2)

        def states():
            lines = run("verify", self.parts).stdout.decode().splitlines()
            return dict(line.split(",")[0].split(": ") for line in lines)

        files = [f"part-0000{part}-of-00002/{kind}-00000.h5" for part in range(2)
                 for kind in ("shard", "tables")] + ["index.h5"]
        self.assertEqual(states(), states() | dict.fromkeys(files, "ok"))
        index = self.parts / "part-00001-of-00002" / "index.h5"
        content = index.read_bytes()
        index.write_bytes(content[:-1])
        self.assertEqual(states()["index.h5"], "ok")
        index.write_bytes(content)
        manifest = self.parts / "part-00001-of-00002" / "manifest.json"
        content = json.loads(manifest.read_text())
        content["shards"][0]["xxh3_128"] = "0" * 32
        manifest.write_text(json.dumps(content))
        self.assertEqual(states()[files[2]], "DAMAGED")
        manifest.unlink()
        found = states()
        self.assertEqual([found[name] for name in files[:4]], ["ok", "ok", "NOT READ", "NOT READ"])

    def test_foreign_parts_are_named(self):
        self.assert_exit(self.part(self.parts, 0, 2), DONE)
        self.assert_exit(self.part(self.parts, 1, 2, "--layers", "top"), DONE)
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("part-00001-of-00002 is a part of another run", result.stderr.decode())
        self.assertIn("selected_layers", result.stderr.decode())

        shutil.rmtree(self.parts / "part-00001-of-00002")
        self.files[0].write_bytes(self.files[0].read_bytes() + b"More.\n")
        self.assert_exit(self.part(self.parts, 1, 2), DONE)
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("input was", result.stderr.decode())

        self.assert_exit(self.part(self.parts, 1, 3), DONE)
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("part-00001-of-00003", result.stderr.decode())

    def test_parts_of_texts_that_differ_only_in_content_are_not_merged(self):
        self.assert_exit(self.part(self.parts, 0, 2), DONE)
        before = self.files[4].read_bytes()
        self.files[4].write_bytes(before.swapcase())
        self.assert_exit(self.part(self.parts, 1, 2), DONE)
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("part-00001-of-00002 is a part of another run", result.stderr.decode())
        self.assertIn("input_sample", result.stderr.decode())
        self.files[4].write_bytes(before)
        shutil.rmtree(self.parts / "part-00001-of-00002")
        self.assert_exit(self.part(self.parts, 1, 2), DONE)
        self.assert_exit(run("merge", self.parts), DONE)

    def test_a_folder_with_a_run_or_without_parts_is_refused(self):
        self.assert_exit(self.embed(self.whole), DONE)
        result = self.part(self.whole, 0, 2)
        self.assert_exit(result, USAGE)
        self.assertIn("holds a run that is not in parts", result.stderr.decode())
        self.assert_exit(run("merge", self.whole), BAD_INPUT)
        self.assert_exit(run("merge", self.folder / "nowhere"), BAD_INPUT)
        self.assert_exit(self.part(self.parts, 0, 1), DONE)
        for option in ("--resume", "--overwrite", "--quiet"):
            result = self.embed(self.parts, option)
            self.assert_exit(result, USAGE)
            self.assertIn("a part of a run; choose another folder", result.stderr.decode())

    def test_inputs_without_parts_are_refused_with_the_reason(self):
        for arguments, reason in (
                (("--parts", 2), "give both or neither"),
                (("--part", 0), "give both or neither"),
                (("--parts", 2, "--part", 2), "expected 0 to 1"),
                (("--parts", 2, "--part", 0, "--initial-state", "carry"), "through the whole input"),
                (("--parts", 2, "--part", 0, "--layout", "allennlp"), "--layout shards"),
                (("--parts", 2, "--part", 0, "--sample", 5), "needs the whole text"),
                (("--parts", 2, "--part", 0, "--average-words"), "averages of parts cannot be merged"),
                (("--parts", 2, "--part", 0, "--input-format", "jsonl", "--pool", "mean",
                  "--pool-by", "document"), "called by its line"),
                (("--parts", 2, "--part", 0, "-"), "standard input can be read only once")):
            with self.subTest(arguments):
                result = self.embed(self.parts, *arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(reason, result.stderr.decode())
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        result = self.part(self.parts, 0, 2, files=[pipe])
        self.assert_exit(result, USAGE)
        self.assertIn("can be read only once", result.stderr.decode())

    def test_a_part_that_changes_after_merging_is_noticed(self):
        self.assert_merged(3)
        shard = self.parts / "part-00001-of-00003" / "shard-00000.h5"
        whole = shard.read_bytes()
        shard.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        result = run("verify", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("part-00001-of-00003/shard-00000.h5", result.stderr.decode())
        shard.write_bytes(whole[:-1])
        self.assert_exit(run("merge", self.parts), BAD_INPUT)

    def test_damage_to_copied_data_is_an_error_that_names_the_part(self):
        self.assert_merged(2)
        part = self.parts / "part-00001-of-00002"
        index = (self.parts / "index.h5").read_bytes()
        columns = [("tables-00000.h5", name) for name in
                   ("sentences/line", "sentences/offsets", "sentences/document",
                    "documents/number", "documents/id")]
        columns += [("shard-00000.h5", "sentence"), ("shard-00000.h5", "document")]
        for file, column in columns:
            with self.subTest(column):
                whole = (part / file).read_bytes()
                with h5py.File(part / file, "r+") as opened:
                    values = opened[column]
                    last = values[-1]
                    values[-1] = last[:-1] + b"?" if isinstance(last, bytes) else last + 1
                self.assertEqual((part / file).stat().st_size, len(whole))
                result = run("merge", self.parts)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(f"part-00001-of-00002/{file}: checksum of {column} is",
                              result.stderr.decode())
                self.assertIn("embed the part again", result.stderr.decode())
                self.assertEqual((self.parts / "index.h5").read_bytes(), index)
                (part / file).write_bytes(whole)
        self.assert_exit(run("merge", self.parts), DONE)

    def test_a_shard_of_another_run_is_not_merged(self):
        self.assert_merged(2)
        shard = self.parts / "part-00001-of-00002" / "shard-00000.h5"
        with h5py.File(shard, "r+") as opened:
            model = opened.attrs["model"]
            opened.attrs.modify("model", model[::-1])
        manifest = shard.with_name("manifest.json")
        listed = json.loads(manifest.read_text())
        listed["shards"][0]["bytes"] = shard.stat().st_size
        manifest.write_text(json.dumps(listed))
        result = run("merge", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(f"shard-00000.h5 is of another run than manifest.json: model was {model}",
                      result.stderr.decode())

    def test_a_merged_run_is_not_a_part(self):
        self.assert_merged(2)
        for name in ("part-00000-of-00002", "part-00001-of-00002"):
            shutil.rmtree(self.parts / name)
            (self.parts / name).symlink_to(".")
        result = run("verify", self.parts)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("part-00000-of-00002 is a merged run; expected a part",
                      result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
