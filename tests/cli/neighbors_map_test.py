#!/usr/bin/env python3
"""`elmo neighbors --map`: the positions match NumPy, and the page is complete, self-contained and
safe."""

import html.parser
import json
import re
import resource
import signal
import unittest

import numpy
import tool
from neighbors import text
from tool import BAD_INPUT, DONE, FAILURE, INTERRUPTED, USAGE, run, start

try:
    import h5py
except ImportError:
    h5py = None

VOID = {"meta", "br", "input", "link", "img"}
LAYERS = {"x": slice(0, 8), "1": slice(8, 24), "2": slice(24, 40)}  # of the tiny model


class Page(html.parser.HTMLParser):
    """A parsed page with its nested elements."""

    def __init__(self, content):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.ids = [], {}, []
        self.loaded = []  # what another file would be read for
        self.feed(content)
        self.close()
        assert not self.open, self.open
        self.data = json.loads(self.texts["script"][0])

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), attrs
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.loaded += [value for name, value in attrs
                        if name in ("src", "href", "action", "data") and not value.startswith("#")]
        self.texts.setdefault(tag, []).append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts[tag][-1] += data


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                        for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast of two colors by WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class NeighborsMap(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.text = self.write("text.txt", text())
        self.run_folder = self.folder / "run"
        self.html = self.folder / "map.html"

    def embed(self, *arguments, output=None):
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--shard-size", "30K", *arguments, self.text, "-o", output or self.run_folder)
        self.assert_exit(result, DONE)

    def map(self, word, *arguments, corpus=None, more=(), **keywords):
        """Maps a word of a run or, with the tiny model, of text."""
        corpus = corpus or self.run_folder
        if not (corpus / "manifest.json").exists():
            arguments = ("--model", self.model, "--input-format", "tokens", *arguments)
        return run("neighbors", "--quiet", word, "--map", self.html, *arguments, "--corpus", corpus,
                   *more, **keywords)

    def page(self, word, *arguments, **keywords):
        result = self.map(word, *arguments, **keywords)
        self.assert_exit(result, DONE)
        self.assertEqual((result.stdout, result.stderr), (b"", b""))
        return Page(self.html.read_text(encoding="utf-8"))

    def data(self, word, *arguments, **keywords):
        return self.page(word, *arguments, **keywords).data

    def occurrences(self, word):
        """The lines, the sentences and the vectors of a word, by `elmo embed`."""
        result = run("embed", "--quiet", "--model", self.model, "--input-format", "tokens",
                     "--format", "jsonl", self.text)
        self.assert_exit(result, DONE)
        lines, sentences, vectors = [], [], []
        for record in map(json.loads, result.stdout.splitlines()):
            for i, token in enumerate(record["tokens"]):
                if token.lower() == word:
                    lines.append(record["line"])
                    sentences.append(tuple(" ".join(part) for part in (
                        record["tokens"][:i], record["tokens"][i:i + 1], record["tokens"][i + 1:])))
                    vectors.append(numpy.array(record["vectors"][i]).ravel())
        return lines, sentences, numpy.array(vectors)

    def assert_plane(self, data, vectors, tolerance):
        """The plane by a singular value decomposition."""
        centered = vectors - vectors.mean(axis=0)
        left, lengths, _ = numpy.linalg.svd(centered, full_matrices=False)
        squares = lengths ** 2
        for c, axis in enumerate("xy"):
            along = left[:, c] * lengths[c]
            found = numpy.array(data[axis])
            along *= numpy.sign(along @ found)
            self.assertLess(abs(along - found).max(), tolerance * lengths[0])
            self.assertAlmostEqual(data["shares"][c], squares[c] / squares.sum(), delta=tolerance)
            self.assertGreaterEqual(found[numpy.argmax(abs(found) > 1e-6 * abs(found).max())], 0)

    def test_the_positions_match_numpy_for_runs_and_text(self):
        self.embed()
        lines, sentences, vectors = self.occurrences("bank")
        for corpus in (self.run_folder, self.text):
            for layer, numbers in LAYERS.items():
                with self.subTest(corpus=corpus.name, layer=layer):
                    data = self.data("BANK", "--layer", layer, corpus=corpus)
                    self.assert_plane(data, vectors[:, numbers], 1e-4)
                    self.assertEqual(data["line"], lines)
                    self.assertEqual(list(zip(data["before"], data["word"], data["after"])),
                                     sentences)
                    self.assertEqual((data["occurrences"], data["layer"], data["files"]),
                                     (len(lines), layer, [str(self.text)]))
        default = self.data("bank")
        self.assertEqual(default["layer"], "2")
        # Fewer occurrences than numbers of a vector.
        self.text.write_text(text(9, 5))
        _, sentences, vectors = self.occurrences("runs")
        self.assertTrue(2 < len(sentences) < 16)
        self.assert_plane(self.data("runs", corpus=self.text), vectors[:, LAYERS["2"]], 1e-4)

    def test_threads_change_nothing_and_a_run_needs_no_model(self):
        self.embed()
        pages = set()
        for threads in (1, 2):
            self.page("bank", "--threads", threads, corpus=self.text)
            pages.add(self.html.read_bytes())
        self.assertEqual(len(pages), 1)
        for number, arguments in enumerate((("--initial-state", "carry"), ("--boundaries",),
                                            ("--layers", "top"), ("--dtype", "int8"))):
            folder = self.folder / str(number)
            self.embed(*arguments, output=folder)
            self.assertEqual(self.data("bank", corpus=folder)["line"], self.data("bank")["line"])

    def test_of_many_occurrences_a_sample_is_shown_with_a_note(self):
        self.embed()
        everything = self.data("the")
        whole = set(zip(everything["line"], everything["before"]))
        samples = []
        for arguments in ((), ("--seed", 2)):
            page = self.page("the", "--sample", 7, *arguments)
            data = page.data
            self.assertEqual((len(data["x"]), data["occurrences"]), (7, len(everything["x"])))
            self.assertEqual(data["line"], sorted(data["line"]))
            samples.append(list(zip(data["line"], data["before"])))
            self.assertLessEqual(set(samples[-1]), whole)
            self.assertIn(f"A random sample (seed {data['seed']}) of the {len(everything['x'])} "
                          "occurrences", page.texts["p"][0])
        self.assertNotEqual(*samples)
        of_text = self.data("the", "--sample", 7, corpus=self.text)
        self.assertEqual(list(zip(of_text["line"], of_text["before"])), samples[0])

    def test_points_are_grouped_by_document_or_by_label(self):
        sentences = [line.split() for line in self.text.read_text().splitlines()]
        labels = [[f"L{i % 3}" for i, _ in enumerate(sentence)] for sentence in sentences]
        records = [{"tokens": tokens, "labels": names} for tokens, names in zip(sentences, labels)]
        labeled = self.write("labels.jsonl", "".join(json.dumps(one) + "\n" for one in records))
        columns = self.write("labels.conll", "\n".join(
            "".join(f"{token}\t{label}\n" for token, label in zip(*pair))
            for pair in zip(sentences, labels)))
        expected = [label for pair in zip(sentences, labels) for token, label in zip(*pair)
                    if token == "old"]
        self.embed()
        for file in (labeled, columns):
            for corpus in (self.run_folder, self.text):
                data = self.data("old", "--labels", file, corpus=corpus)
                self.assertTrue(data["labeled"])
                self.assertEqual([data["groups"][group] for group in data["group"]], expected)
                counts = [expected.count(name) for name in data["groups"]]
                self.assertEqual(counts, sorted(counts, reverse=True))
        conllu = self.write("words.conllu", "".join(
            "".join(f"{i}\t{token}\t_\tNOUN\t{'AB'[i % 2]}\t_\t0\troot\t_\t_\n"
                    for i, token in enumerate(sentence, 1)) + "\n" for sentence in sentences))
        data = self.data("old", "--labels", conllu, "--column", "xpos")
        self.assertEqual(sorted(data["groups"]), ["A", "B"])

        few = self.write("few.txt", "".join(line + "\n" for line in
                                            self.text.read_text().splitlines()[:9]))
        data = self.data("old", corpus=self.text, more=[few])
        self.assertFalse(data["labeled"])
        self.assertEqual(data["groups"], [str(self.text), str(few)])
        self.assertEqual([data["groups"][group] for group in data["group"]],
                         [data["files"][file] for file in data["file"]])

        short = self.write("short.jsonl", "".join(json.dumps(one) + "\n" for one in records[:9]))
        other = self.write("other.jsonl", "".join(json.dumps(one) + "\n" for one in records[1:]))
        for file, words in ((short, "has 9 sentences; expected the corpus's sentences"),
                            (other, "as in the corpus")):
            result = self.map("old", "--labels", file)
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(words, result.stderr.decode())
            self.assertIn(file.name, result.stderr.decode())

    def test_the_page_is_self_contained_and_well_formed(self):
        page = self.page("bank", corpus=self.text)
        content = self.html.read_text(encoding="utf-8")
        self.assertTrue(content.startswith("<!DOCTYPE html>\n"))
        self.assertEqual(page.loaded, [])
        # Saved pictures name SVG's language and their own frame, and load neither.
        for own in ('"http://www.w3.org/2000/svg"', '"url(#frame)"'):
            self.assertEqual(content.count(own), 1)
            content = content.replace(own, "")
        self.assertNotRegex(content, r"https?:|url\(|@import|import\(|fetch\(|innerHTML")
        self.assertIn("default-src 'none'", content)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertEqual(page.texts["title"], page.texts["h1"])
        count = len(page.data["x"])
        self.assertEqual(page.texts["title"], [f"bank: {count} occurrences in context"])
        # Every element that the script looks up is there, as is each that another one names.
        for name in re.findall(r'byId\("([^"]+)"\)|aria-\w+="([a-z]+)"', content):
            if name[0] or f'by="{name[1]}"' in content:
                self.assertIn("".join(name), page.ids)

    def test_colors_have_contrast_in_light_and_in_dark(self):
        self.page("bank", corpus=self.text)
        palettes = re.findall(r":root(?:, \.light)? \{\s*(--.*?)\}",
                              self.html.read_text(encoding="utf-8"), re.S)
        self.assertEqual(len(palettes), 2)
        for palette in palettes:
            colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", palette))
            marks = [color for name, color in colors.items() if name.startswith("group")]
            self.assertEqual(len(set(marks)), 8)
            for color in (*marks, colors["rest"]):
                self.assertGreaterEqual(contrast(color, colors["paper"]), 3)
            for ink, paper in (("ink", "paper"), ("quiet", "paper"), ("ink", "marked")):
                self.assertGreaterEqual(contrast(colors[ink], colors[paper]), 4.5)

    def test_hostile_text_is_shown_as_text(self):
        attacks = ["</script><script>alert(1)</script>", "<!--", "]]>", "\"'&amp;&", "{{data}}",
                   "\\u003c", "$&", "\u202eabc", "\u2066x", "a\x01b", "\x9b1m", "\ufdd0", "\U0001fffe",
                   "אבג", "W" * 2000]
        line = " ".join(attacks)
        self.text.write_text("".join(f"{line} w{i} {word} {line}\n" for i in range(4)
                                     for word in (*attacks, "bank")), encoding="utf-8")
        for word in (*attacks[:9], attacks[-1]):
            with self.subTest(word=word[:20]):
                page = self.page(word, corpus=self.text)
                content = self.html.read_text(encoding="utf-8")
                self.assertEqual(content.count("<script"), 2)
                self.assertNotRegex(content, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
                                             "\ufdd0\U0001fffe]")
                seen = re.sub("[\x01\x9b\u202e\u2066\ufdd0\U0001fffe]", "\ufffd", word)
                self.assertEqual(set(page.data["word"]), {seen})
                self.assertTrue(page.texts["title"][0].startswith(f"{seen}: "))
        data = self.data("bank", corpus=self.text)
        self.assertIn("</script><script>alert(1)</script>", data["after"][0])
        # Contexts are cut at whole tokens.
        self.assertTrue(all(part.startswith("… ") for part in data["before"]))
        self.assertTrue(all(part.endswith("אבג …") for part in data["after"]))

    def test_long_sentences_are_cut_around_the_word(self):
        self.text.write_text(" ".join(["the old"] * 100 + ["bank", "bank"] + ["of money"] * 100) + "\n")
        data = self.data("bank", corpus=self.text)
        self.assertEqual(data["before"], ["… " + " ".join(["the old"] * 15),
                                          "… " + " ".join(["old", *["the old"] * 14, "bank"])])
        self.assertEqual(data["after"][1], " ".join(["of money"] * 15) + " …")

    def test_requests_without_a_map_are_refused(self):
        self.embed()
        self.html.write_text("old")
        same = self.write("same.txt", "old river\nold river\nold money\n")
        for result, words in (
                (self.map("bridge"), "found no token 'bridge', ignoring case"),
                (self.map("bank", corpus=self.write("empty.txt", "")), "found no token"),
                (self.map("money", corpus=same), "found 1 occurrence of 'money'; expected at least 2"),
                (self.map("old", "--layer", "x", corpus=same), "the same vector in layer x"),
                (self.map("bank", corpus=self.folder / "missing"), "missing"),
                (self.map("bank", "--labels", self.folder / "gone"), "gone")):
            self.assert_exit(result, BAD_INPUT)
            self.assertIn(words, result.stderr.decode())
        sampled = self.folder / "sampled"
        self.embed("--sample", "9", output=sampled)
        result = self.map("bank", corpus=sampled)
        self.assert_exit(result, BAD_INPUT)
        self.assertIn("vectors of all tokens", result.stderr.decode())
        self.assertEqual(self.html.read_text(), "old")
        self.assertEqual(list(self.folder.glob("*.unfinished*")), [])

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_vectors_that_are_not_finite_are_refused(self):
        self.embed()
        for value in (numpy.nan, numpy.inf):
            with h5py.File(sorted(self.run_folder.glob("shard-*.h5"))[0], "r+") as file:
                row = [token.lower() for token in file["tokens"].asstr()[:]].index("bank")
                file["activations"][row] = value
            result = self.map("bank")
            self.assert_exit(result, BAD_INPUT)
            self.assertIn("not finite", result.stderr.decode())

    def test_wrong_usage(self):
        self.embed()
        for arguments, words in (
                (("bank", "--map", self.html, "-k", 3), "--map with --count"),
                (("bank", "--map", self.html, "--same-word"), "--map with --same-word"),
                (("bank", "--map", self.html, "--format", "jsonl"), "--map with --format"),
                (("bank", "--map", self.html, "--clusters", 2, "-k", 3), "needs --format jsonl"),
                (("bank", "--map", self.html, "--clusters", 2, "--format", "table"), "expected jsonl"),
                (("bank", "--map", self.html, "--normalize", "nfkc"), "--normalize makes sense only"),
                (("bank", "--map", self.html, "--sample", 1), "--sample"),
                (("bank", "--map", self.html, "--layer", 3), "x, 1, 2"),
                (("bank", "--map", self.html, "--model", self.model), "--model makes sense only"),
                (("bank", "--map", self.html, "--column", "xpos"), "only with --labels"),
                (("--map", self.html), "found no WORD"),
                (("bank", "--map", self.run_folder / "shard-00000.h5"), "lies in the run"),
                (("[bank]", "--seed", 3), "--seed makes sense only with --map"),
                (("[bank]", "--labels", self.text), "--labels makes sense only with --map")):
            with self.subTest(arguments=arguments):
                result = run("neighbors", *arguments, "--corpus", self.run_folder)
                self.assert_exit(result, USAGE)
                self.assertIn(words, result.stderr.decode())
        result = run("neighbors", "bank", "--map", self.text, "--corpus", self.text)
        self.assert_exit(result, USAGE)
        self.assertIn("one of the files that are read", result.stderr.decode())
        self.assertEqual(self.text.read_text(), text())

    def test_the_word_may_follow_the_corpus_and_the_page_be_in_the_run(self):
        self.embed()
        page = self.run_folder / "bank.html"
        result = run("neighbors", "--corpus", self.run_folder, "[bank]", "--map", page)
        self.assert_exit(result, BAD_INPUT)  # a word is taken as it is
        result = run("neighbors", "--corpus", self.run_folder, "bank", "--map", page)
        self.assert_exit(result, DONE)
        count = len(Page(page.read_text(encoding="utf-8")).data["x"])
        self.assertIn(f"elmo: the map of {count} of {count} occurrences is in {page}\n",
                      result.stderr.decode())

    def test_a_signal_leaves_the_previous_page_and_nothing_else(self):
        self.html.write_text("old")
        for number in (signal.SIGINT, signal.SIGTERM):
            with start("neighbors", "bank", "--model", self.model, "--lines", "--corpus", "-", "--map",
                       self.html) as process:
                unfinished = self.folder / "map.html.unfinished"
                while not unfinished.exists():  # from then on signals are handled
                    self.assertIsNone(process.poll())
                process.send_signal(number)
                self.assertEqual(process.wait(tool.TIMEOUT_SECONDS), INTERRUPTED)
                self.assertIn(b"no map was written", process.stderr.read())
            self.assertEqual(self.html.read_text(), "old")
            self.assertFalse(unfinished.exists())

    def test_a_page_that_cannot_be_written_leaves_the_previous_one(self):
        self.html.write_text("old")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        result = self.map("bank", corpus=self.text, preexec_fn=limit)
        self.assert_exit(result, FAILURE)
        self.assertIn(b"map.html", result.stderr)
        self.assertEqual(self.html.read_text(), "old")
        self.assertEqual(list(self.folder.glob("*.unfinished*")), [])
        self.html = self.folder / "no" / "map.html"
        self.assert_exit(self.map("bank", corpus=self.text), FAILURE)


if __name__ == "__main__":
    unittest.main()
