"""Runs of `elmo task` on data small enough to be memorized, and what they print."""

import json
import random
import signal
import subprocess
import sys
import time

import tool
from tool import DONE, run, start
from training import records

KILLS = 5


def lines(made):
    """Records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in made)


class TaskRuns(tool.ToolTest):
    """Data of one kind in `train` and `dev`; its models are in `task`."""

    kind = "tag"
    small = ()  # flags of a model that learns in no time

    def setUp(self):
        super().setUp()
        self.task = self.folder / "task"

    def arguments(self, *more, output=None):
        return ("task", "train", "--kind", self.kind, "--train", self.train, "--dev", self.dev,
                "-o", output or self.task, "--model", self.model, *self.small, *more)

    def learn(self, *more, output=None):
        result = run(*self.arguments("--quiet", *more, output=output))
        self.assert_exit(result, DONE)
        self.assertEqual(result.stderr, b"")
        return result.stdout

    def evaluate(self, *more, file=None, task=None):
        result = run("task", "evaluate", task or self.task, file or self.dev, "--model", self.model,
                     "--quiet", *more)
        self.assert_exit(result, DONE)
        return result.stdout

    def predict(self, *more, text=b""):
        result = run("task", "predict", self.task, "--model", self.model, "--quiet", *more,
                     text=text)
        self.assert_exit(result, DONE)
        return result.stdout.decode()

    def refuse(self, code, *more, says):
        """Training without the biLM ends with `code` and a message that contains `says`."""
        result = run(*self.arguments("--elmo", "none", *more))
        self.assert_exit(result, code)
        self.assertIn(says, result.stderr.decode())
        self.assertFalse((self.task / "task.json").exists())

    def content(self, folder):
        """The files of a model."""
        return {name: (folder / name).read_bytes()
                for name in ("task.json", "words.txt", "task.hdf5")}


class AnyKind:
    """Tests for the runs of every kind of task, to combine with TaskRuns."""

    killed = ("--elmo", "both", "--min-steps", 60, "--evaluations", 5, "--patience", 0,
              "--checkpoint-steps", 1)

    def test_a_killed_run_ends_with_the_same_bytes(self):
        whole = self.folder / "whole"
        self.learn(*self.killed, output=whole)
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        steps = records(whole)[-1]["step"]
        moments = sorted(chance.sample(range(steps * 4 // 5), KILLS))
        landed = [step for step in moments if self.kill_at(step, chance.uniform(0, 0.02))]
        print(f"{self.kind}, random seed {seed}: killed {len(landed)} times, from steps {landed} of "
              f"{steps} on", file=sys.stderr)
        self.learn(*self.killed, "--resume")
        self.assertEqual(records(self.task), records(whole))
        self.assertEqual(self.files(self.task), self.files(whole))

    def test_a_dry_run_measures_each_part(self):
        before = sorted(self.folder.iterdir())
        for place in ("none", "both"):
            result = run(*self.arguments("--elmo", place, "--dry-run", "--json"))
            self.assert_exit(result, DONE)
            measured = json.loads(result.stdout)
            self.assertEqual(measured["kind"], self.kind)
            for name in ("examples", "dev_examples", "steps", "seconds", "memory_bytes"):
                self.assertGreater(measured[name], 0, name)
            self.assertEqual(measured["features_bytes"] > 0, place == "both")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def kill_at(self, step, delay):
        """Continues the run and kills it that many seconds after its checkpoint of the step or of a
        later one. Returns false if the run ended before."""
        with start(*self.arguments(*self.killed, "--resume"), stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while self.last_checkpoint() < step and process.poll() is None:
                time.sleep(0.001)
            time.sleep(delay)
            process.kill()
            ended = process.wait()
        self.assertIn(ended, (DONE, -signal.SIGKILL))
        return ended != DONE

    def last_checkpoint(self):
        """Its step; 0 before the first."""
        return max((int(path.stem.removeprefix("step-"))
                    for path in (self.task / "checkpoints").glob("step-*.h5")), default=0)

    def files(self, folder):
        """All files of the run except those with times."""
        return {str(path.relative_to(folder)): path.read_bytes()
                for path in folder.rglob("*") if path.is_file() and path.parent.name != "checkpoints"
                and path.name != "progress.jsonl"}
