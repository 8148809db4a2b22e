"""assert_overlap: the assertions of olab, as those of a test."""
import os

from . import _program

FAILED = 1  # exit code of olab


def assert_overlap(recording, *expressions):
    """Raises AssertionError unless all hold: assert_overlap("run.olab", "overlap(h2d,kernel)>=0.8").

    `recording`: a file, or what load() gave. What cannot be judged (lost records, an inconclusive verdict) fails too, with
    its reason. Raises Error where the file cannot be read or an expression is none."""
    __tracebackhide__ = True
    if not expressions:
        raise TypeError("assert_overlap() needs an assertion, such as 'overlap(h2d,kernel)>=0.8'")
    file = getattr(recording, "file", recording)
    words = [word for expression in expressions for word in ("--assert", expression)]
    code, _, err = _program.call("analyze", *words, _program.file_word(file))
    if code == 0:
        return
    said = "\n".join(line[len("olab: "):] if line.startswith("olab: ") else line for line in err.strip().splitlines())
    if code == FAILED:
        raise AssertionError(f"{os.fspath(file)}:\n{said}")
    raise _program.Error(said)
