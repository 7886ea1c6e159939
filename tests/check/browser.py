"""Chromium without a screen, driven through its DevTools protocol.

    browser.py    prints the program; exit code 1 if there is none
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium():
    """The program: ELMO_CHROMIUM, or the first one in the path; None if there is none."""
    return next(filter(None, map(shutil.which, filter(None, (os.environ.get("ELMO_CHROMIUM"),
                                                             *PROGRAMS)))), None)


class BrowserError(Exception):
    pass


class Browser:
    """One page. Messages go through pipes, at Chromium's descriptors 3 and 4."""

    def __init__(self, width=1000, height=900):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.requests = os.pipe()
        self.answers, from_browser = os.pipe()
        # Root has no sandbox; the pages are our own.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", chromium(),
             "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={self.profile.name}",
             f"--window-size={width},{height}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.buffer = b""
        self.events = []
        self.session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def close(self):
        self.session = None
        self.send("Browser.close")
        while os.read(self.answers, 1 << 16):
            pass
        self.process.wait()
        os.close(self.requests)
        os.close(self.answers)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise BrowserError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """Sends a request and returns its answer. Keeps events that arrive before it."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        left = json.dumps(request).encode() + b"\0"
        while left:
            left = left[os.write(self.requests, left):]
        while (message := self.receive()).get("id") != self.number:
            self.events.append(message)
        if "error" in message:
            raise BrowserError(f"{method}: {message['error']['message']}")
        return message["result"]

    def open(self, path):
        """Loads a page and drops earlier events."""
        self.events.clear()
        self.send("Page.navigate", url=path.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        self.frame()

    def evaluate(self, expression):
        """Waits until an expression has a value, and returns it."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def frame(self):
        """Waits until the requested changes are drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        code = {"windowsVirtualKeyCode": codes.get(key, 0)}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, **code)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, **code)
        self.frame()

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)
        self.frame()

    def click(self, x, y):
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("Released", x, y, button="left", clickCount=1)

    def screenshot(self):
        """The window, as PNG in base64."""
        return self.send("Page.captureScreenshot", format="png")["data"]

    def problems(self):
        """Other files that the page loaded, and errors in its script and markup."""
        found = []
        for event in self.events:
            method, what = event["method"], event["params"]
            if method == "Network.requestWillBeSent" and not what["request"]["url"].startswith("data:"):
                found.append(f"loads {what['request']['url']}")
            elif method in ("Runtime.exceptionThrown", "Page.javascriptDialogOpening") or (
                    method == "Log.entryAdded" and what["entry"]["level"] == "error"):
                found.append(f"{method}: {json.dumps(what)}")
        return found[1:]  # the first one is the page


if __name__ == "__main__":
    found = chromium()
    if not found:
        sys.exit(1)
    print(found)
