#!/usr/bin/env python3
"""How long short jobs take: one token, 5,000 tokens, and as many in the middle of a large run.

    start_up.py TEXT [TOOL...]     TEXT: 60,000 tokens or more, a tokenized sentence a line

Tools (default: build/elmo) take turns. Medians of --repeat runs; the bound, for the default model, is
0.12 s and 1.1 times what 5,000 tokens take in the middle. Of a machine that does other things, too,
only the CPU time says something. With --one-token nothing else is run, and TEXT is not read."""

import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

SHORT, FIRST, LARGE = 5000, 10000, 60000  # tokens


def sentences_of(text, tokens):
    """The first sentences, of about this many tokens, and the number of these."""
    lines, count = [], 0
    for line in text:
        if count >= tokens:
            break
        lines.append(line)
        count += len(line.split())
    return "\n".join(lines) + "\n", count


def times_of(tool, text, flags):
    """Milliseconds of a whole run: by the clock, and of the processors."""
    with tempfile.TemporaryDirectory() as folder:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([tool, "embed", "--quiet", "--model", flags.model, "--input-format",
                        "tokens", "--precision", flags.precision, "-o", f"{folder}/run", text],
                       check=True)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1e3 * wall, 1e3 * cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("tools", nargs="*", default=["build/elmo"])
    parser.add_argument("--model", default="elmo-tiny-en")
    parser.add_argument("--precision", default="float32")
    parser.add_argument("--one-token", action="store_true")
    parser.add_argument("--repeat", type=int, default=9)
    flags = parser.parse_args()
    lines = [] if flags.one_token else flags.text.read_text().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        files, counts = {}, {}
        for tokens in (1,) if flags.one_token else (1, SHORT, FIRST, LARGE):
            text, counts[tokens] = sentences_of(lines if tokens > 1 else ["Hello"], tokens)
            files[tokens] = pathlib.Path(folder) / f"{tokens}.txt"
            files[tokens].write_text(text)
        times = {(tool, tokens): [] for tool in flags.tools for tokens in files}
        for _ in range(flags.repeat):
            for (tool, tokens), found in times.items():
                found.append(times_of(tool, files[tokens], flags))
    print("tool, milliseconds                  one token"
          + ("" if flags.one_token else "  5,000 tokens  in the middle  bound"))
    for tool in flags.tools:
        for column, clock in enumerate(("wall", "CPU")):
            one, *others = (statistics.median(pair[column] for pair in times[tool, tokens])
                            for tokens in files)
            if flags.one_token:
                print(f"{tool + ', ' + clock:35} {one:9.0f}")
                continue
            short, first, large = others
            middle = (large - first) * counts[SHORT] / (counts[LARGE] - counts[FIRST])
            print(f"{tool + ', ' + clock:35} {one:9.0f} {short:13.0f} {middle:14.0f} "
                  f"{120 + 1.1 * middle:6.0f}")


if __name__ == "__main__":
    main()
