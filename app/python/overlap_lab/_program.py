"""olab: the program that reads and judges recordings."""
import json
import os
import shutil
import subprocess
from pathlib import Path

NAME = "olab"


class Error(RuntimeError):
    """olab could not do it; the text is its own."""


def candidates():
    """Where it may be, the best first: OLAB, beside this package, where Overlap Lab is installed, PATH."""
    if os.environ.get("OLAB"):
        yield Path(os.environ["OLAB"])
    here = Path(__file__).resolve().parent
    yield here / NAME
    for folder in here.parents:  # share/overlap-lab/python of an archive, lib/python3/dist-packages of a system, a clone
        for programs in ("bin", "build/release/bin"):
            yield folder / programs / NAME
    found = shutil.which(NAME)
    if found:
        yield Path(found)


def find():
    file = next((file for file in candidates() if file.is_file()), None)
    if file is None:
        raise Error(f"The program {NAME} was not found. Install Overlap Lab, or set OLAB to that file.")
    return str(file)


def call(*words):
    """@returns (exit code, standard output, standard error)."""
    try:
        done = subprocess.run([find(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as problem:
        raise Error(f"{NAME} cannot be started: {problem}") from problem
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def output(*words):
    """What it prints. @throws Error with its message where it fails."""
    code, out, err = call(*words)
    if code != 0:
        raise Error(err.strip() or f"{NAME} {words[0]} ended with exit code {code}.")
    return out


def document(*words):
    return json.loads(output(*words))


def file_word(file):
    """A file whose name begins with a dash is no option."""
    name = os.fspath(file)
    return os.path.join(".", name) if name.startswith("-") else name
