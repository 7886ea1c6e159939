#!/usr/bin/env python3
"""`elmo plot`: well-formed SVG with the curves at the right positions."""

import json
import math
import os
import re
import shutil
import unittest
import xml.etree.ElementTree

import tool
from tool import BAD_INPUT, DONE, USAGE, run

SVG = "{http://www.w3.org/2000/svg}"


def training_record(step, loss):
    return {"step": step, "tokens": step * 20, "loss_forward": loss, "loss_backward": loss + 1,
            "learning_rate": 0.001, "gradient_norm": 1.0, "seconds": step / 2}


def validation_record(step, perplexity):
    return {"step": step, "valid_tokens": 9, "valid_forward": perplexity * 1.1,
            "valid_backward": perplexity / 1.1, "valid_perplexity": perplexity, "seconds": 1.0}


class Plot(tool.ToolTest):
    def write_run(self, name, records):
        return self.write(f"{name}/progress.jsonl",
                          "".join(json.dumps(record) + "\n" for record in records)).parent

    def curves(self, path):
        """The curves of an SVG as lists of points, and all of its text."""
        root = xml.etree.ElementTree.parse(path).getroot()
        curves = []
        for element in root.iter(SVG + "path"):
            points = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", element.get("d"))
            if element.get("stroke") and len(points) > 1:
                curves.append([tuple(map(float, point)) for point in points])
        return curves, [element.text for element in root.iter(SVG + "text")]

    def test_a_run_has_a_curve_for_each_direction_and_the_average(self):
        folder = self.write_run("run", [
            *(training_record(step, 8 - step / 100) for step in range(10, 301, 10)),
            *(validation_record(step, 1000 / step) for step in (10, 100, 200))])
        self.assert_exit(run("plot", folder), DONE)
        curves, text = self.curves(folder / "curves.svg")
        self.assertEqual([len(curve) for curve in curves], [30, 30, 3, 3, 3])
        for word in ("forward", "backward", "average", "Steps"):
            self.assertIn(word, text)
        loss = curves[0]
        self.assertTrue(all(left[0] < right[0] and left[1] < right[1]
                            for left, right in zip(loss, loss[1:])))  # falls; y grows downwards
        # On a logarithmic axis, equal factors are equal distances.
        heights = [y for _, y in curves[4]]
        self.assertAlmostEqual((heights[1] - heights[0]) / (heights[2] - heights[1]),
                               math.log(10) / math.log(2), places=1)

    def test_runs_are_drawn_over_one_another(self):
        names = ("a", "b & <c>", "d" * 50)
        folders = [self.write_run(name, [training_record(10, 5), training_record(20, 4),
                                         validation_record(10, 90), validation_record(20, 80)])
                   for name in names]
        result = run("plot", *folders)
        self.assert_exit(result, USAGE)
        self.assertIn("-o", result.stderr.decode())
        path = self.folder / "all.svg"
        self.assert_exit(run("plot", *folders, "-o", path), DONE)
        curves, text = self.curves(path)
        self.assertEqual(len(curves), 6)
        self.assertTrue(any(entry.endswith("b & <c>") for entry in text))

    def test_task_runs_are_drawn(self):
        def evaluations(scores):
            return [{"evaluation": number, "step": 10 * number, "loss": 1 / number, "score": score,
                     "learning_rate": 0.01, "best": True, "seconds": 1.0}
                    for number, score in enumerate(scores, 1)]

        one = self.write_run("one", evaluations([50, 70, 80]))
        self.assert_exit(run("plot", one), DONE)
        curves, text = self.curves(one / "curves.svg")
        self.assertEqual([len(curve) for curve in curves], [3, 3])
        self.assertIn("Steps", text)
        for seed in (1, 2):
            self.write_run(f"seeds/seed-{seed}", evaluations([10, 20]))
        self.assert_exit(run("plot", self.folder / "seeds", one, "-o", self.folder / "all.svg"),
                         DONE)
        self.assertEqual(len(self.curves(self.folder / "all.svg")[0]), 6)
        bilm = self.write_run("bilm", [training_record(10, 5)])
        nothing = self.write("nothing/notes.txt", "").parent
        for runs, words in (((one, bilm), "that of a biLM"), ((bilm, one), "that of a biLM"),
                            ((nothing, one), "none")):
            mixed = run("plot", *runs, "-o", self.folder / "mixed.svg")
            self.assert_exit(mixed, USAGE)
            self.assertIn(f"{one} holds the progress of a task, and", mixed.stderr.decode())
            self.assertIn(words + "; expected runs of one kind", mixed.stderr.decode())

    def test_what_is_no_folder_of_a_run_is_refused(self):
        file = self.write("notes.txt", "")
        for path, found in ((file, "is a file"), (file.parent / "nothing", "is missing"),
                            (file.parent, "has no progress.jsonl")):
            with self.subTest(found):
                refused = run("plot", path)
                self.assert_exit(refused, BAD_INPUT)
                self.assertIn(f"{path} {found}; expected the folder of elmo train",
                              refused.stderr.decode())

    def test_no_axis_reads_minus_zero(self):
        folder = self.write_run("run", [training_record(10, 0), training_record(20, 1)])
        self.assert_exit(run("plot", folder), DONE)
        self.assertNotIn("-0", self.curves(folder / "curves.svg")[1])

    def test_names_that_xml_cannot_hold_are_escaped(self):
        records = [training_record(10, 5), training_record(20, 4)]
        folders = [self.write_run(name, records) for name in
                   ("bell\x07", "line\nfeed", "delete\x7f", "one\ufffe", "two\uffff", "fine\ufffd")]
        path = self.folder / "all.svg"
        self.assert_exit(run("plot", *folders, "-o", path), DONE)
        foreign = self.folder / os.fsdecode(b"caf\xe9")
        shutil.copytree(folders[0], foreign)
        self.assert_exit(run("plot", folders[0], foreign, "-o", self.folder / "two.svg"), DONE)
        self.assertTrue(any(entry.endswith(r"caf\xe9")
                            for entry in self.curves(self.folder / "two.svg")[1] if entry))
        text = " ".join(entry for entry in self.curves(path)[1] if entry)
        for name in (r"bell\x07", r"line\x0afeed", r"delete\x7f", r"one\xef\xbf\xbe",
                     r"two\xef\xbf\xbf", "fine\ufffd"):
            self.assertIn(name, text)

    def test_long_runs_have_small_pictures(self):
        folder = self.write_run("run", (training_record(step, 5) for step in range(20000)))
        self.assert_exit(run("plot", folder), DONE)
        self.assertLess((folder / "curves.svg").stat().st_size, 100_000)

    def test_missing_and_invalid_numbers_leave_gaps(self):
        for name, records in (
            ("nothing", []),
            ("one", [training_record(10, 5)]),
            ("infinite", [dict(validation_record(1, 5), valid_perplexity=None),
                          validation_record(2, 1e300)]),
            ("tiny", [validation_record(1, 5e-324), validation_record(2, 5)]),
            ("constant", [training_record(10, 0), training_record(20, 0),
                          validation_record(10, 1), validation_record(20, 1)]),
        ):
            with self.subTest(name):
                folder = self.write_run(name, records)
                self.assert_exit(run("plot", folder), DONE)
                self.assertNotIn("nan", (folder / "curves.svg").read_text())

    def test_an_incomplete_line_is_left_out(self):
        folder = self.write_run("run", [training_record(10, 5), training_record(20, 4)])
        with open(folder / "progress.jsonl", "a", encoding="utf-8") as file:
            file.write('{"step": 30, "tok')
        self.assert_exit(run("plot", folder), DONE)
        self.assertEqual(len(self.curves(folder / "curves.svg")[0][0]), 2)

    def test_a_folder_without_a_run_is_refused(self):
        self.assert_exit(run("plot"), USAGE)
        missing = run("plot", self.folder)
        self.assert_exit(missing, BAD_INPUT)
        self.assertIn("progress.jsonl", missing.stderr.decode())
        broken = self.write("broken/progress.jsonl", '{"step": 1}\n')
        refused = run("plot", broken.parent)
        self.assert_exit(refused, BAD_INPUT)
        self.assertIn("line 1", refused.stderr.decode())


if __name__ == "__main__":
    unittest.main()
