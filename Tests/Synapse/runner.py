"""runner.py KILLS SEED [TEST…]: runs the tests one after another, each in a process of its own and in a folder of its own, and prints a line
for each. What a failed test leaves, logs above all, is kept. No process of a test survives it."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# In seconds, on a slow machine. Those that kill have 3 s more for each kill.
LIMITS = {
    "kills": 120,
    "sends": 120,
    "fills": 120,
    "chat": 400,
    "large": 300,
    "middle": 200,
    "screens": 200,
    "latency": 200,
    "full": 200,
    "login": 200,
    "split": 300,
    "encrypted": 300,
}
HERE = pathlib.Path(__file__).parent
SKIPPED = 75
# The variable that all processes of a test have.
MARK = "KEDGE_TEST_FOLDER"


def main():
    kills, seed, *names = sys.argv[1:]
    # Whoever ends this ends the test too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    kept = pathlib.Path(os.environ["KEPT"])
    shutil.rmtree(kept, ignore_errors=True)
    print(f"seed {seed}", flush=True)
    start = time.monotonic()
    failed = [name for name in names or LIMITS if not run(name, int(kills), seed, kept)]
    print(f"{time.monotonic() - start:.0f} s together", flush=True)
    if failed:
        sys.exit(f"failed: {' '.join(failed)}; their logs are in {kept}")


def run(name, kills, seed, kept):
    """Whether a test passes."""
    with tempfile.TemporaryDirectory(prefix="kedge-", ignore_cleanup_errors=True) as folder:
        return run_in(pathlib.Path(folder), name, kills, seed, kept)


def run_in(folder, name, kills, seed, kept):
    start = time.monotonic()
    limit = LIMITS[name] + 3 * kills
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [sys.executable, HERE / f"{name}.py", folder, str(kills), seed],
            env=dict(os.environ, **{MARK: str(folder)}), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = f"it took longer than {limit} s"
        finally:
            end(folder)
            process.wait()
    text = (folder / "log").read_text(errors="replace")
    summary = text.strip().splitlines()[-1] if text.strip() else ""
    word = {0: "ok", SKIPPED: "skipped"}.get(status, "FAILED")
    print(f"{name:10} {word:7} {time.monotonic() - start:5.1f} s  {summary}", flush=True)
    if word == "FAILED":
        print("\n".join(text.splitlines()[-40:]), f"\nstatus: {status}", flush=True)
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, kept / name, symlinks=True, ignore=shutil.ignore_patterns("tmux", "runtime"))
    return word != "FAILED"


def end(folder):
    """Ends all processes of a test, also those in sessions of their own: they have its folder among their variables."""
    mark = f"{MARK}={folder}".encode()
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                os.kill(int(path.parent.name), signal.SIGKILL)
        except (ProcessLookupError, PermissionError, FileNotFoundError):
            pass


main()
