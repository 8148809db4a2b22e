"""What the runner of the loops needs of CuPy."""
import cupy


def settings():
    """CuPy needs none."""


def synchronize():
    """Waits until the device has nothing left to do."""
    cupy.cuda.runtime.deviceSynchronize()


def clean():
    """Gives the memory of the pools back to the driver, between two pairs."""
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()
