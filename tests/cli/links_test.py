#!/usr/bin/env python3
"""The pages, files and commands that pages mention exist."""

import re
import unittest

import tool
from tool import run

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A path of the source tree, as pages and comments name it.
SOURCE = re.compile(r"\b(?:cli|core|io|tests)/[\w./-]*\w\.(?:cpp|h|py|md|sh|txt)\b")


def anchors(page):
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Pages(unittest.TestCase):
    def test_links_have_targets(self):
        for page in tool.pages():
            for link in LINK.findall(page.read_text(encoding="utf-8")):
                if link.startswith("https://"):
                    continue
                with self.subTest(page=page.name, link=link):
                    name, _, anchor = link.partition("#")
                    target = page.parent / name if name else page
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_named_files_exist(self):
        named = 0
        for page in [*tool.pages(), tool.TOP / "cli/pages/manual.md"]:
            for path in SOURCE.findall(page.read_text(encoding="utf-8")):
                named += 1
                with self.subTest(page=page.name, path=path):
                    self.assertTrue((tool.TOP / path).exists())
        self.assertGreater(named, 10)

    def test_every_page_is_linked_from_the_readme(self):
        reached, waiting = set(), [tool.TOP / "README.md"]
        while waiting:
            page = waiting.pop().resolve()
            if page in reached or page.suffix != ".md":
                continue
            reached.add(page)
            for link in LINK.findall(page.read_text(encoding="utf-8")):
                if not link.startswith("https://"):
                    waiting.append(page.parent / link.partition("#")[0])
        self.assertEqual(set(), set(tool.pages()) - reached)

    def test_the_readme_lists_every_command(self):
        table = (tool.TOP / "README.md").read_text(encoding="utf-8").split("## I want to")[1]
        self.assertEqual(set(tool.members()), set(re.findall(r"`elmo ([a-z]+)", table)))


if __name__ == "__main__":
    unittest.main()
