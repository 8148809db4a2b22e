"""What the tests against real servers share: a folder, cases that are counted one by one, and processes looked up.

main(NAME, CASES): runs the cases and writes what GTEST_OUTPUT asks for, so that ./test.sh counts each; 77: all were skipped.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree


class Skipped(Exception):
    pass


def expect(holds, text):
    if not holds:
        raise AssertionError(text)


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain: {what}")


def find(name):
    """A program; servers often stand where a user's PATH does not look."""
    for folder in os.environ.get("PATH", "").split(":") + ["/usr/sbin", "/sbin", "/usr/local/sbin"]:
        file = pathlib.Path(folder or ".") / name
        if folder.startswith("/") and os.access(file, os.X_OK):
            return str(file)
    raise Skipped(f"{name} is not installed (./test.sh --cluster)")


def processes_with(text):
    """The numbers of all processes whose command line has this text."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if text in line:
                found.append(int(entry.name))
    return found


def environment_has(pid, entry):
    try:
        return entry.encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def end(process, sign=signal.SIGTERM):
    if process and process.poll() is None:
        process.send_signal(sign)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(words, timeout=120, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, errors="replace", timeout=timeout,
                          stdin=subprocess.DEVNULL, **more)


def told(result):
    return f"exit code {result.returncode}\n--- out\n{result.stdout[-1500:]}\n--- err\n{result.stderr[-1500:]}"


def write_results(name, results):
    target = os.environ.get("GTEST_OUTPUT", "")
    if not target.startswith("xml:"):
        return
    suite = ElementTree.Element("testsuite", name=name)
    for case, status, text in results:
        row = ElementTree.SubElement(suite, "testcase", name=case, classname=name,
                                     result="skipped" if status == "skipped" else "completed")
        if status == "failed":
            ElementTree.SubElement(row, "failure", message=text[:2000])
    ElementTree.ElementTree(suite).write(pathlib.Path(target[4:]) / f"{name}.xml")


def run_case(case, fixture):
    try:
        case(fixture)
        return "passed", ""
    except Skipped as reason:
        return "skipped", str(reason)
    except (AssertionError, OSError, LookupError, ValueError, subprocess.SubprocessError) as error:
        return "failed", f"{type(error).__name__}: {error}"


def main(name, fixture_of, cases):
    wanted = sys.argv[3:]
    results = []
    with tempfile.TemporaryDirectory(prefix="olab-test-") as folder:
        fixture, why = None, ""
        try:
            fixture = fixture_of(pathlib.Path(folder), pathlib.Path(sys.argv[2]).resolve())
        except Skipped as reason:
            why = str(reason)
        try:
            for case in cases:
                label = case.__name__.removeprefix("case_")
                if wanted and label not in wanted:
                    continue
                began = time.monotonic()
                status, text = run_case(case, fixture) if fixture else ("skipped", why)
                print(f"[{status}] {label} ({time.monotonic() - began:.1f} s)" + (f"\n    {text}" if text else ""), flush=True)
                results.append((label, status, text))
        finally:
            if fixture:
                fixture.close()
    write_results(name, results)
    statuses = {status for _, status, _ in results}
    sys.exit(1 if "failed" in statuses or not statuses else 77 if statuses == {"skipped"} else 0)
