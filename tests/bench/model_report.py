#!/usr/bin/env python3
"""Measures what the cards of the shipped models say, and writes it into their tables.

    model_report.py                    measures what is missing, each in turn
    model_report.py --only senses      that alone; --again: even if it is there
    model_report.py --render           writes the tables again; measures nothing

cli/models/NAME/report.json keeps each measurement with its commands and the fingerprints of the model
and of the data. A measurement stays until one of these changes; an interrupted report goes on with those
that are missing. Pages have the tables between the lines <!-- report: TABLE --> and <!-- /report -->.
The data are below ELMO_REFERENCE_DATA. Senses need NumPy and h5py, n-gram models NumPy and much memory.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
DEMO = TOP / "cli/demo"
sys.path.insert(0, str(DEMO))

TINY, SMALL, KOREAN = "elmo-tiny-en", "elmo-small-en", "elmo-tiny-ko"
PAGES = {TINY: ("cli/models/elmo-tiny-en/README.md", "core/analysis/ANALYSIS.md"),
         SMALL: ("cli/models/elmo-small-en/README.md",),
         KOREAN: ("cli/models/elmo-tiny-ko/README.md",)}
MODEL_FILES = ("options.json", "weights.hdf5", "softmax.hdf5", "vocabulary.txt")
LOCALES = {KOREAN: "ko"}
ENGLISH_CORPUS = ("test.txt", "valid.txt", [f"train-0{i}.txt.xz" for i in range(4)])
CORPORA = {TINY: ENGLISH_CORPUS, SMALL: ENGLISH_CORPUS,
           KOREAN: ("ko-test.txt", "ko-valid.txt", [f"ko-train-0{i}.txt.xz" for i in range(2)])}
SENTENCES = {TINY: "senses.jsonl", SMALL: "senses.jsonl", KOREAN: "senses-ko.jsonl"}  # of the demo
SEEDS = "0,1,2"
FAILURES = 3
AROUND = 4       # tokens shown on each side
CURVE_ROWS = 8

BY_HAND = """\
Not in the report, but dependent on the weights of elmo-tiny-en:
  ctest --test-dir build -R 'cli.examples|cli.task_reference|instruction_sets'
                             examples of all pages, thresholds of tests
  elmo task compare          in core/tasks/RESULTS.md: what the biLM adds, and where
  elmo surprisal --pairs     in core/tasks/RESULTS.md: minimal pairs, as in the cards
  make pictures              pictures of README.md, core/analysis/ANALYSIS.md and core/tasks/RESULTS.md
  elmo task train            in core/tasks/RESULTS.md: sizes of a classifier of texts
  elmo embed --dtype         in io/shard/READING.md: errors of smaller numbers
  elmo embed                 in tests/bench/SPEED.md: differences between instruction sets
and of each model: the prose of its card, and the commands that it was trained with."""

# WordNet's lexicographer files, by the number in a sense key (lexnames(5WN)).
TOPICS = """adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive
noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation
noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication
verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception
verb.possession verb.social verb.stative verb.weather adj.ppl""".split()


def fingerprint(paths):
    """Checksum of the names and contents of files."""
    whole = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.name} {content}\n".encode())
    return whole.hexdigest()[:32]


def rounded(value):
    """Without the digits that only make the file long."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


