"""Records what CUDA does in this program, for Overlap Lab, and reads recordings.

    import overlap_lab                      # before the first use of CUDA

    with overlap_lab.record("run.olab"):
        for batch in batches:
            overlap_lab.step()
            with overlap_lab.range("forward"):
                ...

Under `olab trace -- python train.py` all of the program is recorded, and record() only runs what is in it; under
`olab trace --attach-ready` it switches recording on and off. Needs no compiler: it calls libolab_inject.so.

    recording = overlap_lab.load("run.olab")          # a notebook shows its picture
    recording.waits.to_pandas()                       # or any reader of the Arrow C data interface
    overlap_lab.assert_overlap("run.olab", "overlap(h2d,kernel)>=0.8")
"""
import contextlib
import threading

from . import _library
from ._assertion import assert_overlap
from ._program import Error as ReadError
from ._recording import load

__all__ = ["Error", "ReadError", "assert_overlap", "finish", "load", "range", "record", "step", "why_not"]

Error = _library.Error
_steps = threading.local()


def why_not():
    """Why nothing can be recorded here; an empty text: it can."""
    return _library.why_not


class record:
    """Records what is inside of it, or between start() and stop(); the same file may be recorded into again."""

    def __init__(self, file=None):
        self._asked = None if file is None else str(file)
        self.file = None

    def start(self):
        """Raises Error if nothing can be recorded."""
        self.file = _library.begin(self._asked)
        return self

    def stop(self):
        """All of it is in the file a moment later; the file is closed at the end of the program, or by finish()."""
        _end_step()
        _library.end()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def finish():
    """Closes the file: nothing more is recorded in this process."""
    _end_step()
    _library.finish()


def _end_step():
    if getattr(_steps, "open", False):
        _library.pop()
        _steps.open = False


def step():
    """A new step of this thread begins, and the one before ends: an iteration of the account. Call it outside of ranges."""
    _end_step()
    _steps.number = getattr(_steps, "number", -1) + 1
    _library.push(f"ProfilerStep#{_steps.number}")
    _steps.open = True


@contextlib.contextmanager
def range(name):
    """A range with a name, as NVTX has it: other tools see it too."""
    _library.push(name)
    try:
        yield
    finally:
        _library.pop()
