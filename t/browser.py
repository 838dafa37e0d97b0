# SPDX-License-Identifier: Apache-2.0
"""A Chromium without a window, through the DevTools protocol on two pipes: no package needed.

	with Browser() as browser:
		tab = browser.open("file:///…/page.html")
		tab.run("document.title")

Whatever a page says on its console, and whatever it asks of a server, is in tab.said.

Starting one takes longer than most checks of a page.  Where RP_BROWSER names a folder with its
pipes, browser.to and browser.from, Browser is a profile of its own in the one that runs there; see
set_browser in lib.sh.  One program at a time may use it.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

# The first has no window at all, and needs half as long.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
# Ends a test that would hang; no outcome depends on it.
PATIENCE_S = 120


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


def command(home):
    """Reads what to do from descriptor 3, answers at 4, and ends when 3 does."""
    return [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", f"--user-data-dir={home}", "about:blank"]


class Browser:
    def __init__(self):
        self.tabs, self.pending, self.context = {}, b"", None
        # no answer to a program before this one, which was killed, is one of ours
        self.number = time.monotonic_ns() // 1000000 % (1 << 30)
        self.shared = os.environ.get("RP_BROWSER")
        if self.shared:
            self.out = os.open(self.shared + "/browser.to", os.O_WRONLY)
            self.replies = os.open(self.shared + "/browser.from", os.O_RDONLY)
            self.context = self.call("Target.createBrowserContext")["browserContextId"]
        else:
            self.start()

    def start(self):
        self.home = tempfile.mkdtemp(prefix="browser.", dir=os.getcwd())
        to_read, self.out = os.pipe()
        self.replies, from_write = os.pipe()

        def pass_pipes():
            # above 3 and 4 first: either may be one of them
            read, write = os.dup(to_read), os.dup(from_write)
            while read < 5:
                read = os.dup(read)
            while write < 5:
                write = os.dup(write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.child = subprocess.Popen(
            command(self.home), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=pass_pipes, env={**os.environ, "HOME": self.home},
        )
        os.close(to_read)
        os.close(from_write)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.shared:
            try:
                self.call("Target.disposeBrowserContext", browserContextId=self.context)
            except (OSError, EOFError):
                pass  # it ended; what failed for that has been said
            os.close(self.out)
            os.close(self.replies)
            return
        try:
            self.call("Browser.close")
        except (OSError, EOFError):
            self.child.kill()
        self.child.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            tab = self.tabs.get(answer.get("sessionId"))
            if tab:
                tab.notice(answer["method"], answer["params"])

    def receive(self):
        while b"\0" not in self.pending:
            if not select.select([self.replies], [], [], PATIENCE_S)[0]:
                if not self.shared:
                    self.child.kill()
                raise EOFError("the browser does not answer")
            part = os.read(self.replies, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def open(self, url, before="", width=1280, height=800, domains=None):
        """BEFORE: a script that runs before the page's; DOMAINS: to enable too, with their parameters."""
        own = {"browserContextId": self.context} if self.shared else {}
        target = self.call("Target.createTarget", url="about:blank", **own)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self.tabs[session] = Tab(self, session)
        for domain in ("Runtime", "Log", "Network", "Page"):
            tab.call(f"{domain}.enable")
        for domain, parameters in (domains or {}).items():
            tab.call(f"{domain}.enable", **parameters)
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        if before:
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        tab.call("Page.navigate", url=url)
        tab.wait("document.readyState === 'complete' && document.body && document.body.dataset.ready || "
                 "document.querySelector('[role=alert]')")
        return tab


class Tab:
    def __init__(self, browser, session):
        self.browser, self.session, self.said = browser, session, []

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def notice(self, method, params):
        if method == "Runtime.consoleAPICalled":
            self.said.append("console: " + " ".join(str(a.get("value", a)) for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.said.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.said.append("log: " + params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.said.append("request: " + url)

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def settle(self):
        """Until what was asked for is drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def hash(self):
        """What the address says of the page's state, which is written 400 ms after it changed."""
        return self.run("new Promise((done) => setTimeout(() => done(location.hash), 450))")

    def wait(self, condition):
        """Until it holds.  It may name elements that are not there yet, and fail until they are."""
        end = time.monotonic() + PATIENCE_S
        while True:
            why = ""
            try:
                if self.run(f"Boolean({condition})"):
                    return
            except RuntimeError as error:
                why = error
            if time.monotonic() > end:
                raise TimeoutError(f"{condition}: {why} {self.said}")
            time.sleep(0.05)

    def key(self, key, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=modifiers)
        self.settle()

    def mouse(self, kind, x, y, buttons=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none",
                  buttons=buttons, clickCount=1 if kind != "mouseMoved" else 0)
        self.settle()

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def main(task="works"):
    """Whether there is one that works here, exit status 0; `run HOME`: becomes one."""
    if not find():
        return 1
    if task == "run":
        home = sys.argv[2]
        os.execve(find(), command(home), {**os.environ, "HOME": home})
    try:
        with Browser() as browser:
            return 0 if browser.call("Browser.getVersion") else 1
    except (OSError, EOFError, RuntimeError):
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
