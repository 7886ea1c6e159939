#!/usr/bin/env python3
"""Measures a fixed set of things and appends them to a log as one JSON line; compares two lines.

    bench_log.py                   appends a line; ten minutes of a machine that does nothing else
    bench_log.py --compare A B     lists what moved beyond the noise from A to B

A and B are the beginning of a commit (its last line counts) or the number of a line, from 1, or
from -1 backwards. A line has the values of each measurement in all rounds, their median and their
spread, which is the distance of the quartiles. Something moved if the medians differ by more than both
spreads together, and by more than 2 %.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/cli"))

WHOLE_TOKENS = 5135  # of whole processes
TOKENIZERS = ("icu", "ud", "moses")
TOKENIZED_WORDS = 2000000
BENCH_TOKENS = {"original": 5000, "default": 40000}  # that elmo-bench embeds
PRECISIONS = ("float32", "bfloat16", "int8")
SMALLEST_MOVE = 0.02

# Measurements whose smaller value is better. For all others, larger is better.
COSTS = re.compile(r"seconds$|seconds_more|bytes|_over_")


def summary(values):
    quartiles = statistics.quantiles(values, n=4, method="inclusive") if values[1:] else [0, 0, 0]
    return {"median": statistics.median(values), "spread": quartiles[2] - quartiles[0],
            "values": values}


def moves(before, after):
    """Changed measurements as (name, median before, median after, is better), largest change first."""
    found = []
    for name in sorted(before.keys() & after.keys()):
        a, b = before[name], after[name]
        noise = max(a["spread"] + b["spread"], SMALLEST_MOVE * abs(a["median"]))
        difference = b["median"] - a["median"]
        if abs(difference) > noise:
            found.append((name, a["median"], b["median"],
                          (difference < 0) == bool(COSTS.search(name))))
    return sorted(found, key=lambda move: -abs(move[2] / move[1] - 1) if move[1] else 0)


def choose(lines, wanted):
    """The line that `wanted` names."""
    if re.fullmatch(r"-?[1-9]\d{0,5}", wanted):
        number = int(wanted)
        number -= number > 0
        if -len(lines) <= number < len(lines):
            return lines[number]
    else:
        for line in reversed(lines):
            if line["commit"].startswith(wanted):
                return line
    sys.exit(f"{wanted}: found no such line among {len(lines)}; expected a commit or a number")


def comparison(a, b):
    """The text to print about two lines."""
    text = [f"{line['commit'][:10]}{' with changes' if line['changed'] else ''}, {line['date']}"
            for line in (a, b)]
    for name in ("cpu", "cores", "compiler", "onednn"):
        if a[name] != b[name]:
            text.append(f"not comparable: {name} was {a[name]}, is {b[name]}")
    found = moves(a["measured"], b["measured"])
    for name, before, after, better in found:
        change = after / before - 1 if before else 0
        text.append(f"{'better' if better else 'worse ':6}  {name:45} {before:12.5g} -> "
                    f"{after:12.5g}  {change:+8.1%}")
    both = a["measured"].keys() & b["measured"].keys()
    text.append(f"{len(found)} of {len(both)} moved")
    for name in sorted(a["measured"].keys() ^ b["measured"].keys()):
        text.append(f"in one line only: {name}")
    return "\n".join(text)


def output(*command, **keywords):
    return subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True,
                          **keywords).stdout


def usage_of(*command, **keywords):
    """Runs it; gives seconds by the clock and of the processors, and the largest resident size in
    bytes."""
    start = time.perf_counter()
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, **keywords) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def sentences(tokens):
    """A text of made-up words, always the same: its lines, of as many tokens in all."""
    import tool  # pylint: disable=import-outside-toplevel
    text = tool.english(12 * tokens).decode().replace(".", " .\n").split("\n")
    lines = []
    for line in text:
        words = line.split()[:tokens]
        if words:
            lines.append(" ".join(words))
            tokens -= len(words)
    assert tokens == 0
    return lines


class Log:
    """Measures everything round by round, so that what disturbs one round shows in the spread."""

    def __init__(self, build, folder):
        self.elmo, self.bench = build / "elmo", build / "elmo-bench"
        self.folder = folder
        self.values = {}
        lines = sentences(WHOLE_TOKENS)
        self.distinct = len({word for line in lines for word in line.split()})
        self.text, self.token = folder / "text.txt", folder / "token.txt"
        self.text.write_text("\n".join(lines) + "\n")
        self.token.write_text("Hello\n")
        self.words = folder / "words.txt"
        self.words.write_text("\n".join(sentences(TOKENIZED_WORDS)) + "\n")
        output(self.elmo, "init", "--preset", "original", "--seed", 1, "-o", folder / "original",
               stderr=subprocess.DEVNULL)
        self.models = {"original": folder / "original", "default": "elmo-tiny-en"}
        on_this_cpu = re.search(r"^precisions +(.*) on this CPU", output(self.elmo, "info"), re.M)
        self.precisions = [each for each in PRECISIONS if each in on_this_cpu[1]]

    def add(self, name, value):
        self.values.setdefault(name, []).append(float(f"{value:.6g}"))

    def stages(self, model, precision):
        """Runs elmo-bench and returns its report."""
        found = json.loads(output(
            self.bench, "--model", self.models[model], "--precision", precision, "--tokens",
            BENCH_TOKENS[model], "--repeat", 1, "--json", "--quiet"))
        name = f"{model}.{precision}"
        self.add(f"{precision}.peak_flop_per_second", found["matmul"]["flop_per_second"])
        for stage in ("lstm", "encoder", "embed"):
            self.add(f"{name}.{stage}_share", found[stage]["share"])
        sentence = found["sentence"]
        self.add(f"{name}.sentence_seconds", sentence["seconds"])
        self.add(f"{name}.sentence_over_stream", sentence["seconds"] / sentence["stream_seconds"])
        self.add(f"{name}.latency_seconds", found["latency_seconds"])
        self.add(f"{name}.start_up_seconds", found["start_up_seconds"])
        return found

    def processes(self, model, precision, found):
        """Whole runs of elmo: of one token, and of some thousand."""
        name = f"{model}.{precision}"
        command = (self.elmo, "embed", "--quiet", "--model", self.models[model], "--precision",
                   precision, "--input-format", "tokens", "--overwrite", "-o", self.folder / "run")
        self.add(f"{name}.one_token_seconds", usage_of(*command, self.token)[0])
        seconds, processor_seconds, size = usage_of(*command, self.text)
        flop = (WHOLE_TOKENS * found["lstm_flop_per_token"]
                + self.distinct * found["encoder_flop_per_token"])
        self.add(f"{name}.process_share", flop / seconds / found["matmul"]["flop_per_second"])
        self.add(f"{name}.process_seconds", seconds)
        self.add(f"{name}.process_processor_seconds", processor_seconds)
        self.add(f"{name}.process_bytes", size)

    def tokenizing(self):
        """Tokens that a tokenizer makes in a second of one core, start-up and printing left out."""
        for name in TOKENIZERS:
            command = (self.elmo, "tokenize", "--quiet", "--tokenizer", name, "--locale", "en")
            tokens = len(output(*command, self.words).split())
            start_up = usage_of(*command, self.token)[1]
            self.add(f"tokenize.{name}.start_up_seconds", start_up)
            self.add(f"tokenize.{name}.tokens_per_second",
                     tokens / (usage_of(*command, self.words)[1] - start_up))

    def training(self):
        found = json.loads(output(self.bench, "--train", "--preset", "tiny", "--repeat", 1,
                                  "--json", "--quiet"))
        self.add("training.float32.share", found["train"]["share"])

    def python(self):
        """Arrow and the Python package, as python_speed.py measures them."""
        found = json.loads(output(sys.executable, TOP / "tests/bench/python_speed.py", self.elmo))
        for name, value in found.items():
            self.add(f"python.{name}", value)

    def build(self):
        """The tool from nothing, without ccache."""
        with tempfile.TemporaryDirectory() as folder:
            output("cmake", "-G", "Ninja", "-DBUILD_TESTING=OFF", "-S", TOP, "-B", folder,
                   stderr=subprocess.DEVNULL)
            seconds, processor_seconds, _ = usage_of("cmake", "--build", folder, "--target", "elmo")
        self.add("build.seconds", seconds)
        self.add("build.processor_seconds", processor_seconds)

    def measure(self, rounds, builds):
        for number in range(1, rounds + 1):
            for model in self.models:
                for precision in self.precisions:
                    print(f"round {number} of {rounds}: {model}, {precision}", file=sys.stderr)
                    self.processes(model, precision, self.stages(model, precision))
            print(f"round {number} of {rounds}: tokenizers", file=sys.stderr)
            self.tokenizing()
            print(f"round {number} of {rounds}: Python", file=sys.stderr)
            self.python()
            print(f"round {number} of {rounds}: training", file=sys.stderr)
            self.training()
            if number <= builds:
                print(f"round {number} of {rounds}: build", file=sys.stderr)
                self.build()
        return {name: summary(values) for name, values in self.values.items()}


def circumstances(build):
    """Everything besides the source that the numbers depend on."""
    def from_cache(name):
        found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
        return found[1] if found else ""
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    header = pathlib.Path("/usr/include/oneapi/dnnl/dnnl_version.h").read_text()
    version = re.findall(r"#define DNNL_VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)", header)
    git = ("git", "-C", TOP)
    return {"commit": output(*git, "rev-parse", "HEAD").strip(),
            "changed": bool(output(*git, "status", "--porcelain", "-uno", "--", ":!*.jsonl")),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "cpu": cpu[1] if cpu else os.uname().machine,
            "cores": len(os.sched_getaffinity(0)),
            "compiler": output(from_cache("CMAKE_CXX_COMPILER"), "--version").splitlines()[0],
            "onednn": ".".join(version)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"))
    parser.add_argument("--log", type=pathlib.Path, default=TOP / "tests/bench/log.jsonl")
    parser.add_argument("--build", type=pathlib.Path, default="build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--builds", type=int, default=2, help="rounds that build elmo from nothing")
    flags = parser.parse_args()
    if flags.compare:
        lines = [json.loads(line) for line in flags.log.read_text().splitlines()]
        print(comparison(*(choose(lines, wanted) for wanted in flags.compare)))
        return
    line = circumstances(flags.build)
    with tempfile.TemporaryDirectory() as folder:
        log = Log(flags.build, pathlib.Path(folder))
        line["rounds"] = flags.rounds
        line["measured"] = log.measure(flags.rounds, flags.builds)
    with flags.log.open("a") as file:
        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
