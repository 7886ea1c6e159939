#!/usr/bin/env python3
"""Help of every command; exit codes and messages."""

import json
import os
import re
import resource
import unittest

import tool
from tool import BAD_INPUT, DONE, FAILURE, USAGE, commands, english, members, run


class Help(unittest.TestCase):
    def test_the_tool_lists_its_commands(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (DONE, b""))
        self.assertIn("embed", members())
        self.assertIn("train", members("task"))

    def test_every_command_has_help_on_standard_output(self):
        for command in (("task",), *commands()):
            with self.subTest(command):
                result = run(*command, "--help")
                self.assertEqual((result.returncode, result.stderr), (DONE, b""))
                self.assertIn("Usage: elmo " + " ".join(command), result.stdout.decode())

    def test_the_help_of_embed_shows_units_and_defaults(self):
        text = re.sub(r"\s+", " ", run("embed", "--help").stdout.decode())
        for option, unit in (("--shard-size", "bytes"), ("--max-sentence-tokens", "tokens"),
                             ("--batch-tokens", "tokens")):
            with self.subTest(option):
                entry = re.search(rf"{option}\b.*?(?= --|$)", text)
                self.assertIsNotNone(entry)
                self.assertIn(unit, entry.group().lower())
        for default in ("1 GiB", "float32", "all", "zero", "none"):
            self.assertIn(default, text)

    def test_the_version_is_printed(self):
        result = run("--version")
        self.assertEqual(result.returncode, DONE)
        self.assertRegex(result.stdout.decode(), r"^elmo \d+\.\d+\.\d+\n$")
        for command in (("embed",), ("mix",), ("task", "train"), ("train",)):
            of_command = run(*command, "--version")
            self.assertEqual((of_command.returncode, of_command.stdout), (DONE, result.stdout))


class Usage(tool.ToolTest):
    def test_wrong_usage_exits_with_2_and_says_why_on_standard_error(self):
        output = self.folder / "out"
        for arguments, word in (
            ((), "no command given"),
            (("polish",), "polish"),
            (("task",), "no command given"),
            (("task", "polish"), "polish"),
            (("embed", "--model", self.model, "-o", output, "--polish"), "--polish"),
            (("embed", "--model", self.model, "-o", output, "--layers", "bottom"), "bottom"),
            (("embed", "--model", self.model, "-o", output, "--shard-size", "-3"), "-3"),
            (("embed", "--model", self.model, "-o", output, "--threads", "many"), "many"),
            (("embed", "--model", self.model), "-o"),
            (("embed", "--model", self.model, "-o", output, "--mix-weights", "1,2,3"), "mix"),
            (("embed", "--model", self.model, "-o", output, "--resume", "--overwrite"), "--resume"),
            (("init", "-o", output), "--preset"),
            (("init", "--preset", "vast", "-o", output), "vast"),
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments, text="A word.\n")
                self.assert_exit(result, USAGE)
                self.assertEqual(result.stdout, b"")
                self.assertIn(word, result.stderr.decode())
                self.assertFalse(output.exists())

    def test_no_command_prints_the_help(self):
        for arguments in ((), ("task",)):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assert_exit(result, USAGE)
                self.assertEqual(result.stdout, b"")
                self.assertIn(run(*arguments, "--help").stdout, result.stderr)

    def test_misspelled_words_are_suggested(self):
        for arguments, message in (
            (("embd",), "'embd' is not a command; did you mean embed?"),
            (("polish",), "'polish' is not a command\n"),
            (("task", "trian"), "'trian' is not a command; did you mean train?"),
            (("help", "embed"), "'help' is not a command\nTry 'elmo embed --help'."),
            (("task", "help", "train"), "'help' is not a command\nTry 'elmo task train --help'."),
            (("embd", "--layers", "top"), "'embd' is not a command; did you mean embed?"),
            (("--verison",), "there is no option --verison; did you mean --version?"),
            (("init", "--preset", "tiny", "--ouput", "x"),
             "there is no option --ouput; did you mean --output?"),
            (("embed", "--all"), "there is no option --all; here it is --layers all"),
            (("embed", "--batch-size=64"), "there is no option --batch-size; here it is --batch-tokens"),
            (("embed", "--ouput=x"), "there is no option --ouput; did you mean --output?"),
            (("tokenize", "--input_format", "tokens"),
             "there is no option --input_format; did you mean --input-format?"),
            (("tokenize", "--quite"), "there is no option --quite; did you mean --quiet?"),
            (("embed", "--max-sent", "3"),
             "there is no option --max-sent; did you mean --max-sentence-tokens?"),
            (("task", "train", "--trian", "x"),
             "there is no option --trian; did you mean --train?"),
            (("tokenize", "--polish"), "there is no option --polish\n"),
            (("tokenize", "-z"), "there is no option -z\n"),
            (("tokenize", "a", "--", "-b"), "-b; put all names behind --, or write ./-NAME\n"),
        ):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assert_exit(result, USAGE)
                self.assertIn(message, result.stderr.decode())