class Runner:
    """Runs commands for one model in a folder of its own, and notes them as people would type them."""

    def __init__(self, name, flags, work):
        self.name = name
        self.model = TOP / "cli/models" / name
        self.flags = flags
        self.work = work
        self.commands = []

    def data(self, path):
        return self.flags.data / "data" / path

    def corpus(self):
        """The texts to test, to validate and to learn from."""
        test, valid, train = CORPORA[self.name]
        return (self.data(f"corpus/{test}"), self.data(f"corpus/{valid}"),
                [self.data(f"corpus/{file}") for file in train])

    def locale(self):
        return ("--locale", LOCALES[self.name]) if self.name in LOCALES else ()

    def note(self, *command, to=""):
        shown = [part.name if isinstance(part, pathlib.Path) else str(part) for part in command]
        self.commands.append(" ".join(map(shlex.quote, shown)) + to)

    def run(self, *command, stdout=subprocess.PIPE):
        result = subprocess.run([*map(str, command)], check=False, stdout=stdout)
        if result.returncode != 0:
            sys.exit(f"{self.commands[-1]}: exit code {result.returncode}")
        return result.stdout

    def elmo(self, *arguments):
        """Gives its output. No figure depends on the number of threads, so that it is not noted."""
        self.note("elmo", *arguments)
        return self.run(self.flags.elmo, *arguments, "--threads", self.flags.threads)


# Measurements. Each gets a Runner and gives what report.json keeps.


def perplexity(runner):
    """With the characters of each text: of other tokens, only bits per character can be compared."""
    test, valid, _ = runner.corpus()
    return {kind: json.loads(runner.elmo("perplexity", "--quiet", "--json", "--model", runner.model,
                                          *runner.locale(), text))
            | {"characters": len(text.read_text(encoding="utf-8"))}
            for kind, text in (("test", test), ("valid", valid))}


def ngram(runner):
    test, _, train = runner.corpus()
    for name, texts in (("train.tokens", train), ("test.tokens", [test])):
        with open(runner.work / name, "wb") as file:
            command = ("tokenize", "--quiet", "--model", runner.model, *runner.locale(), *texts)
            runner.note("elmo", *command, to=f" > {name}")
            runner.run(runner.flags.elmo, *command, stdout=file)
    command = (pathlib.Path(__file__).with_name("ngram.py"), runner.work / "train.tokens", "--test",
               runner.work / "test.tokens", "--vocabulary", runner.model / "vocabulary.txt", "--json")
    runner.note(*command)
    return json.loads(runner.run(sys.executable, *command))


def xpos(runner):
    train, dev = xpos_data(runner)
    found = json.loads(runner.elmo(
        "probe", "--quiet", "--json", "--model", runner.model, "--column", "xpos", "--train", train,
        "--dev", dev, "--features", runner.work / "features"))
    return {"train_tokens": found["train"]["tokens"], "dev_tokens": found["dev"]["tokens"],
            **{layer: {"all": scores["dev"], "interval": scores["dev_interval"],
                       "unknown": scores["dev_unknown"]}
               for layer, scores in (("most_frequent", found["most_frequent"]),
                                     *found["layers"].items())}}


def xpos_data(runner):
    return [runner.data(f"ud-en-ewt/en_ewt-ud-{part}.conllu") for part in ("train", "dev")]


def senses(runner):
    train, test, candidates = senses_data(runner)
    predictions = runner.work / "predictions.txt"
    found = json.loads(runner.elmo(
        "senses", "--quiet", "--json", "--model", runner.model, "--train", train, "--test", test,
        "--candidates", candidates, "--predict", predictions, "--features", runner.work / "features"))
    return {**found["all"], "failures": wrong_senses(train, test, candidates, predictions,
                                                     runner.work / "features")}


def senses_data(runner):
    return [runner.data(f"tasks/wsd/{file}")
            for file in ("semcor.jsonl.xz", "semeval2007.jsonl", "wn30-candidates.tsv.xz")]


def topic(key):
    """`bank%1:17:01::` is in noun.object."""
    return TOPICS[int(key.split("%")[1].split(":")[1])]


def excerpt(tokens, begin, end):
    """With the word in brackets, as `elmo neighbors` shows it."""
    tokens = ['"' if token in ("``", "''") else token for token in tokens]
    return " ".join([*tokens[max(0, begin - AROUND):begin], f"[{' '.join(tokens[begin:end])}]",
                     *tokens[end:end + AROUND]])


