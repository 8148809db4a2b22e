"""The CUDA runtime below PyTorch."""
import ctypes


def runtime():
    """The CUDA runtime that PyTorch has loaded."""
    with open("/proc/self/maps", encoding="utf8") as maps:
        names = [line.split()[-1] for line in maps if "libcudart" in line]
    return ctypes.CDLL(names[0])


def check(code, call):
    if int(code) != 0:
        raise RuntimeError(f"{call}: {code}")
