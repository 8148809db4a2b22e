"""What the runner of the loops needs of JAX. Imported before anything else that imports JAX."""
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of the device's memory at once

import jax

current = {"value": None}  # what synchronize() waits for: each step leaves its last result here


def settings():
    """JAX needs none."""


def synchronize():
    """Waits for the results of the last step."""
    if current["value"] is not None:
        jax.block_until_ready(current["value"])


def clean():
    """Lets go of the last results, between two pairs."""
    current["value"] = None


def jaxtrace(step_runner, folder, iterations):
    """step_runner(iterations) runs so many; JAX's own profiler writes what it sees to the folder."""
    with jax.profiler.trace(folder, create_perfetto_trace=True):
        step_runner(iterations)
        synchronize()
