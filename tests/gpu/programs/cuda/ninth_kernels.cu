#include "ninth.h"

#include <utility>

namespace ninth {
namespace {

constexpr int threads = 256;

__device__ int place() {
    return int(blockIdx.x * blockDim.x + threadIdx.x);
}

__device__ unsigned scattered(unsigned key) {
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    return key ^ (key >> 16);
}

// ---- a sparse matrix

__global__ void fillKernel(int side, int* columns, float* values, float* goal) {
    const int row = place(), rows = side * side * side;
    if (row >= rows)
        return;
    const int x = row % side, y = row / side % side, z = row / side / side;
    goal[row] = float(scattered(unsigned(row)) % 1000) / 1000 - 0.5f;
    for (int n = 0; n < entries; ++n) {
        const int nx = (x + n % 3 - 1 + side) % side, ny = (y + n / 3 % 3 - 1 + side) % side,
                  nz = (z + n / 9 - 1 + side) % side;
        columns[size_t(n) * rows + row] = (nz * side + ny) * side + nx;
        values[size_t(n) * rows + row] = n == entries / 2 ? 27.0f : -1.0f;
    }
}

__global__ void beginKernel(const float* goal, float* x, float* left, float* direction, int count,
                            float* sum) {
    const int i = place();
    if (i == 0)
        *sum = 0;
    if (i >= count)
        return;
    x[i] = 0;
    left[i] = direction[i] = goal[i];
}

__global__ void multiplyKernel(Matrix matrix, const float* from, float* to, float* sum, float* other) {
    const int row = place();
    if (row == 0)
        *sum = *other = 0;
    if (row >= matrix.rows)
        return;
    float value = 0;
#pragma unroll
    for (int n = 0; n < entries; ++n) {
        const size_t at = size_t(n) * matrix.rows + row;
        value += matrix.values[at] * from[matrix.columns[at]];
    }
    to[row] = value;
}

__global__ void addProductKernel(const float* a, const float* b, int count, float* sum) {
    float here = 0;
    for (int i = place(); i < count; i += int(gridDim.x * blockDim.x))
        here += a[i] * b[i];
    for (int lane = 16; lane; lane /= 2)
        here += __shfl_xor_sync(~0u, here, lane);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, here);
}

__device__ float known(const Ratio& ratio) {
    return ratio.over ? *ratio.over / *ratio.under : ratio.value;
}

__global__ void advanceKernel(float* x, float* left, const float* direction, const float* product, int count,
                              Ratio by) {
    const int i = place();
    if (i >= count)
        return;
    const float step = known(by);
    x[i] += step * direction[i];
    left[i] -= step * product[i];
}

__global__ void turnKernel(float* direction, const float* left, int count, Ratio by) {
    const int i = place();
    if (i < count)
        direction[i] = left[i] + known(by) * direction[i];
}

// ---- pictures

__global__ void softenKernel(Picture from, Picture to, int width, int height, bool upright, int radius) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    const int at = upright ? y : x, last = (upright ? height : width) - 1;
    const float* line = upright ? from.pixels + x : from.pixels + y * from.pitch;
    const size_t apart = upright ? from.pitch : 1;
    const float own = line[at * apart];
    float sum = 0, weights = 0;
    for (int n = -radius; n <= radius; ++n) {
        const float other = line[size_t(min(max(at + n, 0), last)) * apart];
        const float weight = __expf(-(own - other) * (own - other));
        sum += weight * other;
        weights += weight;
    }
    to.pixels[y * to.pitch + x] = sum / weights;
}

// ---- chance

__device__ float path(unsigned number, unsigned seed, int moments) {
    float level = 0;
    for (int n = 0; n < moments; ++n) {
        const unsigned drawn = scattered(number * 9781u + seed * 6271u + unsigned(n) * 40503u);
        const float one = float((drawn >> 16) + 1) / 65536, two = float(drawn & 0xffff) / 65536;
        level += sqrtf(-2.0f * __logf(one)) * __cosf(6.2831853f * two);
    }
    return fmaxf(level * rsqrtf(float(moments)), 0.0f);
}

__global__ void payKernel(float* results, int count, unsigned seed, int moments) {
    const int i = place();
    if (i < count)
        results[i] = path(unsigned(i), seed, moments);
}

