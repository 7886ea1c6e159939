#!/usr/bin/env python3
"""The page of `elmo neighbors --map` in Chromium: pointer, keyboard, text, colors, 10,000 points.
Prints the time of frames; no test depends on it."""

import json
import pathlib
import random
import tempfile
import time
import unittest
import xml.etree.ElementTree

import tool
from browser import Browser, chromium
from tool import DONE, run

POINTS = 10000
MARGIN = 24  # of the map, in pixels

WORDS = "the old river of money light runs fast by a green house".split()

# Calls `step(i)` in each of some frames and gives the milliseconds between the frames.
FRAMES = """new Promise(done => {
  const times = [], step = %s;
  let last = 0, i = 0;
  requestAnimationFrame(function frame(now) {
    if (last) times.push(now - last);
    last = now;
    if (i === 150) return done(times);
    step(i++);
    requestAnimationFrame(frame);
  });
})"""
MOVE = """i => {
  const map = document.getElementById("map"), box = map.getBoundingClientRect();
  const at = {clientX: box.left + box.width * (.5 + .4 * Math.sin(i / 9)),
    clientY: box.top + box.height * (.5 + .4 * Math.cos(i / 7)), bubbles: true, pointerType: "mouse"};
  %s
}"""
HOVER = MOVE % 'map.dispatchEvent(new PointerEvent("pointermove", at));'
DRAG = MOVE % """if (!i) map.dispatchEvent(new PointerEvent("pointerdown", at));
  map.dispatchEvent(new PointerEvent("pointermove", {...at, buttons: 1}));"""
ZOOM = MOVE % """map.dispatchEvent(new WheelEvent("wheel",
  {...at, ctrlKey: true, deltaY: 40 * Math.sin(i / 10), cancelable: true}));"""


def text(count, seed=1, documents=3):
    """Lines that each have the word "bank", distributed over the documents in turn."""
    chance = random.Random(seed)
    for i in range(count):
        words = chance.choices(WORDS, k=chance.randint(2, 14))
        words.insert(chance.randint(0, len(words)), "bank")
        yield json.dumps({"id": f"document {i % documents}", "text": " ".join(words)}) + "\n"


