#!/usr/bin/env python3
"""Tests `bench_log.py --compare` on made-up lines. Nothing is measured."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bench_log

SCRIPT = pathlib.Path(bench_log.__file__)


def line(commit, **values):
    """One with these measurements, each a list of values; "__" in a name stands for a dot."""
    measured = {name.replace("__", "."): bench_log.summary(each) for name, each in values.items()}
    return {"commit": commit, "changed": False, "date": "2026-01-01T00:00:00+00:00", "cpu": "a CPU",
            "cores": 2, "compiler": "a compiler", "onednn": "2.6.3", "rounds": 3,
            "measured": measured}


def moved(before, after):
    """For each changed measurement, whether it improved."""
    found = bench_log.moves(line("a", **before)["measured"], line("b", **after)["measured"])
    return {name: better for name, _, _, better in found}


class Compare(unittest.TestCase):
    def test_differences_within_both_spreads_are_no_change(self):
        quiet, noisy = [0.70, 0.71, 0.72], [0.70, 0.80, 0.90]
        self.assertEqual(moved({"share": quiet}, {"share": noisy}), {})
        self.assertEqual(moved({"share": noisy}, {"share": quiet}), {})
        self.assertEqual(moved({"share": quiet}, {"share": [0.80, 0.81, 0.82]}), {"share": True})

    def test_one_disturbed_round_hides_nothing(self):
        before, after = [0.70, 0.71, 0.71, 0.72, 0.20], [0.80, 0.81, 0.81, 0.82, 0.30]
        self.assertEqual(moved({"share": before}, {"share": after}), {"share": True})

    def test_less_than_two_per_cent_is_no_change(self):
        self.assertEqual(moved({"share": [0.500]}, {"share": [0.509]}), {})
        self.assertEqual(moved({"share": [0.500]}, {"share": [0.511]}), {"share": True})

    def test_a_larger_share_and_a_smaller_cost_are_better(self):
        before = {name: [1.0] for name in (
            "a__lstm_share", "a__latency_seconds", "a__process_bytes", "a__sentence_over_stream",
            "a__peak_flop_per_second")}
        after = {name: [2.0] for name in before}
        self.assertEqual(moved(before, after), {
            "a.lstm_share": True, "a.latency_seconds": False, "a.process_bytes": False,
            "a.sentence_over_stream": False, "a.peak_flop_per_second": True})

    def test_the_largest_change_comes_first(self):
        found = bench_log.moves(line("a", x=[1.0], y=[1.0])["measured"],
                                line("b", x=[1.1], y=[0.5])["measured"])
        self.assertEqual([name for name, *_ in found], ["y", "x"])

    def test_lines_of_different_machines_and_sets_are_noted(self):
        other = dict(line("b", share=[1.0], new=[1.0]), cpu="another CPU")
        text = bench_log.comparison(line("a", share=[1.0], old=[1.0]), other)
        self.assertIn("cpu was a CPU, is another CPU", text)
        self.assertIn("0 of 1 moved", text)
        for name in ("old", "new"):
            self.assertIn(f"in one line only: {name}", text)

    def compare(self, *wanted):
        lines = [line("abc1", share=[1.0]), line("abd2", share=[2.0]), line("abc1", share=[3.0])]
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log.jsonl"
            log.write_text("".join(json.dumps(each) + "\n" for each in lines))
            return subprocess.run([sys.executable, SCRIPT, "--log", log, "--compare", *wanted],
                                  capture_output=True, text=True, check=False)

    def test_lines_are_named_by_commit_or_number(self):
        for wanted, found in ((("1", "2"), "+100.0%"), (("abd", "abc"), "+50.0%"),
                              (("-3", "-1"), "+200.0%"), (("abc1", "3"), "0 of 1 moved")):
            with self.subTest(wanted):
                result = self.compare(*wanted)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(found, result.stdout)
        for wanted in ("0", "4", "-4", "xyz"):
            with self.subTest(wanted):
                self.assertIn("found no such line", self.compare("1", wanted).stderr)

    def test_the_text_is_always_the_same(self):
        lines = bench_log.sentences(5135)
        self.assertEqual(sum(len(each.split()) for each in lines), 5135)
        self.assertEqual(lines, bench_log.sentences(5135))


if __name__ == "__main__":
    unittest.main()
