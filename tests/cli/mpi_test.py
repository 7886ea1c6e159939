#!/usr/bin/env python3
"""Training by several processes over MPI, on this machine: the numbers of one process, reproducible
bits, checkpoints that continue with other numbers of ranks, and complete files at every end."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

import tool
import training
from tool import BAD_INPUT, DONE, ELMO, FAILURE, STOPPED, USAGE, wait_until
from training import checkpoints, records, validations

# Path of the test program of io/mpi; empty if the build has no MPI.
PROGRAM = os.environ.get("ELMO_MPI_TESTS", "")
MPIRUN = os.environ.get("ELMO_MPIRUN", "mpirun")

# More ranks than processors, started by root too; nothing leaves the machine.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl": "self,vader", "OMPI_MCA_pml": "ob1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_plm": "isolated"}


def ranks(number, *command):
    return [MPIRUN, "-n", str(number), *map(str, command)]


def start_ranks(number, *command):
    return subprocess.Popen(ranks(number, *command), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)


def run_ranks(number, *command):
    return subprocess.run(ranks(number, *command), stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=tool.TIMEOUT_SECONDS, env=ENVIRONMENT, check=False)


def children_of(process):
    """The processes that mpirun has started, by their ranks."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent != process.pid:
                continue
            variables = (entry / "environ").read_bytes().split(b"\0")
        except (OSError, IndexError, ValueError):
            continue
        for variable in variables:
            if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(variable.split(b"=")[1])] = int(entry.name)
    return found


