"""A terminal (tmux) in which Kedge runs."""

import subprocess
import time


class Terminal:
    def __init__(self, kedge, *arguments, width=100, height=30):
        self.socket = kedge.folder / "tmux"
        self.variables = dict(kedge.variables, TERM="xterm-256color")
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), str(kedge.program), *map(str, arguments), ";",
            # What it prints when it ends by itself stays on the screen.
            "set-option", "remain-on-exit", "on")

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", self.socket, *arguments], env=self.variables, capture_output=True, text=True, check=True).stdout

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def lines(self):
        return self.tmux("capture-pane", "-p").splitlines()

    def wait(self, is_wanted, what, within=60):
        """Waits until the lines of the screen are as wanted, at most some seconds.
        Returns them."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            if is_wanted(lines := self.lines()):
                return lines
            time.sleep(0.02)
        raise AssertionError(f"the screen does not show {what}:\n" + "\n".join(lines))

    def wait_text(self, text):
        return self.wait(lambda lines: any(text in line for line in lines), text)

    def wait_still(self):
        """Waits until the screen has been the same for a while: the user looks at it before the next key."""
        last, since = None, time.monotonic()
        while time.monotonic() - since < 0.3:
            if last != (last := self.lines()):
                since = time.monotonic()
            time.sleep(0.02)
        return last

    def end(self):
        self.tmux("kill-server")
