"""Kedge on a terminal whose bytes are read as they come, for the time at which a text is on the screen."""

import fcntl
import os
import select
import struct
import termios
import time


class Screen:
    def __init__(self, kedge, *arguments, width=100, height=30):
        self.start = time.monotonic()
        terminal, inner = os.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        kedge.variables["TERM"] = "xterm-256color"
        self.process = kedge.start(
            kedge.program, *map(str, arguments), stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inner)
        self.terminal, self.bytes = terminal, b""

    def wait(self, *texts):
        """Waits until one of the texts, which were never on the screen before, is written.
        Returns the time of the clock (s)."""
        wanted = [text.encode() for text in texts]
        end = time.monotonic() + 60
        while not any(text in self.bytes for text in wanted):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert ready, f"the screen does not show {texts}: {self.bytes[-3000:]}"
            self.bytes += os.read(self.terminal, 65_536)
        return time.monotonic()

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self):
        """Quits, and reads what is written until the terminal is closed: nothing else keeps it open."""
        self.press("q")
        try:
            while select.select([self.terminal], [], [], 60)[0]:
                os.read(self.terminal, 65_536)
            raise AssertionError("another program keeps the terminal open")
        except OSError:
            # Nobody has the other side any more.
            pass
        self.process.wait(30)
        os.close(self.terminal)