__global__ void payIntoKernel(unsigned* counts, int count, unsigned seed, int moments) {
    __shared__ unsigned own[bins];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int i = place();
    if (i < count)
        atomicAdd(&own[min(int(64 * path(unsigned(i), seed, moments)), bins - 1)], 1u);
    __syncthreads();
    if (own[threadIdx.x])
        atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// ---- a product of matrices: 16 x 16 threads, each with 4 x 4 values

__global__ void productKernel(const float* a, const float* b, float* c, int columns, int inner) {
    __shared__ float left[16][64], right[16][64];
    const int row = int(blockIdx.y) * 64, column = int(blockIdx.x) * 64;
    const int x = int(threadIdx.x) % 16, y = int(threadIdx.x) / 16;
    float sums[4][4] = {};
    for (int first = 0; first < inner; first += 16) {
        for (int n = int(threadIdx.x); n < 1024; n += threads) {
            left[n % 16][n / 16] = a[size_t(row + n / 16) * inner + first + n % 16];
            right[n / 64][n % 64] = b[size_t(first + n / 64) * columns + column + n % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k)
#pragma unroll
            for (int n = 0; n < 16; ++n)
                sums[n / 4][n % 4] += left[k][4 * y + n / 4] * right[k][4 * x + n % 4];
        __syncthreads();
    }
#pragma unroll
    for (int n = 0; n < 16; ++n)
        c[size_t(row + 4 * y + n / 4) * columns + column + 4 * x + n % 4] = sums[n / 4][n % 4];
}

// ---- fields

__global__ void flowKernel(const float* from, float* to, size_t count, const float* rim, size_t rimCount,
                           int rounds) {
    const size_t i = size_t(place());
    if (i >= count)
        return;
    const float by = 0.001f + 1e-6f * rim[i % rimCount];
    float value = from[i];
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + by;
    to[i] = value;
}

template <int Order>
__global__ void seriesKernel(float* values, size_t count, int rounds) {
    for (size_t i = size_t(place()); i < count; i += size_t(gridDim.x) * blockDim.x) {
        float value = values[i];
        for (int n = 0; n < rounds; ++n)
            value = value * (0.9999f - 1e-6f * float(Order)) + 0.001f;
        values[i] = value;
    }
}

using Series = void (*)(float*, size_t, int);

template <int... Order>
Series seriesOf(int order, std::integer_sequence<int, Order...>) {
    static const Series kernels[] = {seriesKernel<Order>...};
    return kernels[order % orders];
}

unsigned blocksOf(size_t count) {
    return unsigned((count + threads - 1) / threads);
}

} // namespace

void fillMatrix(int side, int* columns, float* values, float* goal) {
    fillKernel<<<blocksOf(size_t(side) * side * side), threads>>>(side, columns, values, goal);
    CHECK(cudaDeviceSynchronize());
}

void begin(const float* goal, float* x, float* left, float* direction, int count, float* sum,
           cudaStream_t stream) {
    beginKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(goal, x, left, direction, count, sum);
}

void multiply(const Matrix& matrix, const float* from, float* to, float* sum, float* other,
              cudaStream_t stream) {
    multiplyKernel<<<blocksOf(size_t(matrix.rows)), threads, 0, stream>>>(matrix, from, to, sum, other);
}

void addProduct(const float* a, const float* b, int count, float* sum, cudaStream_t stream) {
    addProductKernel<<<1056, threads, 0, stream>>>(a, b, count, sum);
}

void advance(float* x, float* left, const float* direction, const float* product, int count, Ratio by,
             cudaStream_t stream) {
    advanceKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(x, left, direction, product, count, by);
}

void turn(float* direction, const float* left, int count, Ratio by, cudaStream_t stream) {
    turnKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(direction, left, count, by);
}

void soften(const Picture& from, const Picture& to, int width, int height, bool upright, int radius,
            cudaStream_t stream) {
    const dim3 grid(unsigned(width + 31) / 32, unsigned(height + 7) / 8);
    softenKernel<<<grid, dim3(32, 8), 0, stream>>>(from, to, width, height, upright, radius);
}

void pay(float* results, int count, unsigned seed, int moments, cudaStream_t stream) {
    payKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(results, count, seed, moments);
}

void payInto(unsigned* counts, int count, unsigned seed, int moments, cudaStream_t stream) {
    payIntoKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(counts, count, seed, moments);
}

void product(const float* a, const float* b, float* c, int rows, int columns, int inner,
             cudaStream_t stream) {
    const dim3 grid(unsigned(columns / 64), unsigned(rows / 64));
    productKernel<<<grid, threads, 0, stream>>>(a, b, c, columns, inner);
}

void flow(const float* from, float* to, size_t count, const float* rim, size_t rimCount, int rounds,
          cudaStream_t stream) {
    flowKernel<<<blocksOf(count), threads, 0, stream>>>(from, to, count, rim, rimCount, rounds);
}

void series(int order, float* values, size_t count, int rounds, cudaStream_t stream) {
    seriesOf(order, std::make_integer_sequence<int, orders>())<<<512, threads, 0, stream>>>(values, count,
                                                                                            rounds);
}

} // namespace ninth
