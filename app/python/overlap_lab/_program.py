"""olab: the program that reads and judges recordings."""
import json
import os
import subprocess
from pathlib import Path

NAME = "olab"


class Error(RuntimeError):
    """olab could not do it; the text is its own."""


HERE = Path(__file__).resolve().parent


def installed():
    """The folder that Overlap Lab was installed into with this package, else None: no other folder above is trusted."""
    if HERE.parent.parts[-3:] in (("share", "overlap-lab", "python"), ("lib", "python3", "dist-packages")):
        return HERE.parents[3]
    return None


def named(variable):
    """What it names: a file of the working directory is never run or loaded."""
    file = os.environ.get(variable)
    if file and not os.path.isabs(file):
        raise Error(f"{variable} is '{file}', which is no absolute path. Set it to the whole path.")
    return [Path(file)] if file else []


def candidates():
    """Where it may be, the best first: OLAB, beside this package, where that is installed, PATH."""
    yield from named("OLAB")
    yield HERE / NAME
    if installed():
        yield installed() / "bin" / NAME
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.isabs(folder) and os.access(os.path.join(folder, NAME), os.X_OK):
            yield Path(folder) / NAME


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
