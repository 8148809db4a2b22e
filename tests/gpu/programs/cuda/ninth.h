// The kernels of the ninth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "sixth.h"

namespace ninth {

constexpr size_t million = 1 << 20;

/// Each point of a cube and the 26 around it: as many entries a row, column after column.
struct Matrix {
    int rows;
    const int* columns;
    const float* values;
};
constexpr int entries = 27;
/// And a right side. In the NULL stream.
void fillMatrix(int side, int* columns, float* values, float* goal);

/// A number that the host knows, or one number of the device over another one.
struct Ratio {
    float value = 0;
    const float* over = nullptr;
    const float* under = nullptr;
};

/// The first direction is what is left of the goal; the sum becomes zero.
void begin(const float* goal, float* x, float* left, float* direction, int count, float* sum,
           cudaStream_t stream);
/// The product; two sums become zero for what follows. 160^3 rows take about 0.3 ms.
void multiply(const Matrix& matrix, const float* from, float* to, float* sum, float* other,
              cudaStream_t stream);
void addProduct(const float* a, const float* b, int count, float* sum, cudaStream_t stream);
void advance(float* x, float* left, const float* direction, const float* product, int count, Ratio by,
             cudaStream_t stream);
void turn(float* direction, const float* left, int count, Ratio by, cudaStream_t stream);

struct Picture {
    float* pixels;
    size_t pitch; ///< in pixels
};
/// Each pixel becomes a mean of those in its row or its column, alike ones count more. 3840 x 2160 pixels and
/// a radius of 128 take about 0.7 ms.
void soften(const Picture& from, const Picture& to, int width, int height, bool upright, int radius,
            cudaStream_t stream);

/// What `count` paths of chance pay; 2^21 of them and 600 moments take about 2 ms.
void pay(float* results, int count, unsigned seed, int moments, cudaStream_t stream);
constexpr int bins = 256;
/// How often how much.
void payInto(unsigned* counts, int count, unsigned seed, int moments, cudaStream_t stream);

/// c = a * b by tiles of 64 x 64; sizes are multiples of that.
void product(const float* a, const float* b, float* c, int rows, int columns, int inner, cudaStream_t stream);

/// A step of a field that has a rim; 2^22 values and 11000 rounds take about 1.7 ms.
void flow(const float* from, float* to, size_t count, const float* rim, size_t rimCount, int rounds,
          cudaStream_t stream);

constexpr int orders = 48;
/// Each of 48 kernels once, at its first use loaded by the driver.
void series(int order, float* values, size_t count, int rounds, cudaStream_t stream);

} // namespace ninth
