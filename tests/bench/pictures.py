#!/usr/bin/env python3
"""Makes the pictures of README.md, ANALYSIS.md and RESULTS.md anew.

    pictures.py                  all of them, which takes hours; an interrupted run goes on
    pictures.py --only bank      those alone

The map of a word needs Chromium (ELMO_CHROMIUM, or `chromium` in the path). Comparisons need data below
ELMO_REFERENCE_DATA. What cannot be made is said, and the exit code is 77.
"""

import argparse
import base64
import json
import lzma
import os
import pathlib
import shlex
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/check"))

from browser import Browser, chromium  # noqa: E402

WIDTH, HEIGHT = 800, 600
MAP_MARGIN = 8


class Missing(Exception):
    pass


def write(path, content):
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)
    print(f"{path.relative_to(TOP)}: {len(content):,} bytes", file=sys.stderr)


def run(flags, *arguments):
    command = [str(flags.elmo), *map(str, arguments)]
    print(f"$ {shlex.join(command)}", file=sys.stderr)
    subprocess.run(command, check=True)


def data(name):
    """A file of the data; compressed ones are read as they are."""
    folder = os.environ.get("ELMO_REFERENCE_DATA")
    path = pathlib.Path(folder or "", "data/tasks", name)
    if not folder or not path.exists():
        raise Missing(f"no {name} below ELMO_REFERENCE_DATA")
    return path


def bank(flags):
    """The legend and the map of the page of a word."""
    if not chromium():
        raise Missing("no Chromium; install the package chromium-headless-shell")
    browser = Browser(WIDTH, HEIGHT)
    try:
        page = flags.work / "bank.html"
        run(flags, "neighbors", "bank", "--quiet", "--input-format", "jsonl", "--corpus",
            TOP / "cli/demo/senses.jsonl", "--map", page)
        browser.send("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "light"}])
        browser.send("Emulation.setScrollbarsHidden", hidden=True)
        browser.open(page)
        # Not in a picture: what is to be pressed.
        browser.evaluate('document.querySelector(".tools").remove()')
        browser.evaluate('document.getElementById("map").style.height = "20rem"')
        browser.frame()
        browser.evaluate('document.getElementById("map").focus()')
        browser.press("Home")
        y = json.loads(browser.evaluate('document.getElementById("data").textContent'))["y"]
        for _ in range(y.index(max(y))):  # to the point at the top, where the sentence hides no other
            browser.press("PageDown")
        bottom = browser.evaluate('document.getElementById("horizontal").getBoundingClientRect().bottom')
        picture = browser.send("Page.captureScreenshot", format="png", clip={
            "x": 0, "y": 0, "width": WIDTH, "height": bottom + MAP_MARGIN, "scale": 1})["data"]
    finally:
        browser.close()
    write(TOP / "core/analysis/pictures/bank.png", base64.b64decode(picture))


def compare(flags, name, pictures, *arguments):
    """Runs `elmo task compare`; copies pictures by the name that they get."""
    folder = flags.work / name
    run(flags, "task", "compare", *arguments, "--features", flags.work / f"{name}-features", "--resume",
        "-o", folder)
    for made, kept in pictures.items():
        write(TOP / "core/tasks/pictures" / kept, (folder / made).read_bytes())


def names(flags):
    """Names in wikigold: the score by training size, and the weights of the layers."""
    compare(flags, "names", {"sizes.svg": "sizes.svg", "weights.svg": "weights.svg"},
            "--kind", "tag", "--train", data("ner/wikigold/train.conll"),
            "--dev", data("ner/wikigold/dev.conll"), "--seeds", "0,1,2",
            "--fractions", "0.01,0.05,0.1,0.3")


def roles(flags):
    """Semantic roles in the English Web Treebank: the score by training size."""
    words = flags.work / "glove.txt"
    with lzma.open(data("words/glove.6B.100d.50k.txt.xz")) as packed:
        words.write_bytes(packed.read())
    compare(flags, "roles", {"sizes.svg": "srl-sizes.svg"},
            "--kind", "srl", "--settings", "none,input", "--words", words, "--seeds", "0",
            "--train", data("srl/srl-ewt-train.jsonl.xz"), "--dev", data("srl/srl-ewt-dev.jsonl.xz"),
            "--fractions", "0.01,0.03,0.1,0.3")


PICTURES = {"bank": bank, "names": names, "roles": roles}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PICTURES, action="append", help="(default: all)")
    parser.add_argument("--elmo", type=pathlib.Path, default="build/elmo")
    parser.add_argument("--work", type=pathlib.Path, default="build/pictures")
    flags = parser.parse_args()
    flags.work.mkdir(parents=True, exist_ok=True)
    missing = False
    for name in flags.only or PICTURES:
        try:
            PICTURES[name](flags)
        except Missing as error:
            missing = True
            print(f"pictures.py: {name} was not made: {error}", file=sys.stderr)
        except subprocess.CalledProcessError as error:
            return error.returncode
    return 77 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
