#!/usr/bin/env python3
"""The Python package with all that it works with, installed from the wheel in a folder whose name has
a blank: the example of its page, PyTorch, pandas, Arrow, Parquet, datasets, scikit-learn, spaCy, and
the arrays that AllenNLP 0.9 computed."""

import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

import datasets
import h5py
import numpy
import pandas
import polars
import pyarrow.parquet
import sklearn.base
import sklearn.compose
import sklearn.impute
import sklearn.linear_model
import sklearn.pipeline
import spacy
import torch

import elmo
import elmo.allennlp
import elmo.sklearn
import shards
import tool
from tool import DONE, run

TEXT = "The bank was closed. We sat on it.\n\nA naïve café in 東京 .\n" * 40
DATA = os.environ.get("ELMO_REFERENCE_DATA")

# Code as shown on the page. The texts are in the working directory.
EXAMPLE = """
import elmo

with elmo.Model("elmo-tiny-en", layers="all", precision="float32") as model:
    vectors = model.embed(["The bank was closed.", "We sat on the bank."])
    vectors = model.embed([["The", "bank", "was", "closed", "."]])
    for sentence in model.stream(open("corpus.txt")): ...
    rows = model.encode(texts, normalize=True)
    model.tokenize(texts)
    words = model.surprisal(texts)[0].to_pandas()

run = elmo.open("vectors")
len(run), run[5].tokens, run[5].vectors, run[10:20]
run.torch(layers="top")
run.to_pandas(); run.to_arrow(); run.to_parquet("vectors.parquet"); run.to_datasets()
elmo.ScalarMix(layers=3)
elmo.allennlp.ElmoEmbedder(options, weights)
"""


# Code for a checker of types, which sees every name of the example.
TYPED = """
import elmo

with elmo.Model("elmo-tiny-en", layers="all") as model:
    vectors = model.embed(["A text."])
    print(vectors[0].shape, vectors.tokens[0])
    padded, mask = model.embed(["A text."], padded=True)
    print(padded.shape, mask.sum(), model.encode(["A text."]).shape)
    for sentence in model.stream(open("corpus.txt")):
        print(sentence.tokens, sentence.vectors.shape)
    print(model.surprisal(["A text."])[0].forward.sum(), model.substitutes("A [text].", k=5)["both"])
    words: list[elmo.Substitutes] = model.substitutes(["A [text]."])
run = elmo.open("vectors")
print(len(run[2:5]), run[0].line, isinstance(run, elmo.Run), elmo.neighbors("bank", run).html)
print(elmo.ScalarMix(layers=3), elmo.allennlp.ElmoEmbedder().embed_sentence(["A"]).shape)
elmo.Model("elmo-tiny-en", layers="top", options="o.json", threads=2, mix_weights=[0, 1])
elmo.neighbors("bank", "vectors", sample=5)


def vectors_of(padded: bool) -> elmo.Vectors | tuple[object, object]:
    return model.embed(["A text."], padded=padded)


print(model.embed(["A text."])[:1].tokens)
run[0].no_such_member
elmo.no_such_name
elmo.Model("elmo-tiny-en", layres="all")
elmo.Model("elmo-tiny-en", layers="first")
elmo.neighbors("bank", "vectors", sampel=5)
elmo.allennlp.ElmoEmbedder(layres="all")
"""