def wrong_senses(train, test, candidates, predictions, features):
    """Nouns whose nearest training occurrence in the last layer has a sense of another topic than any right
    answer: the most similar ones, one a word."""
    import h5py      # pylint: disable=import-outside-toplevel
    import numpy     # pylint: disable=import-outside-toplevel
    import senses as reference  # pylint: disable=import-outside-toplevel

    def instances(path, wanted):
        """(word, keys, vector of the last layer, excerpt) of the instances that are wanted."""
        sentences = reference.read_sentences(path)
        with h5py.File(features / path.name / "index.h5") as file:
            offsets = file["sentences/offsets"][:]
            assert len(offsets) == len(sentences) + 1
            for sentence, begin, end in zip(sentences, offsets[:-1], offsets[1:]):
                found = [index for index in sentence["senses"] if wanted(sentence, index)]
                vectors = file["activations"][begin:end, -2:].astype(float) if found else None
                for index in found:
                    first, last = int(index), sentence.get("spans", {}).get(index, int(index) + 1)
                    yield ((sentence["lemmas"][first], sentence["pos"][first]),
                           sentence["senses"][index], vectors[first:last].mean(axis=0).ravel(),
                           excerpt(sentence["tokens"], first, last))

    answers = dict(line.split() for line in reference.lines(predictions))
    questions = list(instances(test, lambda sentence, index: (
        sentence["pos"][int(index)] == "NOUN" and topic(answers[sentence["ids"][index]])
        not in map(topic, sentence["senses"][index]))))
    words = {word for word, *_ in questions}
    known = reference.read_candidates(candidates)
    examples = {}
    for word, keys, vector, shown in instances(train, lambda sentence, index: (
            index not in sentence.get("ne", {})
            and (sentence["lemmas"][int(index)], sentence["pos"][int(index)]) in words)):
        if set(keys) & set(known.get(word, keys)):
            examples.setdefault(word, []).append((keys, reference.unit(vector), shown))
    failures = []
    for word, keys, vector, shown in questions:
        if word not in examples:
            continue  # the answer is a first candidate, not a neighbor
        similarities = numpy.array([each[1] for each in examples[word]]) @ reference.unit(vector)
        best = int(similarities.argmax())
        nearest = examples[word][best]
        failures.append((word, {
            "occurrence": shown, "sense": topic(keys[0]), "nearest": nearest[2],
            "nearest_sense": topic(nearest[0][0]), "similarity": float(similarities[best])}))
    by_word = {}
    for word, failure in sorted(failures, key=lambda each: -each[1]["similarity"]):
        by_word.setdefault(word, failure)
    return list(by_word.values())[:FAILURES]


PUBLISHED = {"ngram": "5-gram", "lstm": "LSTM", "txl": "Transformer-XL", "gpt2": "GPT-2"}