@unittest.skipUnless(PROGRAM, "the build has no MPI (-DELMO_MPI=ON)")
class Mpi(training.TrainingTest):
    STEPS = 30
    # Adagrad divides by nothing near zero: what differs by rounding stays so.
    PLAN = ("--steps", STEPS, "--valid-every", 10, "--checkpoint-every", 10,
            "--optimizer", "adagrad", "--keep", 100)
    LONG = ("--steps", 100000, "--valid-every", 100000, "--checkpoint-every", 20, "--keep", 1000)
    shape = ("--unroll", 5, "--samples", 64)
    ONE_THREAD = ("--threads", 1)
    BATCH = ("--batch", 7)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.alone = cls.model.parent / "alone"
        result = cls.train(cls.alone, *cls.PLAN, *cls.BATCH, *cls.ONE_THREAD)
        assert result.returncode == DONE, result.stderr

    @classmethod
    def usual(cls, output, *more):
        """A command with the batch and the threads of most tests."""
        return cls.arguments(output, *cls.BATCH, *cls.ONE_THREAD, *more)

    @classmethod
    def train_ranks(cls, number, output, *more):
        return run_ranks(number, ELMO, *cls.usual(output, *more))

    def done(self, number, output, *more):
        result = self.train_ranks(number, output, *(more or self.PLAN))
        self.assert_exit(result, DONE)
        return result

    def assert_about_as_alone(self, folder):
        found, expected = records(folder), records(self.alone)
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertEqual(one.keys(), other.keys())
            for key, value in other.items():
                self.assertAlmostEqual(one[key], value, delta=1e-4 * abs(value), msg=key)

    def assert_same_model(self, one, other):
        for name in ("weights.hdf5", "softmax.hdf5", "vocabulary.txt", "options.json"):
            self.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), name)

    def wait_for_checkpoints(self, process, number):
        """Waits until the run has this many checkpoints, and returns its ranks' processes."""
        wait_until(lambda: len(checkpoints(self.output)) >= number, process)
        return children_of(process)

    def test_the_communicator_with_one_two_and_three_ranks(self):
        for number in (1, 2, 3):
            with self.subTest(ranks=number):
                self.assert_exit(run_ranks(number, PROGRAM), 0)

    def test_ranks_train_like_one_process(self):
        for number in (2, 3, 7):
            with self.subTest(ranks=number):
                output = self.folder / str(number)
                result = self.done(number, output)
                self.assert_about_as_alone(output)
                told = result.stderr.decode()
                self.assertIn(f"{number} ranks", told)
                self.assertEqual(told.count(f"step {self.STEPS}: "), 1, told)
                self.assertEqual(result.stdout, b"")
                self.assertFalse((output / ".elmo.lock").exists())

    def test_the_same_ranks_give_the_same_bits(self):
        first, second = self.folder / "first", self.folder / "second"
        for output in (first, second):
            self.done(2, output)
        self.assert_same_model(first, second)
        self.assertEqual(records(first), records(second))

    def test_another_number_of_ranks_continues(self):
        for number in (1, 2, 3):
            with self.subTest(ranks=number):
                output = self.folder / str(number)
                part = self.train_ranks(2, output, *self.PLAN, "--max-steps", 13)
                self.assert_exit(part, STOPPED)
                rest = self.train_ranks(number, output, *self.PLAN, "--resume")
                self.assert_exit(rest, DONE)
                self.assertIn("resumed from step 13", rest.stderr.decode())
                self.assert_about_as_alone(output)

    def test_one_process_continues_with_another_number_of_threads(self):
        self.assert_exit(self.train_ranks(3, self.output, *self.PLAN, "--max-steps", 13), STOPPED)
        self.assert_exit(self.train(self.output, *self.PLAN, *self.BATCH, "--threads", 2,
                                    "--resume"), DONE)
        self.assert_about_as_alone(self.output)

    def test_the_same_number_of_ranks_continues_bit_for_bit(self):
        whole = self.folder / "whole"
        self.done(2, whole)
        self.assert_exit(self.train_ranks(2, self.output, *self.PLAN, "--max-steps", 17), STOPPED)
        self.done(2, self.output, *self.PLAN, "--resume")
        self.assert_same_model(self.output, whole)
        self.assertEqual(records(self.output), records(whole))
        other = run_ranks(2, ELMO, *self.arguments(self.output, *self.PLAN, *self.BATCH,
                                                   "--resume", "--threads", 2))
        self.assert_exit(other, DONE)
        self.assertIn("2 ranks of 2 threads instead of 2 ranks of 1 thread", other.stderr.decode())

    def test_a_signal_to_any_rank_stops_all_at_one_step(self):
        for rank in (0, 2):
            with self.subTest(rank=rank):
                self.output = self.folder / str(rank)
                with start_ranks(3, ELMO, *self.usual(self.output, *self.LONG)) as process:
                    pids = self.wait_for_checkpoints(process, 1)
                    os.kill(pids[rank], signal.SIGTERM)
                    _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
                self.assertEqual(process.returncode, STOPPED, errors)
                self.assertIn(b"stopped at step", errors)
                step = int(checkpoints(self.output)[-1][5:15])
                resumed = self.train_ranks(2, self.output, *self.LONG, "--resume", "--max-steps", 3)
                self.assert_exit(resumed, STOPPED)
                self.assertIn(f"resumed from step {step:,}", resumed.stderr.decode())

    def test_a_killed_rank_ends_all_and_leaves_a_complete_checkpoint(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                self.output = self.folder / str(rank)
                with start_ranks(2, ELMO, *self.usual(self.output, *self.LONG)) as process:
                    pids = self.wait_for_checkpoints(process, 2)
                    os.kill(pids[rank], signal.SIGKILL)
                    _, errors = process.communicate(timeout=tool.TIMEOUT_SECONDS)
                self.assertNotIn(process.returncode, (DONE, STOPPED))
                self.assertIn(b"signal 9", errors)
                resumed = self.train_ranks(2, self.output, *self.LONG, "--resume", "--max-steps", 3)
                self.assert_exit(resumed, STOPPED)
                self.assertIn(b"resumed from step", resumed.stderr)
                self.assertNotIn(b"damaged", resumed.stderr)

    def test_a_failed_rank_ends_all(self):
        """Only rank 1 has too little memory."""
        limited = self.write("limited.sh", '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || ulimit -v 600000\n'
                             'exec "$@"\n')
        big = ("--batch", 60000, "--steps", 5, *self.ONE_THREAD)
        failed = run_ranks(2, "sh", limited, ELMO, *self.arguments(self.output, *big))
        self.assertEqual(failed.returncode, FAILURE, failed.stderr)
        self.assertIn(b"rank 1: ", failed.stderr)

    def test_rank_0_refuses_what_all_ranks_would_refuse(self):
        for more, code, words in (
                (("--batch", 2, "--steps", 3), USAGE, b"a batch of 2 for 3 ranks"),
                ((*self.BATCH, "--steps", 3, "--learning-rate", 1e38, "--warmup-steps", 0, "--decay", "none",
                  "--optimizer", "adam", "--gradient-clip", 0), FAILURE, b"not finite"),
                ((*self.BATCH, "--steps", 3, "--vocab", self.folder / "missing"), BAD_INPUT,
                 b"missing")):
            with self.subTest(words=words):
                refused = run_ranks(3, ELMO, *self.arguments(self.folder / "refused", *more,
                                                             *self.ONE_THREAD, "--overwrite"))
                self.assertEqual(refused.returncode, code, refused.stderr)
                lines = [line for line in refused.stderr.splitlines() if line.startswith(b"elmo: ")]
                self.assertEqual(sum(words in line for line in lines), 1, refused.stderr)
                self.assertNotIn(b"rank 1:", refused.stderr)

    def test_ranks_with_other_settings_are_refused(self):
        other = self.write("other.sh", 'seed=$OMPI_COMM_WORLD_RANK\nexec "$@" --seed $seed\n')
        refused = run_ranks(2, "sh", other, ELMO, *self.usual(self.output, *self.PLAN))
        self.assertEqual(refused.returncode, USAGE, refused.stderr)
        self.assertIn(b"rank 1: found other settings than rank 0's: --seed was 0 and is 1",
                      refused.stderr)

    def test_finetune(self):
        tuned = {}
        for number in (1, 2):
            tuned[number] = self.folder / f"tuned-{number}"
            command = ("finetune", self.text, "--model", self.alone, "--valid", self.valid,
                       *self.shape, *self.BATCH, *self.ONE_THREAD, "--steps", 10,
                       "--optimizer", "adagrad", "-o", tuned[number])
            self.assert_exit(run_ranks(number, ELMO, *command), DONE)
        one, two = (validations(tuned[number])[-1] for number in (1, 2))
        self.assertAlmostEqual(two["valid_perplexity"] / one["valid_perplexity"], 1, delta=1e-4)

    def test_a_text_from_standard_input_is_read_once(self):
        arguments = [str(argument) for argument in self.usual(self.output, *self.PLAN)]
        arguments[arguments.index(str(self.text))] = "-"
        result = subprocess.run(ranks(2, ELMO, *arguments), input=self.text.read_bytes(),
                                capture_output=True, timeout=tool.TIMEOUT_SECONDS,
                                env=ENVIRONMENT, check=False)
        self.assert_exit(result, DONE)
        self.assert_about_as_alone(self.output)

    def test_other_commands_ignore_ranks(self):
        told = tool.run("info", self.alone, "--json")
        self.assert_exit(told, DONE)
        json.loads(told.stdout)


if __name__ == "__main__":
    print(PROGRAM or "no MPI", file=sys.stderr)
    unittest.main()