class PythonPackage(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.top = cls.model.parent
        cls.text = cls.top / "corpus.txt"
        cls.text.write_text(TEXT, encoding="utf-8")
        cls.runs = {}
        for dtype in ("float32", "float16", "bfloat16", "int8"):
            made = run("embed", "--quiet", "--model", cls.model, cls.text, "-o", cls.top / dtype,
                       "--dtype", dtype, "--shard-size", "8K")
            assert made.returncode == DONE, made.stderr
            cls.runs[dtype] = elmo.open(cls.top / dtype)

    def test_the_wheel_itself_is_tested(self):
        self.assertIn("site-packages", elmo.__file__)
        self.assertIn(" ", elmo.__file__)
        import importlib.metadata
        self.assertIn("elmo-bilm", [one.metadata["Name"] for one in importlib.metadata.distributions()])
        self.assertTrue(pathlib.Path(elmo.__file__).with_name("py.typed").exists())

    # The wheel's models have no softmax, which surprisal needs; those of the sources have it.
    @unittest.mock.patch.dict(os.environ, ELMO_MODEL_PATH=str(tool.TOP / "cli/models"))
    def test_the_example(self):
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            pathlib.Path("corpus.txt").write_text(TEXT, encoding="utf-8")
            self.assert_exit(run("embed", "--quiet", "corpus.txt", "-o", "vectors"), DONE)
            names = {"texts": ["One text.", "Another."], "options": self.model / "options.json",
                     "weights": self.model / "weights.hdf5"}
            exec(EXAMPLE, names)
            self.assertEqual(pyarrow.parquet.read_table("vectors.parquet").num_rows,
                             len(names["run"]))
            self.assertEqual(names["vectors"][0].shape, (5, 5, 256))
            self.assertEqual(names["rows"].shape, (2, 512))
            self.assertEqual(list(names["words"]), ["sentence", "token", "word", "begin", "end",
                                                    "unknown", "forward", "backward"])
        finally:
            os.chdir(here)

    def test_type_checkers_see_its_types(self):
        path = self.write("typed.py", TYPED)
        page = (tool.TOP / "cli/python/README.md").read_text(encoding="utf-8")
        tagger, = (one for one in re.findall("```python\n(.*?)```", page, re.S) if "def tags_of" in one)
        tagger = self.write("tagger.py", tagger)
        # Reading PyTorch's types takes most of a minute.
        settings = self.write("mypy.ini", "[mypy]\n[mypy-torch.*]\nfollow_imports = skip\n"
                              "[mypy-h5py.*]\nignore_missing_imports = true\n")
        found = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--config-file", settings, "--cache-dir",
             self.folder / "cache", path, tagger],
            stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()
        errors = [line for line in found if ": error: " in line]
        for error, message in zip(errors, (
                '"Sentence" has no attribute "no_such_member"', 'has no attribute "no_such_name"',
                'Unexpected keyword argument "layres" for "Model"; did you mean "layers"?',
                'Argument "layers" to "Model" has incompatible type',
                'Unexpected keyword argument "sampel" for "neighbors"',
                'Unexpected keyword argument "layres" for "ElmoEmbedder"')):
            self.assertIn(message, error)
        self.assertEqual(len(errors), 6, found)

    def test_tables_have_the_values_of_the_shards(self):
        for dtype, found in self.runs.items():
            with self.subTest(dtype):
                vectors = [one.vectors for one in found]
                tokens = [one.tokens for one in found]
                frame = found.to_pandas()
                self.assertEqual(frame["tokens"].tolist(), tokens)
                for row, expected in zip(frame["activations"], vectors):
                    numpy.testing.assert_array_equal(row, expected)
                table = found.to_arrow()
                found.to_parquet(self.folder / "run.parquet")
                parquet = pyarrow.parquet.read_table(self.folder / "run.parquet")
                rows = found.to_datasets()
                for columns in (table.to_pydict(), parquet.to_pydict(), rows[:]):
                    self.assertEqual(columns["tokens"], tokens)
                    self.assertEqual(columns["spans"], [one.spans.tolist() for one in found])
                    for number, (row, expected) in enumerate(zip(columns["activations"], vectors)):
                        row = numpy.array(row, expected.dtype).reshape(expected.shape)
                        if dtype == "int8":
                            scales = numpy.array(columns["scales"][number], "f4")
                            row = row * scales.reshape(*expected.shape[:2], 1)
                        numpy.testing.assert_array_equal(row, expected)
                self.assertEqual(len(found.to_arrow(layers="top")["activations"][0][0]), 16)

    def test_a_temporary_file_is_removed_with_its_dataset(self):
        rows = self.runs["float32"].to_datasets()
        path = pathlib.Path(rows.cache_files[0]["filename"])
        self.assertTrue(path.exists())
        del rows
        import gc
        gc.collect()
        self.assertFalse(path.exists())
        kept = self.folder / "kept.arrows"
        self.runs["float32"].to_datasets(kept)
        self.assertEqual(datasets.Dataset.from_file(str(kept)).num_rows, len(self.runs["float32"]))

    def test_errors_of_an_export_are_the_programs(self):
        with self.assertRaisesRegex(elmo.InputError, "shard-"):
            copy = self.folder / "copy"
            self.assert_exit(run("embed", "--quiet", "--model", self.model, self.text, "-o", copy),
                             DONE)
            found = elmo.open(copy)
            (copy / "shard-00000.h5").unlink()
            found.to_arrow()

    def test_no_part_of_a_run_becomes_a_parquet_file(self):
        texts = self.write("texts.txt", TEXT * 40)
        folder, path = self.folder / "run", self.folder / "run.parquet"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, texts, "-o", folder,
                             "--shard-size", "1M"), DONE)
        found = elmo.open(folder)
        found.to_parquet(path)
        whole = path.read_bytes()
        sorted(folder.glob("shard-*.h5"))[-1].unlink()
        for name in (path, self.folder / "new.parquet"):
            with self.assertRaisesRegex(elmo.InputError, "shard-"):
                found.to_parquet(name)
        self.assertEqual(path.read_bytes(), whole)
        self.assertEqual(list(self.folder.glob("*.parquet*")), [path])

    def test_nothing_outside_a_run_is_read(self):
        folder = self.folder / "run"

        def refuse(reason):
            for way in (lambda: elmo.open(folder).torch()[0], lambda: elmo.open(folder).to_pandas(),
                        lambda: elmo.open(folder).to_arrow(),
                        lambda: elmo.open(folder).to_parquet(self.folder / "run.parquet"),
                        lambda: elmo.open(folder).to_datasets(),
                        lambda: next(iter(torch.utils.data.DataLoader(elmo.open(folder).torch())))):
                with self.assertRaisesRegex(elmo.InputError, reason):
                    way()

        def copy():
            shutil.copytree(self.top / "float32", folder, dirs_exist_ok=True)

        for kind, (_, reason) in shards.CRAFTED.items():
            copy()
            shards.craft(folder, "shard-00000.h5", "activations", kind,
                         self.top / "float32/shard-00000.h5")
            with self.subTest(kind):
                refuse(f"activations ({reason})")
        for name in ("../float32/shard-00000.h5", str(self.top / "float32/shard-00000.h5")):
            copy()
            shards.list_sizes(folder, file=name)
            with self.subTest(name):
                refuse("expected a shard's name")

    def test_torch_shuffles_in_processes(self):
        for dtype, found in self.runs.items():
            for layers in (None, "top", "average", 1):
                with self.subTest((dtype, layers)):
                    data = found.torch(layers=layers)
                    self.assertEqual(data[0].dtype, torch.float32 if dtype == "int8"
                                     else getattr(torch, dtype))
                    expected = sorted(one.float().numpy().tobytes() for one in data)
                    loader = torch.utils.data.DataLoader(
                        data, batch_size=8, shuffle=True, num_workers=2, collate_fn=elmo.pad)
                    read = []
                    for vectors, mask in loader:
                        self.assertFalse(vectors[~mask].any())
                        read += [one[:length].float().numpy().tobytes() for one, length
                                 in zip(vectors, mask.sum(dim=1).tolist())]
                    self.assertEqual(sorted(read), expected)
        self.assertEqual(len(pickle.loads(pickle.dumps(self.runs["int8"].torch()))), len(found))

    def test_layers_that_a_run_does_not_have_are_refused(self):
        every = self.runs["float32"]
        top = self.folder / "top"
        self.assert_exit(run("embed", "--quiet", "--model", self.model, self.text, "-o", top,
                             "--layers", "top"), DONE)
        top = elmo.open(top)
        tables = (elmo.Run.to_arrow, elmo.Run.to_datasets,
                  lambda run, layers: run.to_parquet(self.folder / "run.parquet", layers))
        for one, accepted, refused in (
                (every, (None, "all", "top", "average"), ("mix", "tpo", 7, -1, True)),
                (top, (None, "top"), ("all", "average", "tpo", 0, 1))):
            for take in (elmo.Run.torch, elmo.Run.to_pandas, *tables):
                for layers in accepted:
                    take(one, layers=layers)
                for layers in (*refused, *[1] * (take in tables)):
                    with self.assertRaisesRegex(elmo.UsageError, f"^layers: found {layers!r}; expected"):
                        take(one, layers=layers)
        expected = top[0].vectors
        numpy.testing.assert_array_equal(top.torch()[0], expected)
        numpy.testing.assert_array_equal(top.torch(layers="top")[0], expected[:, 0])
        numpy.testing.assert_array_equal(top.to_pandas(layers="top")["activations"][0], expected[:, 0])
        numpy.testing.assert_array_equal(every.torch(layers=numpy.int64(1))[0], every.torch(layers=1)[0])
        numpy.testing.assert_array_equal(every.torch(layers="x")[0], every.torch(layers=0)[0])
        numpy.testing.assert_array_equal(every.torch(layers="all")[0], every[0].vectors)
        self.assertEqual(top.to_arrow(layers="top"), top.to_arrow())

    def test_components_check_their_options_when_they_are_made(self):
        nlp = spacy.blank("en")
        for config, message in (
                ({"layers": "foo"}, "^layers: found 'foo'; expected 'top', 'average', 'mix' or"),
                ({"layers": "all"}, "^layers: found 'all'"), ({"layers": -1}, "^layers: found -1"),
                ({"options": {"layres": "top"}}, "^layres: .*did you mean layers"),
                ({"options": {"layers": "top"}}, "^layers: give it to the component"),
                ({"options": {"model": "a"}}, "^model: give it to the component"),
                ({"options": {"output": "a"}}, "^output: ")):
            with self.subTest(config):
                with self.assertRaisesRegex(elmo.UsageError, message):
                    elmo.sklearn.Vectorizer(self.model, **config)
                with self.assertRaisesRegex(elmo.UsageError, message):
                    nlp.add_pipe("elmo", config={"model": str(self.model), **config})
        with self.assertRaisesRegex(elmo.UsageError, "^layers: found 7; .* from 0 to 2"):
            nlp.add_pipe("elmo", config={"model": str(self.model), "layers": 7})
        nlp.add_pipe("elmo", config={"model": str(self.model), "layers": 1})
        with elmo.Model(self.model) as model:
            numpy.testing.assert_allclose(nlp("bank").vector, model.encode([["bank"]], layers=1)[0],
                                          atol=1e-6)
            without_context = model.encode(["bank"], layers=0)
        vectorizer = elmo.sklearn.Vectorizer(self.model, layers="x")
        numpy.testing.assert_allclose(vectorizer.fit_transform(["bank"]), without_context, atol=1e-6)

    def test_scalar_mix_matches_the_program(self):
        found, weights = self.runs["float32"], [0.5, -1.0, 0.25]
        for norm in (False, True):
            with self.subTest(norm):
                output = self.folder / f"mix-{norm}"
                self.assert_exit(
                    run("mix", "--quiet", found.path, "--weights=" + ",".join(map(str, weights)),
                        "--gamma", 0.7, *(["--layer-norm"] if norm else []), "-o", output), DONE)
                mix = elmo.ScalarMix(layers=3, layer_norm=norm)
                with torch.no_grad():
                    mix.scalar_parameters.copy_(torch.tensor(weights))
                    mix.gamma.fill_(0.7)
                vectors, mask = elmo.pad([found.torch()[number] for number in range(6)])
                mixed = mix(vectors, mask).detach()
                for number, one in enumerate(elmo.open(output)[:6]):
                    numpy.testing.assert_allclose(mixed[number, :len(one)], one.vectors[:, 0],
                                                  atol=2e-6)
        mix(vectors, mask).sum().backward()
        self.assertTrue(mix.gamma.grad.abs() > 0)
        with self.assertRaisesRegex(ValueError, "found 3 layers"):
            elmo.ScalarMix(layers=2)(vectors)

    def test_scalar_mix_of_a_task(self):
        labels = self.write("labels.tsv", "A bank\tyes\nThe river\tno\n" * 10)
        trained = run("task", "train", "--kind", "classify", "--train", labels, "--dev", labels,
                      "--model", self.model, "--patience", 1, "--hidden", 8, "--elmo", "both",
                      "--quiet", "-o", self.folder / "task")
        self.assert_exit(trained, DONE)
        task = json.loads((self.folder / "task/task.json").read_text())
        for place, learned in task["mixes"].items():
            mix = elmo.ScalarMix.from_task(self.folder / "task", place)
            shares = torch.softmax(mix.scalar_parameters, 0).tolist()
            numpy.testing.assert_allclose(shares, learned["shares"], atol=1e-6)
            self.assertAlmostEqual(mix.gamma.item(), learned["gamma"], 6)
        if len(task["mixes"]) > 1:
            with self.assertRaises(elmo.UsageError):
                elmo.ScalarMix.from_task(self.folder / "task")
        with self.assertRaises(elmo.InputError):
            elmo.ScalarMix.from_task(self.folder)
        concatenated = self.folder / "concatenated"
        concatenated.mkdir()
        (concatenated / "task.json").write_text(json.dumps({**task, "mix": "concat", "mixes": {}}))
        with self.assertRaisesRegex(elmo.InputError, "all layers side by side"):
            elmo.ScalarMix.from_task(concatenated)

    @unittest.skipUnless(DATA, "ELMO_REFERENCE_DATA does not name a folder with reference data")
    def test_elmo_embedder_agrees_with_allennlp(self):
        folder = pathlib.Path(DATA, "fixtures/allennlp")
        lanes = json.loads((folder / "sentences.json").read_text())
        embedder = elmo.allennlp.ElmoEmbedder(folder / "options.json", folder / "lm_weights.hdf5",
                                              initial_state="carry", lanes=len(lanes))
        expected = [h5py.File(folder / f"lm_embeddings_{lane}.hdf5") for lane in range(len(lanes))]
        for number in range(len(lanes[0])):
            batch = embedder.embed_batch([lane[number].split() for lane in lanes])
            for lane, layers in enumerate(batch):
                top = expected[lane][str(number)][:]  # both directions of the last layer
                numpy.testing.assert_allclose(
                    layers[-1], numpy.concatenate(top, axis=-1), atol=5e-6)

    def test_elmo_embedder_has_the_shapes_of_allennlp(self):
        embedder = elmo.allennlp.ElmoEmbedder(self.model / "options.json",
                                              self.model / "weights.hdf5")
        sentences = [["A", "bank", "."], [], ["It"]]
        arrays = list(embedder.embed_sentences(sentences))
        self.assertEqual([one.shape for one in arrays], [(3, 3, 16), (3, 0, 16), (3, 1, 16)])
        self.assertEqual(embedder.embed_sentence(sentences[0]).tolist(), arrays[0].tolist())
        numpy.testing.assert_array_equal(arrays[0][0, :, :8], arrays[0][0, :, 8:])
        # Longer than a sentence of the program.
        sentences = [["a"] * 10001, ["It"], "No tokens"]
        arrays = list(embedder.embed_sentences(sentences))
        self.assertEqual([one.shape[1] for one in arrays], [10001, 1, 2])
        for one, other in zip(arrays, embedder.embed_batch(sentences)):
            numpy.testing.assert_array_equal(one, other)
        lines = self.write("lines.txt", "A bank .\nIt\n")
        for form, more in (("all", {}), ("top", {"forget_sentences": True}),
                           ("average", {"use_sentence_keys": True})):
            path = self.folder / f"{form}.hdf5"
            with lines.open() as file:
                embedder.embed_file(file, path, form, **more)
            with h5py.File(path) as found:
                names = ["A bank .", "It"] if "use_sentence_keys" in more else ["0", "1"]
                self.assertEqual(sorted(set(found) - {"sentence_to_index"}), names)
                array = found[names[0]][:]
                self.assertEqual("sentence_to_index" in found, form == "all")
            command = self.folder / f"{form}-command.hdf5"
            self.assert_exit(run("embed", "--quiet", "--model", self.model, "--input-format",
                                 "tokens", lines, "--layout", "allennlp", "--layers", form, "-o",
                                 command), DONE)
            with h5py.File(command) as found:
                numpy.testing.assert_allclose(array, found["0"][:], atol=1e-6)

    def test_columns_of_tables_are_texts(self):
        texts, tokens = ["A bank.", "The river."], [["A", "bank", "."], ["The", "river", "."]]
        values = {"id": [1, 2], "text": texts}
        frame, polar, table = pandas.DataFrame(values), polars.DataFrame(values), pyarrow.table(values)
        rows = datasets.Dataset.from_dict(values)
        with elmo.Model(self.model, layers="top") as model:
            for column in (frame["text"], frame["text"].astype("category"), frame["text"].to_numpy(),
                           frame["text"].astype("string"), frame[["text"]].to_numpy(),
                           pandas.Index(texts), polar["text"], table["text"], rows["text"],
                           table["text"].chunk(0).dictionary_encode(), pyarrow.array(tokens),
                           polars.Series(tokens), pandas.Series([*map(numpy.array, tokens)])):
                with self.subTest(type(column)):
                    self.assertEqual(model.embed(column).tokens, tokens)
            for found in (frame, frame[["text"]], polar, table, table.to_batches()[0], rows,
                          frame.to_numpy(), polar.to_numpy()):
                with self.assertRaisesRegex(elmo.TextTypeError, "^texts: found a .* such as texts.('text'|:, 1)"):
                    model.embed(found)
            for found in (polar.lazy(), frame.groupby("id"), [frame], [[frame]],
                          frame.itertuples(index=False), table.to_struct_array(),
                          pandas.Series([None, "A"]), polars.Series([None, "A"])):
                with self.assertRaises(elmo.TextTypeError):
                    model.embed(found)

    def test_calls_of_the_table_of_other_libraries(self):
        options, weights = self.model / "options.json", self.model / "weights.hdf5"
        batch = [["A", "bank", "."], ["It"]]
        embedder = elmo.allennlp.ElmoEmbedder(options, weights)
        vectors, mask = elmo.pad([torch.from_numpy(one).transpose(0, 1)
                                  for one in embedder.embed_batch(batch)])
        self.assertEqual((vectors.shape, mask.tolist()),
                         ((2, 3, 3, 16), [[True, True, True], [True, False, False]]))
        run_of_all = self.runs["float32"]

        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.mixes = torch.nn.ModuleList(elmo.ScalarMix(layers=3, layer_norm=True) for _ in "12")
                self.dropout = torch.nn.Dropout(0.5)

            def forward(self, vectors, mask):
                return [self.dropout(mix(vectors, mask)) for mix in self.mixes]

        module = Module().eval()
        self.assertIn("ScalarMix(layers=3, layer_norm=True)", repr(module))
        mixed = module(*elmo.pad([run_of_all.torch()[0], run_of_all.torch()[1]]))
        self.assertEqual([one.shape[-1] for one in mixed], [16, 16])
        with elmo.Model(self.model, boundaries=True) as model:
            self.assertEqual(model.embed(batch).tokens[1], ["<S>", "It", "</S>"])
        with elmo.Model(self.model, layers="average", initial_state="warm") as model:
            vectors, mask = model.embed(batch, padded=True)
            self.assertEqual(vectors[:, :, 0].shape, (2, 3, 16))
        sequence = "SEQVEC"
        with elmo.Model(self.model) as model:
            numpy.testing.assert_allclose(
                3 * model.encode([list(sequence)], layers="average")[0],
                embedder.embed_sentence(list(sequence)).sum(axis=0).mean(axis=0), rtol=1e-4, atol=1e-6)

            class Token:
                text = "It"

            found = list(model.stream([[token.text for token in sentence] for sentence in [[Token()] * 2]]))
            self.assertEqual(found[0].tokens, ["It", "It"])

    def test_labels_go_with_their_sentences(self):
        found = self.runs["float16"]
        lengths = [len(one) for one in found]
        for labels in ([list(range(length)) for length in lengths], [numpy.arange(n) for n in lengths],
                       [torch.arange(length) for length in lengths]):
            data = found.torch("top", labels=labels)
            loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True, num_workers=2,
                                                 collate_fn=elmo.pad)
            seen = 0
            for vectors, mask, gold in loader:
                self.assertEqual(vectors.shape[:2], gold.shape)
                for one, tokens in zip(gold.tolist(), mask.sum(dim=1).tolist()):
                    self.assertEqual(one, [*range(tokens), *[-100] * (len(one) - tokens)])
                seen += len(gold)
            self.assertEqual(seen, len(found))
        classes = found.torch("top", labels=numpy.arange(len(found)))
        vectors, mask, gold = elmo.pad([classes[5], classes[2]])
        self.assertEqual((gold.tolist(), vectors.dtype), ([5, 2], torch.float16))
        self.assertRegex(repr(classes), "^<sentences of '.*float16': [0-9]+, labels>$")
        for labels, message in (([1], "^labels: found 1; expected"),
                                ([[1]] * len(found), "^labels: found 1 for sentence 0; expected 5"),
                                ([["NOUN"] * length for length in lengths], "^labels: found .*NOUN.* a number"),
                                (["NOUN"] * len(found), "^labels: found 'NOUN' for sentence 0")):
            with self.assertRaisesRegex(elmo.UsageError, message):
                found.torch(labels=labels)

    def test_scikit_learn_hands_on_columns(self):
        texts = ["A bank.", "The river."]
        frame = pandas.DataFrame({"id": [1, 2], "text": texts})
        vectorizer = elmo.sklearn.Vectorizer(self.model)
        expected = vectorizer.transform(texts)
        column = sklearn.compose.ColumnTransformer([("text", vectorizer, "text")])
        numpy.testing.assert_array_equal(column.fit_transform(frame), expected)
        imputed = sklearn.pipeline.make_pipeline(
            sklearn.impute.SimpleImputer(strategy="constant", fill_value=""), vectorizer)
        numpy.testing.assert_array_equal(imputed.fit_transform(frame[["text"]]), expected)
        with self.assertRaisesRegex(elmo.TextTypeError, "such as texts.'text'"):
            sklearn.compose.ColumnTransformer([("text", vectorizer, ["text"])]).fit_transform(frame)

    def test_scikit_learn(self):
        texts = ["A bank.", "The river.", "Banks!", "Rivers?"] * 4
        vectorizer = elmo.sklearn.Vectorizer(self.model, normalize=True, options={"threads": 1})
        pipeline = sklearn.pipeline.make_pipeline(vectorizer,
                                                  sklearn.linear_model.LogisticRegression())
        pipeline.fit(texts, [0, 1, 0, 1] * 4)
        self.assertEqual(pickle.loads(pickle.dumps(pipeline)).predict(texts[:2]).tolist(),
                         pipeline.predict(texts[:2]).tolist())
        copy = sklearn.base.clone(vectorizer).set_params(layers="average")
        with elmo.Model(self.model) as model:
            numpy.testing.assert_allclose(vectorizer.transform(texts),
                                          model.encode(texts, normalize=True), atol=1e-6)
            numpy.testing.assert_allclose(copy.fit_transform(texts),
                                          model.encode(texts, normalize=True, layers="average"),
                                          atol=1e-6)

    def test_scikit_learn_names_the_columns(self):
        texts = ["A bank.", "The river."]
        vectorizer = elmo.sklearn.Vectorizer(self.model)
        names = [f"elmo{number}" for number in range(16)]
        self.assertEqual(vectorizer.get_feature_names_out().tolist(), names)
        expected = vectorizer.transform(texts)
        for library, frame in (("pandas", pandas.DataFrame), ("polars", polars.DataFrame)):
            found = sklearn.base.clone(vectorizer).set_output(transform=library).fit_transform(texts)
            self.assertIsInstance(found, frame)
            self.assertEqual(list(found.columns), names)
            numpy.testing.assert_array_equal(found.to_numpy(), expected)
        mixed = elmo.sklearn.Vectorizer(self.model, "mix",
                                        options={"mix_weights": numpy.array([0, 0, 1000])})
        for _ in range(2):
            numpy.testing.assert_allclose(mixed.transform(texts), expected, atol=1e-6)
        number = elmo.sklearn.Vectorizer(self.model, numpy.int64(2))
        numpy.testing.assert_allclose(number.transform(texts), expected, atol=1e-6)

    def test_spacy_gives_vectors_to_its_own_tokens(self):
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("elmo", config={"model": str(self.model)})
        texts = ["The bank isn't  closed.\n\n We sat on it.", "", "A 東京"]
        docs = list(nlp.pipe(texts))
        with elmo.Model(self.model, layers="top") as model:
            for doc in docs:
                expected = model.embed([[[token.text for token in part] for part in doc.sents]])[0]
                self.assertEqual(len(expected), len(doc))
                for token, vector in zip(doc, expected[:, 0]):
                    numpy.testing.assert_allclose(token.vector, vector, atol=1e-6)
        self.assertTrue(docs[0].has_vector)
        numpy.testing.assert_allclose(docs[0][1:3].vector, docs[0].tensor[1:3].mean(axis=0))
        self.assertAlmostEqual(docs[2][0].similarity(docs[2][0]), 1, 5)
        one, other = nlp("x y")[0], nlp("z x")[1]
        self.assertLess(one.similarity(other), 0.99999)
        self.assertLess(one.doc.similarity(other.doc[1:2]), 0.99999)
        self.assertEqual(docs[1].similarity(docs[0]), 0)
        self.assertEqual(nlp("x y").tensor.shape, (2, 16))


if __name__ == "__main__":
    unittest.main()
