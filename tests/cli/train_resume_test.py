#!/usr/bin/env python3
"""Training that is killed, stopped or limited: --resume ends with the log and the model of an
uninterrupted run, to the last digit."""

import random
import shutil
import signal
import subprocess
import time
import unittest

import tool
import training
from tool import BAD_INPUT, DONE, STOPPED, run, start, wait_until
from training import checkpoints, computes_bfloat16, records

STEPS = 120
KILLS = 5


class Resume(training.TrainingTest):
    PLAN = ("--steps", STEPS, "--valid-every", 45, "--checkpoint-every", 13, "--resume")
    shape = (*training.SHAPE, "--threads", 2)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.undisturbed = cls.model.parent / "undisturbed"
        result = cls.train(cls.undisturbed, *cls.PLAN)
        assert result.returncode == DONE, result.stderr

    def start(self):
        return start(*self.arguments(self.output, *self.PLAN), stdin=subprocess.DEVNULL)

    def finish(self, *more):
        result = self.train(self.output, *self.PLAN, *more)
        self.assert_exit(result, DONE)
        return result

    def assert_as_undisturbed(self):
        self.assertEqual(records(self.output), records(self.undisturbed))
        for name in ("weights.hdf5", "softmax.hdf5", "vocabulary.txt"):
            self.assertEqual((self.output / name).read_bytes(),
                             (self.undisturbed / name).read_bytes(), name)

    def wait_for_a_checkpoint(self, process):
        before = checkpoints(self.output)
        wait_until(lambda: checkpoints(self.output) != before, process)

    def stop(self, number):
        """Starts a run and sends it a signal once it has written a checkpoint. Returns its exit
        code and messages."""
        with self.start() as process:
            self.wait_for_a_checkpoint(process)
            process.send_signal(number)
            _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
        return process.returncode, errors

    def test_killed_repeatedly(self):
        seed = time.time_ns()
        print("seed", seed)
        chance = random.Random(seed)
        kills = 0
        while kills < KILLS:
            with self.start() as process:
                self.wait_for_a_checkpoint(process)
                time.sleep(chance.uniform(0, 0.02))
                process.kill()
                process.communicate()
            if process.returncode == DONE:  # it ended before it could be killed
                shutil.rmtree(self.output)
            else:
                kills += 1
        resumed = self.finish()
        self.assertIn("resumed from step", resumed.stderr.decode())
        self.assert_as_undisturbed()

    def test_stopped_after_some_steps(self):
        for more in ((), ("--initial-state", "carry"), ("--optimizer", "adagrad"),
                     ("--precision", "bfloat16")):
            with self.subTest(more):
                if "bfloat16" in more and not computes_bfloat16():
                    self.skipTest("this CPU has no instructions for bfloat16")
                whole, parts = self.folder / "whole", self.folder / "parts"
                plan = ("--steps", 60, "--valid-every", 25, *more)
                self.assert_exit(self.train(whole, *plan, "--overwrite"), DONE)
                first = self.train(parts, *plan, "--overwrite", "--max-steps", 17)
                self.assert_exit(first, STOPPED)
                self.assertIn("--resume", first.stderr.decode())
                other = self.train(parts, "--steps", 61, "--weight-decay", 0.5, *plan[2:], "--resume")
                self.assert_exit(other, BAD_INPUT)
                for words in (" is of a run with other settings: ", "--weight-decay was 0 and is 0.5",
                              "total_steps (--steps, --epochs) was 60 and is 61",
                              "; continue with the same ones, or start again with --overwrite"):
                    self.assertIn(words, other.stderr.decode())
                self.assertEqual(checkpoints(parts)[-1], "step-0000000017.h5")
                self.assert_exit(self.train(parts, *plan, "--resume", "--max-steps", 8), STOPPED)
                self.assert_exit(self.train(parts, *plan, "--resume"), DONE)
                self.assertEqual(records(parts), records(whole))

    def test_a_machine_with_other_cores_continues_up_to_rounding(self):
        def train(output, threads, *more):
            shape = (*training.SHAPE, "--threads", threads)
            return run("train", self.text, "--valid", self.valid, "--options", self.options, *shape,
                       *self.PLAN, "-o", output, *more)

        for before, now, says in ((2, 1, "resumed with 1 thread instead of 2 threads: "),
                                  (1, 2, "resumed with 2 threads instead of 1 thread: "),
                                  (1, 1, "")):
            with self.subTest((before, now)):
                output = self.folder / f"{before}-{now}"
                self.assert_exit(train(output, before, "--max-steps", 20), STOPPED)
                rest = train(output, now)
                self.assert_exit(rest, DONE)
                said = rest.stderr.decode()
                self.assertEqual("instead of" in said, bool(says))
                self.assertIn(says, said)
                for mine, expected in zip(records(output), records(self.undisturbed), strict=True):
                    for name, value in expected.items():
                        self.assertAlmostEqual(mine[name], value, delta=1e-3 * abs(value), msg=name)

    def test_resumed_products_keep_their_precision(self):
        if not computes_bfloat16():
            self.skipTest("this CPU has no instructions for bfloat16")
        self.assert_exit(self.train(self.output, *self.PLAN, "--max-steps", 5), STOPPED)
        other = self.train(self.output, *self.PLAN, "--precision", "bfloat16")
        self.assert_exit(other, BAD_INPUT)
        self.assertIn("precision", other.stderr.decode())

    def test_stopped_after_some_time(self):
        limited = self.train(self.output, "--steps", 10 ** 9, "--max-minutes", 0.01)
        self.assert_exit(limited, STOPPED)
        # One where it stopped, and on a fast machine one of the first validation.
        self.assertIn(len(checkpoints(self.output)), (1, 2))
        self.assertTrue((self.output / "options.json").exists())

    def test_a_stopped_run_writes_a_checkpoint_and_the_model(self):
        def check():
            embedded = run("embed", "--model", self.output, "--format", "npy", text="Yes.\n")
            self.assert_exit(embedded, DONE)
            self.finish()
            self.assert_as_undisturbed()

        self.check_stopped_runs(check)

    def test_stopped_while_it_waits_for_text(self):
        with start("train", "--valid", self.valid, "--options", self.options, "-o",
                   self.output) as process:
            wait_until(self.output.exists, process)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), STOPPED, process.stderr.read())

    def test_the_language_beside_the_model_stays(self):
        self.assert_exit(self.train(self.output, *self.PLAN, "--max-steps", 17), STOPPED)
        language = self.output / "language.json"
        language.write_text('{"language": "en", "scripts": ["Latn"]}')
        self.finish()
        self.assertIn("en", language.read_text())
        self.assert_exit(self.train(self.output, "--steps", 5, "--overwrite"), DONE)
        self.assertFalse(language.exists())

    def test_only_the_requested_number_of_checkpoints_is_kept(self):
        self.finish("--keep", 3)
        self.assertEqual(checkpoints(self.output),
                         [f"step-{step:010}.h5" for step in (104, 117, 120)])

    def test_a_damaged_checkpoint_is_skipped(self):
        self.assert_exit(self.train(self.output, *self.PLAN, "--max-steps", 60), STOPPED)
        newest = self.output / "checkpoints" / checkpoints(self.output)[-1]
        newest.write_bytes(newest.read_bytes()[:-1000])
        resumed = self.finish()
        self.assertIn(newest.name, resumed.stderr.decode())
        self.assertIn("resumed from step 52", resumed.stderr.decode())
        self.assert_as_undisturbed()

    def test_a_complete_run_has_nothing_to_continue(self):
        before = records(self.undisturbed)
        self.assert_exit(self.train(self.undisturbed, *self.PLAN), DONE)
        self.assertEqual(records(self.undisturbed), before)

    def test_two_runs_do_not_write_into_one_folder(self):
        with start("train", "--valid", self.valid, "--options", self.options, *self.shape,
                   "--steps", 5, "-o", self.output) as first:
            wait_until((self.output / ".elmo.lock").exists, first)
            second = self.train(self.output, *self.PLAN)
            self.assertNotEqual(second.returncode, DONE)
            self.assertIn(str(self.output), second.stderr.decode())
            _, errors = first.communicate(b"One sentence.\n", timeout=tool.TIMEOUT_SECONDS)
            self.assertEqual(first.returncode, DONE, errors)


if __name__ == "__main__":
    unittest.main()
