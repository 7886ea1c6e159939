"""Runs of `elmo task` on data small enough to be memorized, and what they print."""

import tool
from tool import DONE, run


class TaskRuns(tool.ToolTest):
    """Of data of one kind, written to `train` and `dev`; its models lie in `task`."""

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
