"""Steps of a compiled function, by JAX."""
import hashlib
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return jnp.tanh(x @ x.T) * 0.5 + x


x = jnp.arange(256 * 256, dtype=jnp.float32).reshape(256, 256) / 65536
for _ in range(50):
    x = step(x)
print(hashlib.sha256(bytes(memoryview(jax.device_get(x)))).hexdigest())