class Embed(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out"

    def embed(self, *arguments, text=b""):
        return run("embed", "--model", self.model, "-o", self.output, *arguments, text=text)

    def test_text_becomes_shards_that_verify(self):
        path = self.write("text.txt", "One sentence. Another one.\n")
        result = self.embed(path)
        self.assert_exit(result, DONE)
        self.assertEqual(result.stdout, b"")
        self.assert_exit(run("verify", self.output), DONE)
        self.assert_exit(run("info", self.output), DONE)

    def test_standard_input_is_read_if_no_file_is_named(self):
        self.assert_exit(self.embed(text="One sentence.\n"), DONE)
        described = json.loads(run("info", "--json", self.output).stdout)
        self.assertEqual((described["sentences"], described["tokens"]), (1, 3))

    def test_the_output_of_an_empty_input_verifies(self):
        self.assert_exit(self.embed(text=b""), DONE)
        self.assert_exit(run("verify", self.output), DONE)

    def test_quiet_prints_nothing(self):
        result = self.embed("--quiet", text="One sentence.\n")
        self.assert_exit(result, DONE)
        self.assertEqual((result.stdout, result.stderr), (b"", b""))

    def test_a_folder_with_files_is_not_written_into(self):
        self.assert_exit(self.embed(text="One.\n"), DONE)
        refused = self.embed(text="Two.\n")
        self.assertNotEqual(refused.returncode, DONE)
        self.assertIn("--overwrite", refused.stderr.decode())
        self.assert_exit(self.embed("--overwrite", text="Two.\n"), DONE)
        self.assert_exit(run("verify", self.output), DONE)

    def test_resume_names_what_changed(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed(path), DONE)
        refused = self.embed("--resume", "--layers", "top", path)
        self.assertNotEqual(refused.returncode, DONE)
        self.assertIn("layers", refused.stderr.decode())

    def test_resume_into_a_missing_folder_starts_a_run(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed("--resume", path), DONE)
        self.assert_exit(run("verify", self.output), DONE)

    def test_resuming_a_finished_run_changes_nothing(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed(path), DONE)
        before = {file.name: file.read_bytes() for file in self.output.glob("shard*")}
        self.assertTrue(before)
        self.assert_exit(self.embed("--resume", path), DONE)
        self.assertEqual(before,
                         {file.name: file.read_bytes() for file in self.output.glob("shard*")})

    def test_resume_notices_an_input_that_was_edited_to_the_same_size(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed(path), DONE)
        path.write_text("Two sentence.\n")
        refused = self.embed("--resume", path)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("not those that are published", refused.stderr.decode())

    def test_resume_notices_an_input_that_has_grown(self):
        self.assert_exit(self.embed(text="One sentence.\n"), DONE)
        self.assert_exit(self.embed("--resume", text="One sentence.\n"), DONE)
        refused = self.embed("--resume", text="One sentence. Another one.\n")
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("continues after the 1 sentences", refused.stderr.decode())

    def test_resume_notices_a_shard_with_a_flipped_bit(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed(path), DONE)
        shard = self.output / "shard-00000.h5"
        content = bytearray(shard.read_bytes())
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
        refused = self.embed("--resume", path)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("shard-00000.h5", refused.stderr.decode())
        self.assertIn("--overwrite", refused.stderr.decode())

    def test_resume_rebuilds_a_missing_or_damaged_index(self):
        path = self.write("text.txt", "One sentence.\n")
        self.assert_exit(self.embed(path), DONE)
        index = self.output / "index.h5"
        good = index.read_bytes()
        for damage in (index.unlink, lambda: index.write_bytes(good[:100])):
            damage()
            self.assert_exit(self.embed("--resume", path), DONE)
            self.assertEqual(index.read_bytes(), good)
            self.assert_exit(run("verify", self.output), DONE)

    def test_there_may_be_more_shards_than_open_files(self):
        def allow_few_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

        path = self.write("text.txt", english(1 << 18))
        result = run("embed", "--model", self.model, "-o", self.output, "--shard-size", "64K", path,
                     preexec_fn=allow_few_files)
        self.assert_exit(result, DONE)
        self.assertGreater(len(list(self.output.glob("shard-*.h5"))), 40)
        self.assert_exit(run("verify", self.output, preexec_fn=allow_few_files), DONE)

    def test_a_dry_run_counts_and_writes_nothing(self):
        path = self.write("text.txt", "One two three.\n" * 250)
        result = self.embed("--dry-run", path)
        self.assert_exit(result, DONE)
        self.assertIn("1,000 tokens", (result.stdout + result.stderr).decode())
        self.assertFalse(self.output.exists())

    def test_a_dry_run_times_a_first_sentence_that_is_longer_than_its_sample(self):
        path = self.write("text.txt", "word " * 70000 + "\n\nshort one\n")
        result = self.embed("--dry-run", "--input-format", "tokens", "--max-sentence-tokens",
                            100000, path)
        self.assert_exit(result, DONE)
        text = result.stdout.decode()
        self.assertIn("70,002 tokens", text)
        rate = int(re.search(r"([0-9,]+) tokens/s", text).group(1).replace(",", ""))
        self.assertGreater(rate, 0, text)

    def test_bad_data_exits_with_3_and_says_where(self):
        records = self.write("records.jsonl", '{"text": "Fine."}\n{"text": \n')
        invalid = self.write("invalid.txt", b"abc \xff def\n")
        for arguments, word in (
            (("--input-format", "jsonl", records), "2"),
            (("--strict", invalid), "4"),
        ):
            with self.subTest(word):
                result = self.embed("--overwrite", *arguments)
                self.assert_exit(result, BAD_INPUT)
                self.assertIn(word, result.stderr.decode())
                self.assertIn(str(arguments[-1]), result.stderr.decode())

    def test_a_broken_model_exits_with_3_and_names_what_is_missing(self):
        (self.folder / "model").mkdir()
        (self.folder / "model/options.json").write_text('{"lstm": {"dim": -4}}')
        (self.folder / "model/weights.hdf5").write_bytes(b"not HDF5")
        result = run("embed", "--model", self.folder / "model", "-o", self.output, text="One.\n")
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("options.json", result.stderr.decode())

    def test_a_missing_file_is_named(self):
        result = self.embed(self.folder / "absent.txt")
        self.assertIn(result.returncode, (FAILURE, BAD_INPUT))
        self.assertIn("absent.txt", result.stderr.decode())

    def test_a_folder_is_read_in_sorted_order(self):
        for name in ("b/2.txt", "a/1.txt", "c.txt"):
            self.write(f"texts/{name}", f"{name[0]}\n")
        result = run("embed", "--model", self.model, "--format", "jsonl", self.folder / "texts")
        self.assert_exit(result, DONE)
        tokens = [json.loads(line)["tokens"] for line in result.stdout.splitlines()]
        self.assertEqual(tokens, [["a"], ["b"], ["c"]])


class Verify(tool.ToolTest):
    def test_a_flipped_bit_is_found(self):
        output = self.folder / "out"
        self.assert_exit(run("embed", "--model", self.model, "-o", output, text="A word.\n"), DONE)
        shard = sorted(output.glob("shard*"))[0]
        content = bytearray(shard.read_bytes())
        content[len(content) // 2] ^= 1
        shard.write_bytes(content)
        result = run("verify", output)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(shard.name, result.stderr.decode())

        # Likewise where nobody reads the table.
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as closed:
            result = run("verify", output, stdout=closed)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn(shard.name, result.stderr.decode())

    def test_a_missing_shard_and_damaged_layers_are_reported_in_plain_words(self):
        output = self.folder / "out"
        self.assert_exit(run("embed", "--model", self.model, "-o", output, text="A word.\n"), DONE)
        manifest = output / "manifest.json"
        good = manifest.read_text()
        for damaged, words in (([], "layers is []"), (["x"], "layout is x, forward_1")):
            manifest.write_text(json.dumps(json.loads(good) | {"layers": damaged}))
            result = run("verify", output)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(words, result.stderr.decode())
        manifest.write_text(good)
        (output / "shard-00000.h5").unlink()
        result = run("verify", output)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("shard-00000.h5 is missing", result.stderr.decode())
        self.assertNotIn("filesystem error", result.stderr.decode())


class Init(tool.ToolTest):
    def test_a_seed_gives_the_same_model(self):
        weights = []
        for name, seed in (("a", 7), ("b", 7), ("c", 8)):
            made = run("init", "--preset", "tiny", "--seed", seed, "-o", self.folder / name)
            self.assert_exit(made, DONE)
            weights.append((self.folder / name / "weights.hdf5").read_bytes())
        self.assertEqual(weights[0], weights[1])
        self.assertNotEqual(weights[0], weights[2])

    def test_the_model_is_described(self):
        described = json.loads(run("info", "--json", self.model).stdout)
        self.assertIsInstance(described, dict)
        self.assertTrue(run("info", self.model).stdout)


if __name__ == "__main__":
    unittest.main()
