#!/usr/bin/env python3
"""Destinations of output: devices, pipes and links, two runs at once, limits on the size of files, file
systems without locks."""

import errno
import json
import os
import pathlib
import resource
import stat
import subprocess
import threading
import unittest

import h5py
import system_calls
import tool
import training
from tool import DONE, FAILURE, TIMEOUT_SECONDS, USAGE, english, run, start, wait_until


def limit_file_size(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Outputs(tool.ToolTest):
    def embed(self, *arguments, text="One sentence.\n", **keywords):
        return run("embed", "--model", self.model, *arguments, text=text, **keywords)

    def test_anything_but_a_regular_file_is_not_replaced(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        device = self.folder / "device"
        device.symlink_to("/dev/null")
        for path, kind in ((pipe, "a named pipe"), (device, "a device"),
                           (pathlib.Path("/dev/stdout"), "a named pipe")):
            with self.subTest(path):
                before = path.stat()
                result = self.embed("--layout", "allennlp", "--overwrite", "-o", path)
                self.assert_exit(result, USAGE)
                self.assertIn(f"{path} is {kind}", result.stderr.decode())
                self.assertEqual(path.stat().st_ino, before.st_ino)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["device", "pipe"])

    def test_a_folder_with_the_name_of_a_file_is_noted(self):
        for name, more, advice in (("a.hdf5", (), "for one file, use --layout allennlp"),
                                   ("a.npy", (), "`elmo export` writes such a file from them"),
                                   ("a.arrow", (), "`elmo export` writes such a file from them"),
                                   ("b.arrow", ("--average-words",), ""), ("vectors.v2", (), "")):
            with self.subTest(name):
                path = self.folder / name
                result = self.embed("-o", path, *more)
                self.assert_exit(result, DONE)
                told = f"{path} will be a folder of shards; {advice}"
                self.assertEqual(told in result.stderr.decode(), bool(advice))
                self.assertEqual(path.is_dir(), not more)

    def test_sentence_keys_match_allennlp(self):
        lines = ["  a\tb  c ", "New\u00a0York\u3000x\u00a0\r", "\u2003\u001fd \x85", "", "e f",
                 "1 2 3 4 5 6 7 8 9 10 11"]
        text = "".join(line + "\n" for line in lines)
        output = self.folder / "out.hdf5"
        self.assert_exit(self.embed("--layout", "allennlp", "--input-format", "tokens", "-o", output,
                                    text=text), DONE)
        self.assertEqual(self.keys(output), {line.strip(): str(number)
                                             for number, line in enumerate(lines)})
        for more, last in ((("--boundaries",), {lines[-1]: "5"}),
                           (("--max-sentence-tokens", 9),
                            {"1 2 3 4 5 6 7 8 9": "5", "10 11": "6"})):
            self.assert_exit(self.embed("--layout", "allennlp", "--input-format", "tokens",
                                        "--overwrite", *more, "-o", output, text=text), DONE)
            self.assertEqual(dict(list(self.keys(output).items())[5:]), last)
        self.assert_exit(self.embed("--layout", "allennlp", "--lines", "--overwrite", "-o", output,
                                    text="a  b.\n"), DONE)
        self.assertEqual(self.keys(output), {"a b .": "0"})

    def keys(self, output):
        with h5py.File(output) as file:
            return json.loads(file["sentence_to_index"][0])

    def test_a_link_is_written_through(self):
        link = self.folder / "link"
        (self.folder / "there").mkdir()
        link.symlink_to("there/out.hdf5")
        self.assert_exit(self.embed("--layout", "allennlp", "-o", link), DONE)
        self.assertTrue(link.is_symlink())
        self.assertTrue(stat.S_ISREG((self.folder / "there/out.hdf5").lstat().st_mode))

    def test_of_two_runs_to_one_file_one_reports_it(self):
        output = self.folder / "out.hdf5"
        arguments = ("embed", "--model", self.model, "--layout", "allennlp", "-o", output, "-")
        with start(*arguments) as first:
            wait_until((self.folder / "out.hdf5.unfinished").exists, first)
            for more in ((), ("--overwrite",)):
                second = run(*arguments, *more, text="Another one.\n")
                self.assert_exit(second, FAILURE)
                self.assertIn(f"another run is writing {output}", second.stderr.decode())
            _, errors = first.communicate(b"One sentence.\n", timeout=TIMEOUT_SECONDS)
            self.assertEqual(first.returncode, DONE, errors)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["out.hdf5"])

    def test_many_runs_to_one_file_leave_one_complete_file(self):
        output = self.folder / "out.hdf5"
        results = []

        def embed(number):
            results.append(self.embed("--layout", "allennlp", "--overwrite", "-o", output,
                                      text=f"Sentence number {number}.\n"))

        threads = [threading.Thread(target=embed, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        codes = [result.returncode for result in results]
        self.assertIn(DONE, codes)
        self.assertLessEqual(set(codes), {DONE, FAILURE})
        self.assertEqual([file.name for file in self.folder.iterdir()], ["out.hdf5"])

    def test_init_refuses_a_folder_that_is_being_written(self):
        output = self.folder / "out"
        with start("embed", "--model", self.model, "-o", output, "-") as running:
            wait_until((output / ".elmo.lock").exists, running)
            result = run("init", "--preset", "tiny", "--overwrite", "-o", output)
            self.assert_exit(result, FAILURE)
            self.assertIn(f"another run is writing into {output}", result.stderr.decode())
            _, errors = running.communicate(b"One sentence.\n", timeout=TIMEOUT_SECONDS)
            self.assertEqual(running.returncode, DONE, errors)
        self.assertFalse((output / "options.json").exists())

    def test_a_limit_on_the_size_of_files_is_told_as_a_full_disk_is(self):
        text = english(1 << 16)
        for name, arguments in (
                ("shards", ("embed", "--model", self.model, "-o", self.folder / "shards")),
                ("file", ("embed", "--model", self.model, "--layout", "allennlp", "-o",
                          self.folder / "file")),
                ("init", ("init", "--preset", "tiny", "-o", self.folder / "init"))):
            with self.subTest(name):
                result = run(*arguments, text=text, preexec_fn=limit_file_size(100000))
                self.assert_exit(result, FAILURE)
                self.assertIn("File too large", result.stderr.decode())
                left = [file for file in self.folder.rglob("*") if "unfinished" in file.name]
                self.assertEqual(left, [])

    def test_a_file_system_without_locks_causes_a_warning(self):
        for name, error in (("ENOLCK", errno.ENOLCK), ("ENOSYS", errno.ENOSYS), ("524", 524)):
            refuse = system_calls.refusing("flock", error)
            if refuse is None:
                self.skipTest("needs to know this architecture's system calls")
            with self.subTest(name):
                output = self.folder / name
                try:
                    shards = self.embed("-o", output / "run", preexec_fn=refuse)
                except subprocess.SubprocessError:
                    self.skipTest("needs the right to filter system calls")
                made = run("init", "--preset", "tiny", "-o", output / "model", preexec_fn=refuse)
                file = self.embed("--layout", "allennlp", "-o", output / "file", preexec_fn=refuse)
                for result in (shards, made, file):
                    self.assert_exit(result, DONE)
                    self.assertIn("has no locks", result.stderr.decode())
                self.assert_exit(run("verify", output / "run"), DONE)
                self.assert_exit(run("info", output / "model"), DONE)
                left = {file.name for file in output.rglob("*") if "unfinished" in file.name}
                self.assertEqual(left, set())


class TrainingOutputs(training.TrainingTest):
    def test_a_limit_on_the_size_of_files_is_told_as_a_full_disk_is(self):
        result = run("train", self.text, "--valid", self.valid, "--options", self.options,
                     *self.shape, "--steps", 5, "-o", self.output,
                     preexec_fn=limit_file_size(20000))
        self.assert_exit(result, FAILURE)
        self.assertIn("File too large", result.stderr.decode())
        self.assertEqual([file for file in pathlib.Path(self.output).rglob("*.unfinished")], [])

    def test_a_corpus_that_is_truncated_while_it_is_read_is_reported(self):
        arguments = ("train", self.text, "--valid", self.valid, "--options", self.options,
                     *self.shape, "--steps", 100000000, "-o", self.output)
        with start(*arguments, stdin=subprocess.DEVNULL) as process:
            progress = self.output / "progress.jsonl"
            wait_until(lambda: progress.exists() and progress.stat().st_size > 0, process)
            os.truncate(self.output / "corpus.tokens", 0)
            _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, FAILURE, errors)
        self.assertIn("corpus.tokens became shorter while it was read", errors.decode())

    def test_curves_are_not_drawn_over_a_device(self):
        self.assert_exit(run("train", self.text, "--valid", self.valid, "--options", self.options,
                             *self.shape, "--steps", 5, "-o", self.output), DONE)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for path in (pipe, "/dev/null"):
            self.assert_exit(run("plot", self.output, "-o", path), USAGE)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))


if __name__ == "__main__":
    unittest.main()
