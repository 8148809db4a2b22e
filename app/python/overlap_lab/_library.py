"""libolab_inject.so: the one that `olab trace` had CUDA load, else one of ours."""
import ctypes
import os
import warnings
from pathlib import Path

from . import _program

NAME = "libolab_inject.so"
EARLIER = "a tool that began before"  # as the library calls it
INJECTION, RANGES = "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"


class Error(RuntimeError):
    """Nothing is recorded; the text says why and what to do."""


def candidates():
    """Where it may be, the best first: that of olab trace, OLAB_LIBRARY, beside this package (a wheel), where that is installed,
    and where olab looks for it."""
    injected = os.environ.get(INJECTION, "")
    if os.path.basename(injected) == NAME:
        yield Path(injected)
    yield from _program.named("OLAB_LIBRARY")
    yield _program.HERE / NAME
    if _program.installed():
        yield from libraries(_program.installed())
    for program in _program.candidates():
        if program.is_file():
            yield program.resolve().parent / NAME  # as it is built
            yield from libraries(program.resolve().parents[1])


def libraries(folder):
    return [folder / name / NAME for name in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu")]


def find():
    return next((file for file in candidates() if file.is_file()), None)


def load(file):
    library = ctypes.CDLL(str(file))
    library.olabTraceBegin.argtypes = [ctypes.c_char_p]
    library.olabTraceMessage.restype = ctypes.c_char_p
    library.olabTraceYieldsTo.restype = ctypes.c_char_p
    library.olabRangePush.argtypes = [ctypes.c_char_p]
    library.olabRangePush.restype = library.olabRangePop.restype = None
    return library


def waiting_for(tool):
    if tool == EARLIER:
        return ("A tool has used CUPTI before overlap_lab was imported, and CUPTI does not tell whether it has ended: nothing is recorded "
                "until the end of its next session is seen. Import overlap_lab before it begins.")
    return f"Nothing is recorded yet: {tool} records, or did a moment ago. Recording begins a second after its last call."


def start_up():
    """@returns the library, or why there is none."""
    try:
        file = find()
    except _program.Error as error:
        return None, str(error)
    if file is None:
        return None, f"{NAME} was not found. Install Overlap Lab, or set OLAB_LIBRARY to that file."
    other = os.environ.get(INJECTION, "")
    if other and os.path.basename(other) != NAME:
        return None, f"Another tool watches CUDA: {INJECTION} names {other}."
    try:
        library = load(file)
    except (OSError, AttributeError) as error:
        return None, f"{file} cannot be used: {error}"
    os.environ.setdefault(RANGES, str(file))
    if library.olabTraceExpect():
        warnings.warn("overlap_lab was imported after the first use of CUDA: streams that were made before have no priority or kind, "
                      "copies in graphs that were made before may appear as kernels, and NVTX ranges of libraries that were in use "
                      "before are missing. Import it first.", RuntimeWarning, stacklevel=4)
    return library, ""


_library, why_not = start_up()


def _check(code):
    if code:
        raise Error(_library.olabTraceMessage().decode(errors="replace"))


def begin(file):
    if _library is None:
        raise Error(why_not)
    _check(_library.olabTraceBegin(None if file is None else os.fsencode(file)))
    into = _library.olabTraceMessage().decode(errors="surrogateescape")
    tool = _library.olabTraceYieldsTo().decode(errors="replace")
    if tool:
        warnings.warn(waiting_for(tool), RuntimeWarning, stacklevel=3)
    return into


def end():
    if _library is not None:
        _check(_library.olabTraceEnd())


def finish():
    if _library is not None:
        _check(_library.olabTraceFinish())


def push(name):
    if _library is not None:
        _library.olabRangePush(str(name).encode(errors="replace"))


def pop():
    if _library is not None:
        _library.olabRangePop()
