#!/usr/bin/env python3
"""The installed library: C and C++ programs that are built with it, and its calls by ctypes."""

import ctypes
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import threading
import unittest

import h5py

import tool
from elf import DT_FLAGS_1, DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME, DT_TEXTREL, DF_1_NOW, Elf
from interface import (BAD_INPUT, BAD_REQUEST, NO_MEMORY, SYSTEM, ElmoError, Library, Model, Settings)
from tool import DONE, TOP

BUILD = pathlib.Path(os.environ["ELMO_BUILD"])
COMPILER = os.environ["ELMO_COMPILER"]
SANITIZER = os.environ.get("ELMO_SANITIZE")
LIBRARY = BUILD / "libelmo.so"
MIB = 1 << 20
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g",
            *((f"-fsanitize={SANITIZER}",) if SANITIZER else ()))
TEXT = "We sat on the bank of the river. It's closed, isn't it?\n\nThe bank was closed. 은행에 갔다.\n"


def examples(language):
    """The programs of that language in the library's page."""
    page = (TOP / "io/library/LIBRARY.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def command(*words, **keywords):
    """The output of a command that has to succeed."""
    result = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False,
                            timeout=tool.TIMEOUT_SECONDS, **keywords)
    assert result.returncode == 0, f"{words}: {result.stdout}{result.stderr}"
    return result.stdout


def single(number):
    """The float32 that is nearest to a number."""
    return struct.unpack("f", struct.pack("f", number))[0]


class Installed(tool.ToolTest):
    """The library below a folder with a blank in its name, which has been moved after installing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if shutil.which("cmake") is None or not (BUILD / "cmake_install.cmake").exists():
            raise unittest.SkipTest("needs cmake and the build's own folder")
        first = cls.model.parent / "first"
        command("cmake", "--install", BUILD, "--prefix", first)
        cls.prefix = first.rename(cls.model.parent / "a folder")
        cls.libraries = cls.prefix / "lib"
        found = next(cls.prefix.glob("lib/**/elmo.pc"))
        cls.libraries = found.parents[1]
        cls.environment = dict(os.environ, PKG_CONFIG_PATH=str(found.parent),
                               CMAKE_PREFIX_PATH=str(cls.prefix), LD_LIBRARY_PATH=str(cls.libraries))

    def expected(self, *arguments):
        result = tool.run("embed", "--format", "jsonl", *arguments,
                          text="We sat on the bank. It was closed.")
        self.assert_exit(result, DONE)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def compiled(self, name, program, *options):
        """Compiles a program by pkg-config and returns its path."""
        flags = command("pkg-config", "--cflags", "--libs", "elmo", env=self.environment)
        output = self.folder / (name + ".out")
        command(*shlex.split(COMPILER), *WARNINGS, *options, self.write(name, program),
                *shlex.split(flags), "-o", output)
        return output

    def check_cpp(self, program):
        lines = command(program, env=self.environment, cwd=self.folder).splitlines()
        self.assertEqual(lines, [f"{token} {single(rows[4][0]):.6f}" for sentence in self.expected()
                                 for token, rows in zip(sentence["tokens"], sentence["vectors"])])

    def check_c(self, program):
        lines = command(program, env=self.environment, cwd=self.folder).splitlines()
        self.assertEqual(lines, [f"{sentence['text'].split()[0]}… {single(sentence['vectors'][0][0]):.6f}"
                                 for sentence in self.expected("--layers", "top", "--pool", "mean")])

    def test_programs_built_by_pkg_config(self):
        program, = examples("cpp")
        self.check_cpp(self.compiled("a.cpp", program, "-std=c++20"))
        program, = examples("c")
        self.check_c(self.compiled("a.c", program, "-x", "c", "-std=c99"))

    def test_programs_built_by_find_package(self):
        project, = examples("cmake")
        for language, name in (("C", "a.c"), ("CXX", "a.cpp")):
            folder = self.folder / f"of {language}"
            folder.mkdir()
            text = project.replace("LANGUAGES C", f"LANGUAGES {language}").replace("a.c", name)
            (folder / "CMakeLists.txt").write_text(text)
            program, = examples(name.partition(".")[2])
            (folder / name).write_text(program, encoding="utf-8")
            flags = " ".join((*WARNINGS, "-std=c99" if language == "C" else "-std=c++20"))
            command("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_{language}_FLAGS={flags}",
                    "-DCMAKE_BUILD_TYPE=Release", env=self.environment)
            command("cmake", "--build", folder / "build", env=self.environment)
            check = self.check_c if language == "C" else self.check_cpp
            check(folder / "build/a")

    def test_a_version_that_is_too_new_is_not_found(self):
        found = subprocess.run(["pkg-config", "--atleast-version=99", "elmo"], env=self.environment,
                               check=False)
        self.assertNotEqual(found.returncode, 0)
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(a LANGUAGES NONE)\nfind_package(elmo 99)\n"
            "if(elmo_FOUND)\n  message(FATAL_ERROR found)\nendif()\n")
        command("cmake", "-S", self.folder, "-B", self.folder / "build", env=self.environment)

    def test_every_standard_takes_the_headers(self):
        for language, name, standards in (("c", "elmo.h", ("c99", "c11", "c17")),
                                          ("c++", "elmo.h", ("c++11", "c++20")),
                                          ("c++", "elmo.hpp", ("c++20", "c++23"))):
            for standard in standards:
                command(*shlex.split(COMPILER), *WARNINGS, f"-std={standard}", "-x", language,
                        "-fsyntax-only", self.prefix / "include/elmo" / name)

    def test_a_c_plus_plus_program_sees_errors_and_all_functions(self):
        program = self.compiled("all.cpp", CPP_CHECKS, "-std=c++20")
        self.assertEqual(command(program, self.model, env=self.environment, cwd=self.folder), "right\n")

    def test_valgrind_finds_nothing(self):
        if SANITIZER or shutil.which("valgrind") is None:
            self.skipTest("needs valgrind and a build without sanitizers")
        program = self.compiled("all.cpp", CPP_CHECKS, "-std=c++20")
        command("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full",
                "--errors-for-leak-kinds=definite", "--child-silent-after-fork=yes", program, self.model,
                env=self.environment, cwd=self.folder)


CPP_CHECKS = """\
#include <elmo/elmo.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void require(bool right, const char* what) {
  if (right) return;
  std::printf("%s\\n", what);
  std::exit(1);
}