@unittest.skipUnless(chromium(), "needs Chromium")
class MapPage(tool.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.send("Emulation.setEmulatedMedia", features=[])

    def open(self, lines, *arguments, word="bank"):
        """Makes and opens a page, and returns its data."""
        corpus = self.write("text.jsonl", "".join(lines))
        page = self.folder / "map.html"
        result = run("neighbors", word, "--quiet", "--model", self.model, "--input-format", "jsonl",
                     "--lines", "--corpus", corpus, "--map", page, *arguments)
        self.assert_exit(result, DONE)
        self.browser.open(page)
        self.addCleanup(lambda: self.assertEqual(self.browser.problems(), []))
        return json.loads(self.value('document.getElementById("data").textContent'))

    def value(self, expression):
        return self.browser.evaluate(expression)

    def text_of(self, element):
        return self.value(f'document.getElementById("{element}").innerText')

    def positions(self, data):
        """The points' positions in the window while all are shown."""
        left, top, width, height = self.value(
            '(() => { const map = document.getElementById("map"), box = map.getBoundingClientRect();'
            "return [box.left + map.clientLeft, box.top + map.clientTop, map.clientWidth, "
            "map.clientHeight]; })()")
        x, y = data["x"], data["y"]
        scale = min((width - 2 * MARGIN) / (max(x) - min(x)), (height - 2 * MARGIN) / (max(y) - min(y)))
        middle = (max(x) + min(x)) / 2, (max(y) + min(y)) / 2
        return [(left + width / 2 + (px - middle[0]) * scale, top + height / 2 - (py - middle[1]) * scale)
                for px, py in zip(x, y)]

    def sentence(self, data, point):
        parts = (data[part][point] for part in ("before", "word", "after"))
        return " ".join(part for part in parts if part)

    def shown(self, data, element="selected"):
        """The point whose sentence an element shows; None if it shows none."""
        lines = self.text_of(element).split("\n")
        if len(lines) < 2:
            return None
        found = [i for i, _ in enumerate(data["x"]) if self.sentence(data, i) == lines[0] and
                 lines[1].endswith(f"{data['files'][data['file'][i]]}, line {data['line'][i]}")]
        self.assertEqual(len(found), 1, lines)
        return found[0]

    def lonely(self, data):
        """The point farthest from all others, and its position."""
        places = self.positions(data)
        def distance(i):
            return min((places[i][0] - x) ** 2 + (places[i][1] - y) ** 2
                       for j, (x, y) in enumerate(places) if j != i)
        point = max(range(len(places)), key=distance)
        self.assertGreater(distance(point), 25)
        return point, places[point]

    def test_the_pointer_shows_sentences_and_selects_them(self):
        data = self.open(text(40))
        point, place = self.lonely(data)
        self.assertTrue(self.value('document.getElementById("tip").hidden'))
        self.browser.mouse("Moved", *place)
        self.assertFalse(self.value('document.getElementById("tip").hidden'))
        self.assertEqual(self.shown(data, "tip"), point)
        self.assertEqual(self.value('document.querySelector("#tip mark").textContent'), "bank")
        self.assertIsNone(self.shown(data))  # what is not selected is not spoken
        self.browser.click(*place)
        self.assertEqual(self.shown(data), point)
        self.browser.mouse("Moved", 5, 5)
        self.assertEqual(self.shown(data), point)

    def test_the_keyboard_reaches_every_point(self):
        data = self.open(text(40))
        stops = []
        while "map" not in stops:
            self.browser.press("Tab")
            stops.append(self.value("document.activeElement.id || document.activeElement.type || "
                                    "document.activeElement.hash"))
            self.assertLess(len(stops), 20)
        self.assertEqual(stops, [*["checkbox"] * 3, "larger", "smaller", "whole", "svg", "png", "#list", "map"])
        self.assertEqual(self.shown(data), 0)
        self.assertEqual(self.shown(data, "tip"), 0)
        for key, axis, sign in (("ArrowRight", "x", 1), ("ArrowLeft", "x", -1), ("ArrowUp", "y", 1),
                                ("ArrowDown", "y", -1)):
            self.browser.press("Home")
            here, steps = 0, 0
            while not self.text_of("selected").split("\n")[1].startswith("No further one"):
                self.browser.press(key)
                before, here = here, self.shown(data)
                self.assertTrue(sign * (data[axis][here] - data[axis][before]) > 0 or here == before)
                steps += 1
            self.assertGreater(steps, 2)
        self.browser.press("Home")
        seen = [self.shown(data)]
        for _ in range(len(data["x"]) - 1):
            self.browser.press("PageDown")
            seen.append(self.shown(data))
        self.assertEqual(seen, list(range(len(data["x"]))))
        self.browser.press("PageUp")
        self.assertEqual(self.shown(data), len(data["x"]) - 2)
        self.browser.press("Escape")
        self.assertTrue(self.value('document.getElementById("tip").hidden'))
        self.browser.press("Escape")
        self.assertIsNone(self.shown(data))
        # A point outside of the view is brought into it.
        for _ in range(12):
            self.browser.press("+", "+")
        for key in ("Home", "End"):
            self.browser.press(key)
            left, top, right, bottom = self.value(
                '(() => { const box = document.getElementById("map").getBoundingClientRect(), '
                'tip = document.getElementById("tip").getBoundingClientRect(); '
                "return [tip.left - box.left, tip.top - box.top, box.right - tip.right, "
                "box.bottom - tip.bottom]; })()")
            self.assertTrue(min(left, top, right, bottom) >= 0)

    def test_a_screen_reader_finds_the_map_the_sentence_and_the_list(self):
        data = self.open(text(120))
        self.browser.evaluate('document.getElementById("map").focus()')
        self.browser.press("End")
        nodes = self.browser.send("Accessibility.getFullAXTree")["nodes"]
        found = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes
                 if not node["ignored"]]
        self.assertIn(("application", "Map of 120 occurrences"), found)
        self.assertIn(("heading", "List of occurrences"), found)
        self.assertIn(("table", "List of occurrences"), found)
        self.assertIn(("columnheader", "Sentence"), found)
        self.assertIn(("group", "Documents"), found)
        self.assertEqual(len([name for role, name in found if role == "row"]), 51)
        self.assertEqual([name for role, name in found if role == "checkbox"],
                         [f"document {i} (40)" for i in range(3)])
        status = [node for node in nodes if node.get("role", {}).get("value") == "status"][0]
        properties = {one["name"]: one["value"]["value"] for one in status["properties"]}
        self.assertEqual((properties["live"], properties["atomic"]), ("polite", True))
        self.assertEqual(self.shown(data), 119)
        for role, name in found:
            if role in ("button", "checkbox", "combobox", "link", "application"):
                self.assertTrue(name, role)

    def rows(self):
        return self.value('[...document.querySelectorAll("#rows tr")].map(row => +row.dataset.point)')

    def test_the_list_has_the_points_of_the_map(self):
        data = self.open(text(120))
        self.assertEqual(self.rows(), list(range(50)))
        for _ in range(2):
            self.browser.evaluate('document.getElementById("next").click()')
        self.assertEqual(self.rows(), list(range(100, 120)))
        self.assertEqual(self.text_of("range"), "101 to 120 of 120")
        self.assertTrue(self.value('document.getElementById("next").disabled'))
        self.browser.evaluate('document.querySelector("#rows button").click()')
        self.assertEqual(self.shown(data), 100)
        self.assertEqual(self.value("document.activeElement.id"), "map")
        self.assertEqual(self.value('document.querySelector("[aria-current]").dataset.point'), "100")
        self.browser.evaluate('(() => { const order = document.getElementById("order"); '
                              'order.value = "near"; order.dispatchEvent(new Event("change")); })()')
        distances = [(data["x"][i] - data["x"][100]) ** 2 + (data["y"][i] - data["y"][100]) ** 2
                     for i in self.rows()]
        self.assertEqual(self.rows()[0], 100)
        self.assertEqual(distances, sorted(distances))
        # Without the group of the selected one nothing is selected, and no point of it is there.
        self.browser.evaluate(f'document.querySelectorAll("#legend input")[{data["group"][100]}].click()')
        self.assertIsNone(self.shown(data))
        left = [i for i in range(120) if data["group"][i] != data["group"][100]]
        self.assertEqual(self.rows(), left[:50])
        self.browser.frame()
        hidden = next(i for i in range(120) if data["group"][i] == data["group"][100])
        self.browser.mouse("Moved", *self.positions(data)[hidden])
        if not self.value('document.getElementById("tip").hidden'):
            self.assertNotEqual(self.shown(data, "tip"), hidden)

    def test_the_list_can_be_searched(self):
        data = self.open(text(120))
        find = ('(() => { const find = document.getElementById("find"); find.value = %s; '
                'find.dispatchEvent(new Event("input")); })()')
        for wanted in ("Green House", "document 2", "no such words"):
            self.browser.evaluate(find % json.dumps(wanted))
            expected = [i for i in range(120) if wanted.lower() in self.sentence(data, i) or
                        wanted == data["files"][data["file"][i]]]
            self.assertEqual(self.rows(), expected[:50])
            self.assertEqual(self.text_of("range").split(" of ")[-1], str(len(expected) or "None."))
        self.browser.evaluate(find % '""')
        self.assertEqual(len(self.rows()), 50)

    def test_headers_and_numbers_are_not_broken_and_the_page_is_as_wide_as_the_window(self):
        self.open(text(120))
        self.browser.send("Emulation.setDeviceMetricsOverride", width=400, height=900, deviceScaleFactor=1,
                          mobile=False)
        self.addCleanup(self.browser.send, "Emulation.setDeviceMetricsOverride", width=1000, height=900,
                        deviceScaleFactor=1, mobile=False)
        self.browser.frame()
        self.assertLessEqual(self.value("document.documentElement.scrollWidth"), 400)
        lines = self.value("""[...document.querySelectorAll("th:not([hidden]), td:not(.text)")].map(cell => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
        })""")
        self.assertLessEqual(max(lines), 2)  # a button has a box of its own
        headers = self.value("[...document.querySelectorAll('th:not([hidden])')].map(cell => cell.offsetHeight)")
        self.assertEqual(len(set(headers)), 1)

    def test_rings_are_closed(self):
        self.open(text(40, documents=10))
        ring = self.value("""(() => {
          const icon = [...document.querySelectorAll("#legend canvas")].at(-1);
          const pixels = icon.getContext("2d").getImageData(0, 0, 18, 18).data;
          const alpha = (r, angle) => pixels[4 * (18 * Math.floor(9 + r * Math.sin(angle)) +
            Math.floor(9 + r * Math.cos(angle))) + 3];
          return [...Array(16).keys()].map(i => alpha(4.4, i * Math.PI / 8)).concat(alpha(0, 0));
        })()""")
        self.assertGreater(min(ring[:-1]), 200)
        self.assertEqual(ring[-1], 0)

    def saved(self, kind):
        """The file that the button of that name saves."""
        with tempfile.TemporaryDirectory() as folder:
            self.browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            self.browser.evaluate(f'document.getElementById("{kind}").click()')
            for _ in range(600):
                if found := list(pathlib.Path(folder).glob(f"*.{kind}")):
                    return found[0].read_bytes()
                time.sleep(.1)
        return self.fail(f"no {kind} was saved")

    def test_the_map_is_saved_as_shown(self):
        attack = "a<b>&\x07"
        data = self.open([*text(40), json.dumps({"id": attack, "text": "the bank"}) + "\n"])
        self.browser.evaluate('document.querySelectorAll("#legend input")[0].click()')
        picture = xml.etree.ElementTree.fromstring(self.saved("svg"))
        svg = "{http://www.w3.org/2000/svg}"
        marks = [use.get("href") for use in picture.find(f"{svg}g").iter(f"{svg}use")]
        self.assertEqual(len(marks), sum(group != 0 for group in data["group"]))
        words = [found.text for found in picture.iter(f"{svg}text")]
        self.assertIn("a<b>&", " ".join(words))
        self.assertTrue(any("first principal component" in word for word in words))
        png = self.saved("png")
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(png[16:20], "big"), 3 * round(float(picture.get("width"))))

    def colors(self):
        """The colors of the map's pixels that are not transparent, most frequent first."""
        return self.value("""(() => {
          const canvas = document.getElementById("points"), counts = {};
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          for (let i = 0; i < pixels.length; i += 4) {
            if (pixels[i + 3] < 255) continue;
            const color = "#" + [0, 1, 2].map(k => pixels[i + k].toString(16).padStart(2, "0")).join("");
            counts[color] = (counts[color] || 0) + 1;
          }
          return Object.keys(counts).sort((a, b) => counts[b] - counts[a]);
        })()""")

    def test_colors_follow_the_system_and_shapes_distinguish_groups(self):
        self.open(text(60))
        palettes = {}
        for scheme in ("light", "dark"):
            self.browser.send("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.frame()
            wanted = self.value('[0, 1, 2].map(i => getComputedStyle(document.documentElement)'
                                '.getPropertyValue("--group-" + i).trim())')
            self.assertLessEqual(set(wanted), set(self.colors()))
            palettes[scheme] = wanted, self.value("getComputedStyle(document.body).backgroundColor")
        self.assertNotEqual(*palettes.values())
        icons = self.value('[...document.querySelectorAll("#legend canvas")].map(icon => '
                           "Array.from(icon.getContext('2d').getImageData(0, 0, 18, 18).data)"
                           ".filter((_, i) => i % 4 === 3).map(alpha => alpha > 127).join())")
        self.assertEqual(len(set(icons)), 3)

    def test_hostile_text_is_not_executed(self):
        attack = '</script><img src=x onerror="alert(1)"><b>&amp;'
        lines = [json.dumps({"id": f"<i>{attack}\u202e", "text": f"{attack} {word} bank \u202e{attack}"})
                 + "\n" for word in WORDS]
        data = self.open(lines)
        self.browser.evaluate('document.getElementById("map").focus()')
        self.browser.press("Home")
        self.assertIn("</script>", self.text_of("selected").replace(" ", ""))
        self.assertEqual(self.value('document.querySelectorAll("img, b, i").length'), 0)
        self.assertEqual(self.value('document.querySelectorAll("#rows tr").length'), len(WORDS))
        self.assertEqual(len(data["x"]), len(WORDS))

    def test_many_points_take_few_elements(self):
        self.open(text(POINTS))
        self.assertEqual(self.text_of("range"), f"1 to 50 of {POINTS}")
        self.assertLess(self.value('document.querySelectorAll("*").length'), 1500)
        began = self.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
        print(f"\n{POINTS:,} points: loaded after {began:.0f} ms; frames in ms, median, 95 %, longest:")
        for name, step in (("hover", HOVER), ("drag", DRAG), ("zoom", ZOOM)):
            times = sorted(self.value(FRAMES % step))
            print(f"  {name}: {times[len(times) // 2]:.1f}, {times[len(times) * 95 // 100]:.1f}, "
                  f"{times[-1]:.1f}")


if __name__ == "__main__":
    unittest.main()
