#!/usr/bin/env python3
"""`elmo task` on real data: the gain of a tagger from the default model's layers."""

import json
import os
import pathlib
import unittest

import tool
from tool import DONE, run

DATA = pathlib.Path(os.environ.get("ELMO_REFERENCE_DATA", "/nowhere")) / "data/tasks/ner/wikigold"


@unittest.skipUnless(DATA.is_dir(), "no ELMO_REFERENCE_DATA")
class Names(tool.ToolTest):
    def score(self, *more):
        """F1 on the development data after five evaluations, a third of a usual run."""
        result = run("task", "train", "--train", DATA / "train.conll", "--dev", DATA / "dev.conll",
                     "-o", self.folder / "task", "--overwrite", "--evaluations", 5, "--min-steps", 0,
                     "--patience", 0, "--json", "--quiet", *more)
        self.assert_exit(result, DONE)
        return json.loads(result.stdout)["score"]

    def test_names_are_found_by_context(self):
        # Whole runs come to 70.5 and 55.
        with_layers = self.score("--elmo", "input")
        self.assertGreater(with_layers, 65)
        scored = run("task", "evaluate", self.folder / "task", DATA / "dev.conll", "--json", "--quiet")
        self.assert_exit(scored, DONE)
        scores = json.loads(scored.stdout)
        self.assertAlmostEqual(scores["f1"], with_layers, delta=0.3)  # float16 shards or none
        self.assertEqual(set(scores["types"]), {"PER", "LOC", "ORG", "MISC"})
        without = self.score("--elmo", "none")
        self.assertGreater(without, 30)
        self.assertGreater(with_layers, without + 10)


if __name__ == "__main__":
    unittest.main()