def blimp(runner):
    """Minimal pairs, by phenomenon of the paper, with the published accuracies."""
    pairs, published = blimp_data(runner)
    lines = runner.elmo("surprisal", "--quiet", "--model", runner.model, "--pairs", pairs).decode()
    rows = csv.DictReader(lines.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    found = {row["value"]: row for row in rows if row["field"] == "UID"}
    others = {each["UID"]: each
              for each in map(json.loads, published.read_text(encoding="utf-8").splitlines())}
    terms = {}
    for paradigm, row in found.items():
        scores = {"pairs": int(row["pairs"]), "paradigms": 1,
                  **{score: float(row[score]) for score in ("forward", "backward", "both")},
                  **{name: 100 * others[paradigm][name] for name in PUBLISHED}}
        for term in ("all", others[paradigm]["linguistics_term"]):
            terms.setdefault(term, []).append(scores)
    def merged(name, values):
        return sum(values) if name in ("pairs", "paradigms") else sum(values) / len(values)
    return {term: {name: merged(name, [each[name] for each in of_term]) for name in of_term[0]}
            for term, of_term in terms.items()}


def blimp_data(runner):
    return [runner.data(f"blimp/{file}") for file in ("dev.jsonl.xz", "published.jsonl")]


def names(runner, corpus):
    folder = runner.work / corpus
    train, dev = names_data(runner, corpus)
    found = json.loads(runner.elmo(
        "task", "train", "--quiet", "--json", "--kind", "tag", "--model", runner.model, "--train", train,
        "--dev", dev, "--seeds", SEEDS, "--resume", "-o", folder))
    with open(dev, encoding="utf-8") as file:
        gold = sum(line.split()[-1].startswith("B-") for line in file if line.strip())
    return {"f1": found["score"], "deviation": found["deviation"], "gold": gold,
            "seeds": {str(each["seed"]): each["score"] for each in found["seeds"]}}


def names_data(runner, corpus):
    return [runner.data(f"tasks/ner/{corpus}/{part}.conll") for part in ("train", "dev")]


def demo(runner):
    import neighbors  # pylint: disable=import-outside-toplevel
    text = DEMO / SENTENCES[runner.name]
    vectors = runner.elmo("embed", "--quiet", "--model", runner.model, *runner.locale(),
                          "--input-format", "jsonl", "--format", "jsonl", text)
    found, _ = neighbors.read(vectors.decode().splitlines())
    hits, failures = {}, {}
    layers = range(1, len(next(iter(found.values()))[0].layers))
    for word, places in found.items():
        for layer in layers:
            for here in places:
                nearest, similarity = neighbors.nearest(here, places, layer)
                hits[str(layer)] = hits.get(str(layer), 0) + (nearest.sense == here.sense)
                if layer == layers[-1] and nearest.sense != here.sense:
                    # A pair that is nearest to each other counts once.
                    failures.setdefault(frozenset((id(here), id(nearest))), {
                        "occurrence": here.around.replace(word, f"[{word}]", 1), "sense": here.sense,
                        "nearest": nearest.around.replace(word, f"[{word}]", 1),
                        "nearest_sense": nearest.sense, "similarity": similarity})
    return {"words": list(found), "occurrences": sum(map(len, found.values())), "layers": hits,
            "failures": sorted(failures.values(), key=lambda each: -each["similarity"])[:FAILURES]}


def training(runner):
    """From the log of each run, in the order in which they followed one another."""
    runs = []
    for log in training_data(runner):
        records = [json.loads(line) for line in log.read_text().splitlines()]
        steps = [record for record in records if "tokens" in record]
        # A validation that is repeated after an interruption counts once.
        validations = {record["step"]: record for record in records if "valid_perplexity" in record}
        runs.append({"run": log.parent.name, "steps": steps[-1]["step"], "predictions": steps[-1]["tokens"],
                     "hours": max(record["seconds"] for record in records) / 3600,
                     "curve": [[step, record["valid_perplexity"], record["valid_tokens"]]
                               for step, record in sorted(validations.items())]})
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return {"runs": runs, "cpu": cpu[1] if cpu else os.uname().machine,
            "cores": len(os.sched_getaffinity(0))}


def training_data(runner):
    return [run / "progress.jsonl" for run in runner.flags.training]


# By name: what measures, what of the model it depends on, and the data that it reads; cheap ones first.
# Features do not depend on the softmax.
ENCODER = tuple(file for file in MODEL_FILES if file != "softmax.hdf5")
MEASUREMENTS = {
    "perplexity": (perplexity, MODEL_FILES, lambda runner: runner.corpus()[:2]),
    "demo": (demo, ENCODER, lambda runner: [DEMO / SENTENCES[runner.name]]),
    "training": (training, ENCODER, training_data),
    "blimp": (blimp, MODEL_FILES, blimp_data),
    "senses": (senses, ENCODER, senses_data),
    "xpos": (xpos, ENCODER, xpos_data),
    "wikigold": (lambda runner: names(runner, "wikigold"), ENCODER,
                 lambda runner: names_data(runner, "wikigold")),
    "wnut17": (lambda runner: names(runner, "wnut17"), ENCODER,
               lambda runner: names_data(runner, "wnut17")),
    "ngram": (ngram, ("vocabulary.txt", "tokenizer.json"),
              lambda runner: [runner.corpus()[0], *runner.corpus()[2]]),
}
OF_ENGLISH = ("blimp", "senses", "xpos", "wikigold", "wnut17")


# Tables. Each gets the results of a report, by measurement, and gives Markdown; nothing where nothing of
# it is measured.


def table(head, rows):
    def line(cells):
        return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"
    return "\n".join([line(head), "|---" * len(head) + "|", *map(line, rows)])


def percent(value):
    return f"{value:.1f}"


def perplexity_table(found, name):
    if "perplexity" not in found:
        return ""
    def row(title, scores, kind="test", mark=""):
        text = found["perplexity"][kind]
        bits = text["predictions"] * math.log2(scores["average"]) / text["characters"]
        cells = (*(f"{value:.1f}" for value in (
            scores["forward"], scores["backward"], scores["average"],
            scores["without_unknown"]["average"])), f"{bits:.3f}")
        return [f"{mark}{cell}{mark}" for cell in (title, *cells)]
    baselines = found.get("ngram", {}).get("models", {})
    titles = {"unigram": "unigram, add-one", "bigram": "bigram, add-one", "kn-3": "Kneser-Ney, 3-gram",
              "kn-5": "Kneser-Ney, 5-gram"}
    rows = [row(title, baselines[key]) for key, title in titles.items() if key in baselines]
    rows.append(row(name, found["perplexity"]["test"], mark="**"))
    rows.append(row(f"the same on `{CORPORA[name][1]}`", found["perplexity"]["valid"], "valid"))
    def counts(kind, file):
        scores = found["perplexity"][kind]
        return (f"`{file}`: {scores['predictions']:,} predictions per direction, of {scores['tokens']:,} "
                f"tokens ({100 * scores['unknown_tokens'] / scores['tokens']:.1f} % `<UNK>`) and "
                f"{scores['sentences']:,} sentence ends; {scores['characters']:,} characters.")
    return "\n".join([
        f"Softmax over {found['perplexity']['test']['vocabulary']:,} words.",
        counts("test", CORPORA[name][0]), counts("valid", CORPORA[name][1]), "",
        table(["", "forward", "backward", "average", "average without `<UNK>`", "bits per character"], rows)])


def layers_table(found, _):
    rows = []
    if "xpos" in found:
        rows.append(["Penn tags of UD English EWT, linear probe, accuracy on dev",
                     f"{found['xpos']['dev_tokens']:,} tokens",
                     *(percent(found["xpos"][layer]["all"]) for layer in ("x", "1", "2", "mix"))])
    if "senses" in found:
        layers = found["senses"]["layers"]
        rows.append(["senses of SemEval-2007 by nearest occurrence in SemCor, F1",
                     f"{found['senses']['instances']:,} words",
                     *(percent(layers[layer]["exemplar"]) for layer in ("x", "1", "2")), ""])
    for corpus, title in (("wikigold", "names of wikigold, biLSTM-CRF, F1 on dev, 3 seeds"),
                          ("wnut17", "names of WNUT-17, biLSTM-CRF, F1 on dev, 3 seeds")):
        if corpus in found:
            rows.append([title, f"{found[corpus]['gold']:,} names", "", "", "",
                         f"{found[corpus]['f1']:.2f} ± {found[corpus]['deviation']:.2f}"])
    return table(["", "of", "token layer", "first", "second", "all, learned weights"], rows) if rows else ""


def xpos_table(found, _):
    if "xpos" not in found:
        return ""
    layers = ("most_frequent", "x", "1", "2", "mix")
    return table(["", "most frequent tag", "token layer", "first layer", "second layer", "mix"], [
        ["all words", *(percent(found["xpos"][layer]["all"]) for layer in layers)],
        ["unknown words", *(percent(found["xpos"][layer]["unknown"]) for layer in layers)]])


def senses_table(found, _):
    if "senses" not in found:
        return ""
    scores = found["senses"]
    rows = [["most frequent sense", *[percent(scores["most_frequent"])] * 3]]
    for kind, title in (("exemplar", "nearest occurrence"), ("average", "nearest mean")):
        rows.append([title, *(percent(scores["layers"][layer][kind]) for layer in ("x", "1", "2"))])
    return table(["", "token layer", "first LSTM layer", "second LSTM layer"], rows)


def blimp_table(found, _):
    if "blimp" not in found:
        return ""
    scores = found["blimp"]
    rows = []
    for term, each in sorted(scores.items(), key=lambda item: (item[0] == "all", item[0])):
        cells = [term.replace("_", " "), f"{each['paradigms']}", f"{each['pairs']:,}",
                 *(percent(each[name]) for name in ("forward", "backward", "both", *PUBLISHED))]
        rows.append([f"**{cell}**" for cell in cells] if term == "all" else cells)
    return table(["phenomenon", "paradigms", "pairs", "forward", "backward", "both",
                  *PUBLISHED.values()], rows)


def demo_text(found, _):
    if "demo" not in found:
        return ""
    demonstrated = found["demo"]
    words = [f"*{word}*" for word in demonstrated["words"]]
    layers = demonstrated["layers"]
    return (f"Of {demonstrated['occurrences']} occurrences of {', '.join(words[:-1])} and {words[-1]} (`make "
            f"demo`), {layers['2']} are nearest to one of the same\nsense in the top layer, {layers['1']} in "
            "the first.")


def failures_table(found, name):
    measured = "demo" if name == KOREAN else "senses"
    if measured not in found:
        return ""
    failures = found[measured]["failures"]
    if not failures:
        return "None."
    return table(["occurrence", "sense", "nearest occurrence", "its sense", "cosine"], [
        [re.sub(r"[\\`*_|<]", r"\\\g<0>", each["occurrence"]), each["sense"],
         re.sub(r"[\\`*_|<]", r"\\\g<0>", each["nearest"]), each["nearest_sense"],
         f"{each['similarity']:.2f}"] for each in failures])


def training_table(found, _):
    if "training" not in found:
        return ""
    runs = found["training"]["runs"]
    rows, before = [], 0
    for run in runs:
        curve = run["curve"]
        # The last one always, the others at equal distances.
        shown = [curve[-1 - i * len(curve) // CURVE_ROWS]
                 for i in reversed(range(CURVE_ROWS))] if len(curve) > CURVE_ROWS else curve
        for step, value, tokens in shown:
            seen = before + run["predictions"] * step / run["steps"]
            rows.append([run["run"], f"{step:,}", f"{seen / 1e6:.1f} M", f"{tokens:,}", f"{value:.1f}"])
        before += run["predictions"]
    return "\n".join([
        f"{before / 1e6:.1f} M predictions per direction in {sum(run['hours'] for run in runs):.1f} hours on "
        f"{found['training']['cores']} cores of {found['training']['cpu']}.", "",
        table(["run", "step", "predictions", "validation tokens", "perplexity"], rows)])


TABLES = {"perplexity": perplexity_table, "layers": layers_table, "xpos": xpos_table,
          "senses": senses_table, "blimp": blimp_table, "demo": demo_text, "failures": failures_table,
          "training": training_table}
OTHER_PAGES = ("xpos", "senses")  # what only pages besides the cards have: those of TINY
BLOCK = re.compile(r"^(<!-- report: (\S+) -->\n).*?^(<!-- /report -->)$", re.M | re.S)


def render(page, tables):
    """The text of a page with its tables."""
    def block(found):
        name = found[2]
        if name not in TABLES:
            sys.exit(f"found a table {name}; expected one of {', '.join(TABLES)}")
        return f"{found[1]}\n{tables.get(name) or 'Not measured yet.'}\n\n{found[3]}"
    return BLOCK.sub(block, page)


def rendered(name, report, pages):
    """The pages of a model, from their texts by path, with the tables of its report."""
    results = {measured: entry["result"] for measured, entry in report.items()}
    tables = {title: make(results, name) for title, make in TABLES.items()
              if title not in OTHER_PAGES or name == TINY}
    made = {path: render(text, tables) for path, text in pages.items()}
    shown = {found[1] for text in pages.values() for found in BLOCK.findall(text)}
    left = [title for title, text in tables.items() if text and title not in shown]
    if left:
        sys.exit(f"{', '.join(pages)}: found no line <!-- report: {left[0]} -->")
    return made


class Report:
    """report.json of a model, and the pages that show it."""

    def __init__(self, name):
        self.name = name
        self.folder = TOP / "cli/models" / name
        self.path = self.folder / "report.json"
        self.entries = self.read()

    def read(self):
        """The stored results of this model."""
        stored = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        return {measured: entry for measured, entry in stored.items()
                if entry["model"] == self.model(measured)}

    def model(self, measured):
        return fingerprint(self.folder / file for file in MEASUREMENTS[measured][1])

    def pages(self):
        return {path: (TOP / path).read_text(encoding="utf-8") for path in PAGES[self.name]}

    def save(self):
        made = rendered(self.name, self.entries, self.pages())
        in_order = {measured: self.entries[measured] for measured in MEASUREMENTS
                    if measured in self.entries}
        text = json.dumps(in_order, indent=1, ensure_ascii=False) + "\n"
        for path, content in {self.path: text, **made}.items():
            unfinished = TOP / f"{path}.unfinished"
            unfinished.write_text(content, encoding="utf-8")
            unfinished.replace(TOP / path)

    def measure(self, measured, flags):
        """Unless its figures are there, of these data."""
        make, _, data = MEASUREMENTS[measured]
        work = flags.work / f"{self.name}-{self.model('perplexity')[:8]}" / measured
        runner = Runner(self.name, flags, work)
        if measured == "training" and not flags.training:
            return
        data = fingerprint(data(runner))
        if measured in self.entries and self.entries[measured]["data"] == data and not flags.again:
            return
        if flags.again:
            shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
        print(f"{self.name}: {measured}", file=sys.stderr)
        result = rounded(make(runner))
        # Another process may have measured something else meanwhile.
        self.entries = self.read() | {measured: {
            "commands": runner.commands, "model": self.model(measured), "data": data, "result": result}}
        self.save()
        shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=PAGES, action="append", help="(default: all)")
    parser.add_argument("--only", choices=MEASUREMENTS, action="append", help="(default: all)")
    parser.add_argument("--again", action="store_true", help="measure what is there, too")
    parser.add_argument("--render", action="store_true", help="measure nothing, write the tables again")
    parser.add_argument("--training", type=pathlib.Path, nargs="+", default=[], metavar="RUN",
                        help="folders of the training runs, named as in the card, the first one first, on the machine "
                             "that trained; needs --model")
    parser.add_argument("--elmo", type=pathlib.Path, default="build/elmo")
    parser.add_argument("--work", type=pathlib.Path, default="build/model-report")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    flags = parser.parse_args()
    models = flags.model or list(PAGES)
    if flags.training and len(models) != 1:
        parser.error("--training needs --model NAME")
    if "training" in (flags.only or ()) and not flags.training:
        parser.error("--only training needs --training RUN")
    if not flags.render:
        if not os.environ.get("ELMO_REFERENCE_DATA"):
            sys.exit("model_report.py: no ELMO_REFERENCE_DATA, the folder that has the data")
        flags.data = pathlib.Path(os.environ["ELMO_REFERENCE_DATA"])
    for name in models:
        report = Report(name)
        for measured in () if flags.render else flags.only or MEASUREMENTS:
            if name != KOREAN or measured not in OF_ENGLISH:
                report.measure(measured, flags)
        report.save()
    if not flags.render:
        print(BY_HAND, file=sys.stderr)


if __name__ == "__main__":
    main()
