#!/usr/bin/env python3
"""Probes and scikit-learn's logistic regression come to the same accuracies."""

import contextlib
import io
import json
import pathlib
import random
import sys
import unittest

try:
    import probe_check
except ModuleNotFoundError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import tool  # noqa: E402 (found beside this folder only)


def columns(seed, count):
    """Made-up words whose label is their last letter."""
    chance = random.Random(seed)
    text = ""
    for _ in range(count):
        for _ in range(chance.randint(2, 12)):
            word = "".join(chance.choices("abcde", k=chance.randint(1, 4)))
            text += f"{word}\t{word[-1].upper()}\n"
        text += "\n"
    return text


class ProbeCheck(tool.ToolTest):
    def test_probes_are_as_good_as_regressions(self):
        train = self.write("train.conll", columns(1, 250))
        dev = self.write("dev.conll", columns(2, 80))
        features = self.folder / "features"
        # The model that is shipped: layers of a random one are all but singular.
        result = tool.run("probe", "--train", train, "--dev", dev, "--features", features,
                          "--epochs", 20, "--batch-tokens", 64, "--json", "--quiet")
        self.assert_exit(result, tool.DONE)
        probe = self.write("probe.json", result.stdout)
        self.assertEqual(len(json.loads(result.stdout)["layers"]), 8)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = probe_check.main(["--train", str(train), "--dev", str(dev), "--features",
                                     str(features), "--probe", str(probe), "--strengths", "1",
                                     "--layers", "x", "1", "mix", "--tolerance", "2"])
        self.assertEqual(code, 0, output.getvalue())
        self.assertEqual(len(output.getvalue().splitlines()), 3)


if __name__ == "__main__":
    unittest.main()
