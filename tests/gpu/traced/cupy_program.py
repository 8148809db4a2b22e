"""Sums and a kernel of its own, by CuPy."""
import hashlib

import cupy as cp

square = cp.RawKernel('extern "C" __global__ void square(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= x[i]; }', "square")
x = cp.arange(1 << 16, dtype=cp.float32) / 1000
digest = hashlib.sha256()
with cp.cuda.Stream(non_blocking=True) as stream:
    for step in range(50):
        square((256,), (256,), (x, cp.int32(x.size)))
        x = cp.sqrt(x) + 1
    digest.update(cp.asnumpy(x).tobytes())
    stream.synchronize()
print(digest.hexdigest())