template <typename Error, typename Work>
bool throws(Work work) {
  try {
    work();
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

int main(int, char** argv) {
  const elmo::Model model({.model = argv[1], .tokenizer = "ud", .threads = 2});
  require(model.describe().row_count == 5 && model.describe().width == 8, "describe");
  require(elmo::version() == elmo_version(), "version");

  const elmo::Vectors one = model.embed("We sat. It was.");
  require(one.size() == 2 && one[1].tokens == std::vector<std::string>{"It", "was", "."}, "one text");
  require(one[1].spans[0].begin == 8 && one[1].spans[0].end == 10, "spans");
  const elmo::Vectors two = model.embed({"We sat.", "It was."});
  require(two.size() == 2 && two[1].text == 1 && two[1].spans[0].begin == 0, "two texts");
  const std::vector<std::string> texts{"We sat.", "It was."};
  require(std::ranges::equal(model.embed(texts).vector(5, 2), two.vector(5, 2)), "a list of texts");
  const elmo::Vectors listed = model.embed_tokens({{"We", "sat", "."}, {}, {"It", "was", "."}});
  require(listed.size() == 3 && listed[1].tokens.empty(), "tokens");
  require(std::ranges::equal(listed[2].vector(1, 4), two[1].vector(1, 4)), "numbers");
  require(model.tokenize("We sat. It was.").size() == 2, "tokenize");
  require(model.embed(std::vector<std::string>{}).size() == 0, "no text");

  elmo::Sentence kept = one[0];
  {
    const elmo::Vectors gone = model.embed("Gone.");
    kept = gone[0];
  }
  require(kept.vector(0).size() == 8, "a sentence outlives its vectors");
  require(throws<std::out_of_range>([&] { one[0].vector(0, 5); }), "a row too many");
  require(throws<std::out_of_range>([&] { one[0].vector(3); }), "a token too many");
  require(throws<std::out_of_range>([&] { model.tokenize("We.")[0].vector(0); }), "no vectors");

  const elmo::Model pooled({.model = argv[1], .pool = "mean", .pool_by = "document"});
  const elmo::Vectors means = pooled.embed({"We sat. It was.", ""});
  require(means.arrays().vector_count == 2 && means.vector(1)[0] == 0, "pooled texts");
  require(throws<std::out_of_range>([&] { means[0].vector(0); }), "pooled tokens");
  const elmo::Vectors as_many = pooled.embed({"", "We sat"});
  require(as_many.arrays().vector_count == as_many.arrays().token_count, "as many vectors as tokens");
  require(throws<std::out_of_range>([&] { as_many[1].vector(0); }), "pooled tokens, as many");

  try {
    elmo::Model({.model = argv[1], .layers = "nonsense"});
    require(false, "an unknown word");
  } catch (const elmo::Error& error) {
    require(error.code() == ELMO_BAD_REQUEST && error.setting() == "layers", "an error");
  }
  std::puts("right");
}
"""


class Shared(unittest.TestCase):
    """The file of the library."""

    def test_only_the_interface_is_visible(self):
        listed = command("nm", "--dynamic", "--defined-only", LIBRARY)
        header = (TOP / "io/library/elmo/elmo.h").read_text(encoding="utf-8")
        declared = re.findall(r"^ELMO_(?:API|FAILS)[^(]*\b(elmo_\w+)\(", header, re.MULTILINE)
        self.assertGreater(len(declared), 8)
        self.assertEqual(sorted(line.split()[-1] for line in listed.splitlines()), sorted(declared))

    def test_the_file(self):
        elf = Elf(LIBRARY)
        version = command(tool.ELMO, "--version").split()[1]
        name = "libelmo.so." + version.partition(".")[0]
        self.assertEqual((elf.texts(DT_SONAME), LIBRARY.resolve().name), ([name], name))
        self.assertEqual(elf.texts(DT_RUNPATH) + elf.texts(DT_RPATH), [])
        self.assertNotIn(DT_TEXTREL, elf.dynamic)
        self.assertTrue(elf.flags(DT_FLAGS_1) & DF_1_NOW)
        # HDF5 does not meet that of a program, unless there is no archive of it.
        if "libhdf5" not in str(Elf(tool.ELMO).texts(DT_NEEDED)):
            self.assertNotIn("hdf5", str(elf.texts(DT_NEEDED)))


@unittest.skipIf(SANITIZER, "Python is not built with sanitizers")
class Ctypes(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.library = Library(str(LIBRARY))

    def open(self, **settings):
        model = Model(self.library, **{"model": self.model, **settings})
        self.addCleanup(model.close)
        return model

    def error(self, work, *arguments, **keywords):
        with self.assertRaises(ElmoError) as caught:
            work(*arguments, **keywords)
        # Messages name no commands and no options.
        self.assertNotRegex(caught.exception.message, r"[`']elmo [a-z]|--[a-z]")
        return caught.exception

    def assert_same(self, vectors, run, by="sentence"):
        """Compares all arrays with those of a run."""
        with h5py.File(run / "index.h5", "r") as file:
            self.assertEqual(vectors.shape, file["activations"].shape)
            self.assertEqual(vectors.values, file["activations"][:].tobytes())
            if by != "token":
                return
            tokens = [token.decode() for token in file["tokens"][:]]
            self.assertEqual([token for sentence in vectors.sentences for token in sentence], tokens)
            spans = [tuple(span) for span in file["spans"][:].tolist()]
            self.assertEqual([span for sentence in vectors.spans for span in sentence], spans)
            numbers = [number for number, sentence in enumerate(vectors.sentences) for _ in sentence]
            self.assertEqual(numbers, file["sentence"][:].tolist())

    def run_tool(self, name, *arguments, model=None):
        run = self.folder / name
        result = tool.run("embed", "--model", model or self.model, "-o", run, *arguments)
        self.assert_exit(result, DONE)
        return run

    def test_the_arrays_are_those_of_the_tool(self):
        text = self.write("text.txt", TEXT + "Il parle du parc.\n" + tool.english(20000).decode())
        content = text.read_text(encoding="utf-8")
        for number, (settings, options) in enumerate((
                ({}, ()),
                ({"layers": "top", "threads": 1}, ("--layers", "top")),
                ({"layers": "average", "layer_norm": 1}, ("--layers", "average", "--layer-norm")),
                ({"layers": "mix", "mix_weights": [1, 0.5, -1], "gamma": 2},
                 ("--layers", "mix", "--mix-weights", "1,0.5,-1", "--gamma", 2)),
                ({"boundaries": 1, "initial_state": "warm"},
                 ("--boundaries", "--initial-state", "warm")),
                ({"initial_state": "carry", "lanes": 3}, ("--initial-state", "carry", "--lanes", 3)),
                ({"lines": 1, "tokenizer": "icu", "locale": "de", "max_sentence_tokens": 7},
                 ("--lines", "--tokenizer", "icu", "--locale", "de", "--max-sentence-tokens", 7)),
                ({"contractions": "expand", "tokenizer": "ud", "locale": "fr"},
                 ("--contractions", "expand", "--tokenizer", "ud", "--locale", "fr")))):
            with self.subTest(settings):
                run = self.run_tool(str(number), text, *options)
                self.assert_same(self.open(**settings).embed(content), run, "token")

    def test_the_shipped_model(self):
        text = self.write("text.txt", TEXT)
        run = self.run_tool("run", text, model="elmo-tiny-en")
        for name in (None, "elmo-tiny-en"):
            with self.subTest(name):
                settings = {"model": name} if name else {}
                model = Model(self.library, **settings)
                self.addCleanup(model.close)
                self.assert_same(model.embed(TEXT), run, "token")
                self.assertEqual(model.describe().name, b"elmo-tiny-en")
                self.assertEqual(model.describe().language, b"en")
                self.assertEqual(model.describe().rows[4], b"backward_2")

    def test_other_precisions(self):
        text = self.write("text.txt", TEXT)
        for precision in ("bfloat16", "int8"):
            probe = tool.run("embed", "--model", self.model, "--format", "jsonl", "--precision",
                             precision, text="One.")
            if probe.returncode == DONE:
                run = self.run_tool(precision, text, "--precision", precision)
                self.assert_same(self.open(precision=precision).embed(TEXT), run, "token")
            else:
                found = self.error(self.open, precision=precision)
                self.assertEqual(found.code, BAD_REQUEST)
                self.assertIn("; use the precision float32", found.message)

    def test_pooled_vectors(self):
        texts = [TEXT, "", "One two. Three."]
        files = [self.write(f"{number}.txt", text or "\n") for number, text in enumerate(texts)]
        for pool, unit, more in (("mean", "sentence", 0), ("max", "document", 0),
                                 ("first-last", "document", 1)):
            with self.subTest(pool):
                run = self.run_tool(pool, *files, "--pool", pool, "--pool-by", unit,
                                    *(["--unit-length"] if more else []))
                model = self.open(pool=pool, pool_by=unit, unit_length=more)
                self.assert_same(model.embed(*texts), run)

    def test_several_texts(self):
        texts = [TEXT, "", "\ufeffOne two.", b"br\xfcken \xff", " \n", "Three\0four."]
        files = [self.write(f"{number}.txt", text or "\n") for number, text in enumerate(texts)]
        vectors = self.open().embed(*texts)
        self.assert_same(vectors, self.run_tool("run", *files), "token")
        counts = [len(self.open().tokenize(text).sentences) for text in texts]
        self.assertEqual(counts[1:], [1, 1, 1, 1, 1])
        self.assertEqual(vectors.text_begins, list(itertools.accumulate(counts, initial=0)))
        tokenized = self.open().tokenize(*texts)
        self.assertEqual((tokenized.sentences, tokenized.spans, tokenized.text_begins),
                         (vectors.sentences, vectors.spans, vectors.text_begins))
        self.assertEqual(tokenized.values, b"")
        self.assertEqual(self.open().embed().sentences, [])

    def test_tokens(self):
        sentences = [["We", "sat", "."], [], ["New York", "", "is", "은행"], ["one"] * 25]
        lines = self.write("tokens.jsonl", json.dumps({"tokens": sentences}))
        run = self.run_tool("run", lines, "--input-format", "jsonl", "--max-sentence-tokens", 10)
        vectors = self.open(max_sentence_tokens=10).embed_tokens(sentences)
        self.assert_same(vectors, run, "token")
        self.assertEqual(vectors.text_begins, [0, 6])
        for form in ("none", "nfkc"):
            run = self.run_tool(form, self.write("letters.jsonl", json.dumps({"tokens": [["e\u0301", "ﬁ"]]})),
                                "--input-format", "jsonl", "--normalize", form)
            self.assert_same(self.open(normalize=form).embed_tokens([["e\u0301", "ﬁ"]]), run, "token")
        run = self.run_tool("bounded", lines, "--input-format", "jsonl", "--boundaries")
        vectors = self.open(boundaries=1).embed_tokens(sentences)
        self.assert_same(vectors, run, "token")
        self.assertEqual(vectors.sentences[1], [])
        found = self.error(self.open().embed_tokens, [["one"], ["two", "th\0ree"]])
        self.assertEqual((found.code, found.setting), (BAD_INPUT, ""))
        self.assertIn("token 1 of sentence 1", found.message)

    def test_the_description(self):
        for settings, expected in (({}, b"moses, locale root"),
                                   ({"tokenizer": "ud", "locale": "de"}, b"ud, locale de")):
            found = self.open(layers="top", **settings).describe()
            self.assertEqual(found.tokenizer, expected)
            self.assertEqual(found.rows[:found.row_count], [b"top"])
            self.assertEqual((found.name, found.width), (str(self.model).encode(), 16))
            self.assertRegex(found.fingerprint, rb"^[0-9a-f]{32}$")
            self.assertEqual((found.language, found.precision), (b"", b"float32"))

    def test_settings_that_are_wrong(self):
        for setting, value in (("layers", "bottom"), ("precision", "float8"), ("pool", "sum"),
                               ("pool_by", "sentence"), ("initial_state", "hot"), ("threads", -1),
                               ("contractions", "shrink"), ("normalize", "nfd"), ("locale", "xx-nonsense")):
            with self.subTest(setting):
                found = self.error(self.open, **{setting: value})
                self.assertEqual(found.code, BAD_REQUEST)
                self.assertIn(found.setting, (setting, "pool" if setting == "pool_by" else ""))
        found = self.error(self.open, pool="mean", boundaries=1)
        self.assertEqual((found.code, found.setting), (BAD_REQUEST, "pool"))
        files = {"options": str(self.model / "options.json"), "weights": str(self.model / "weights.hdf5")}
        for settings, setting in (({"model": "", "options": files["options"]}, "options"),
                                  ({"model": "", "weights": files["weights"]}, "weights"),
                                  (files, "model"), ({"gamma": 2.0}, "gamma"),
                                  ({"layers": "mix", "gamma": float("nan")}, "gamma"),
                                  ({"layers": "mix", "mix_weights": [1, float("inf"), 1]}, "mix_weights"),
                                  ({"layers": "top", "mix_weights": [1, 1, 1]}, "mix_weights"),
                                  ({"layers": "mix", "mix_weight_count": 3}, "mix_weights"),
                                  ({"layers": "top", "layer_norm": 1}, "layer_norm"),
                                  ({"lanes": 2}, "lanes"), ({"initial_state": "carry", "lanes": -1}, "lanes"),
                                  ({"threads": 1 << 30}, "threads")):
            with self.subTest(settings):
                found = self.error(self.open, **settings)
                self.assertEqual((found.code, found.setting), (BAD_REQUEST, setting))
        found = self.error(self.open, layers="mix", mix_weights=[1])
        self.assertEqual(found.code, BAD_REQUEST)
        found = self.error(self.open, model="nonsense")
        self.assertEqual(found.code, BAD_INPUT)
        self.assertIn("(elmo-small-en, elmo-tiny-en, elmo-tiny-ko)", found.message)
        found = self.error(self.open, model="auto")
        self.assertEqual((found.code, found.setting), (BAD_REQUEST, "model"))
        found = self.error(self.open, tokenizer="nonsense")
        self.assertEqual(found.code, BAD_REQUEST)

    def test_settings_of_other_versions(self):
        class Later(ctypes.Structure):
            _fields_ = [("known", Settings), ("unknown", ctypes.c_uint64)]

        opened = ctypes.c_void_p()

        def open_with(size, unknown=0):
            settings = Later(Settings(size=size, model=str(self.model).encode()), unknown)
            self.library.check(self.library.open(ctypes.cast(ctypes.byref(settings),
                                                             ctypes.POINTER(Settings)),
                                                 ctypes.byref(opened)))
            self.library.close(opened)

        open_with(ctypes.sizeof(Later))
        open_with(Settings.precision.offset)
        for size, unknown in ((0, 0), (12, 0), (1 << 20, 0), (ctypes.sizeof(Later), 1)):
            self.assertEqual(self.error(open_with, size, unknown).code, BAD_REQUEST)

    def test_ten_threads_share_a_model(self):
        model = self.open(threads=2)
        texts = [tool.english(3000, seed).decode() for seed in range(10)]
        expected = [model.embed(text) for text in texts]
        wrong = []

        def work(number):
            for _ in range(3):
                other = Model(self.library, model=self.model)
                if model.embed(texts[number]) != expected[number] or \
                        other.embed(texts[number]) != expected[number]:
                    wrong.append(number)
                other.close()
                self.error(self.open, model="nonsense")

        def note_failures(number):
            try:
                work(number)
            except Exception as error:  # pylint: disable=broad-except
                wrong.append(error)

        threads = [threading.Thread(target=note_failures, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_damaged_models_are_refused(self):
        chance = random.Random(1)
        weights = (self.model / "weights.hdf5").read_bytes()
        damaged = self.folder / "damaged"
        shutil.copytree(self.model, damaged)
        for number in range(60):
            data = bytearray(weights)
            if number % 3 == 0:
                del data[chance.randrange(len(data)):]
            else:
                for _ in range(number):
                    data[chance.randrange(4096 if number % 3 == 1 else len(data))] = \
                        chance.randrange(256)
            (damaged / "weights.hdf5").write_bytes(data)
            try:
                Model(self.library, model=damaged).close()
            except ElmoError as error:
                self.assertEqual(error.code, BAD_INPUT, error.message)
                self.assertIn("weights.hdf5", error.message)
        (damaged / "weights.hdf5").write_bytes(weights)
        (damaged / "options.json").write_text("{}")
        self.assertEqual(self.error(self.open, model=damaged).code, BAD_INPUT)
        self.assertEqual(self.error(self.open, model=self.write("a.zip", b"PK\3\4nothing")).code, BAD_INPUT)
        self.open()

    def test_the_program_s_own_settings(self):
        """Children, numbers, OpenMP, signals, descriptors, the environment: all as before."""
        result = subprocess.run([sys.executable, "-B", "-c", OWN_SETTINGS, LIBRARY, self.model],
                                env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
                                capture_output=True, text=True, check=False,
                                timeout=tool.TIMEOUT_SECONDS)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_no_memory(self):
        codes = set()
        for room in range(0, 400, 10):
            result = subprocess.run(
                [sys.executable, "-B", "-c", NO_ROOM, LIBRARY, self.model, str(room * MIB)],
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), OMP_NUM_THREADS="4"),
                capture_output=True, text=True, check=False, timeout=tool.TIMEOUT_SECONDS)
            with self.subTest(mebibytes=room):
                self.assertEqual(result.stderr, "")
                self.assertEqual(result.returncode, 0)
                codes.add(int(result.stdout))
        self.assertLessEqual({0, NO_MEMORY}, codes)
        self.assertLessEqual(codes, {0, NO_MEMORY, SYSTEM})

    def test_models_are_found_beside_the_library(self):
        for library, models in (("usr/lib/libelmo.so", "usr/share/elmo/models"),
                                ("build/libelmo.so", "build/share/elmo/models"),
                                ("portable/lib/libelmo.so", "portable/libexec/elmo/share/elmo/models")):
            with self.subTest(library):
                (self.folder / library).parent.mkdir(parents=True)
                shutil.copy(LIBRARY, self.folder / library)
                shutil.copytree(self.model, self.folder / models / "elmo-tiny-en")
                code = ("import interface, sys; model = interface.Model(interface.Library(sys.argv[1]));"
                        "print(model.describe().width)")
                for path in (library, self.folder / library):
                    path = path if os.path.isabs(path) else "./" + path
                    width = command(sys.executable, "-B", "-c", code, path, cwd=self.folder,
                                    env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
                    self.assertEqual(width, "8\n")


OWN_SETTINGS = r"""
import ctypes, os, signal, sys, time
from interface import BAD_INPUT, ElmoError, Library, Model
library, folder = Library(sys.argv[1]), sys.argv[2]
c, openmp, numbers = ctypes.CDLL(None), ctypes.CDLL("libgomp.so.1"), ctypes.CDLL("libm.so.6")
FE_UPWARD = 0x800

def state():
    for _ in range(1000):  # threads that have ended are counted a moment longer
        if len(os.listdir("/proc/self/task")) == 1:
            break
        time.sleep(0.01)
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(c, "environ")
    variables, at = [], 0
    while environ[at]:
        variables.append(environ[at])
        at += 1
    with open("/proc/self/status", encoding="utf-8") as file:
        masks = [line for line in file
                 if line.startswith(("Sig", "Shd", "Umask", "Threads"))
                 and not line.startswith("SigQ")]  # counts those of all the user's processes
    return (variables, masks, sorted(os.listdir("/proc/self/fd")), os.getcwd(),
            openmp.omp_get_max_threads(), numbers.fegetround())

openmp.omp_set_num_threads(3)
signal.signal(signal.SIGUSR1, lambda *_: None)
Model(library, model=folder).embed("Loads what is loaded late.")
usual = Model(library, model=folder).embed("One two three.").values
machine = os.uname().machine
for handling in (signal.SIG_DFL, signal.SIG_IGN):
    signal.signal(signal.SIGCHLD, handling)
    if machine == "x86_64":
        numbers.fesetround(FE_UPWARD)
    before = state()
    model = Model(library, model=folder, threads=2)
    assert model.embed("One two three.").values == usual, "rounded otherwise"
    model.tokenize("One two three.")
    model.close()
    try:
        Model(library, model="/nonsense")
    except ElmoError as error:
        assert error.code == BAD_INPUT
    after = state()
    numbers.fesetround(0)
    assert before == after, (before, after)
"""

NO_ROOM = r"""
import resource, sys
from interface import ElmoError, Library, Model
library, folder, room = Library(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with open("/proc/self/statm", encoding="utf-8") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
try:
    model = Model(library, model=folder, threads=2)
    model.embed("One two three. " * 50)
    print(0)
except ElmoError as error:
    print(error.code)
except MemoryError:
    print(4)
"""


if __name__ == "__main__":
    unittest.main()
