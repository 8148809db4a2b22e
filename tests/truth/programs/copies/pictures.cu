// Pictures that come or leave by calls that wait, or in a stream that is busy.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

__global__ void softenKernel(const float* from, float* to, int width, int height, int radius) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        const float* const row = from + size_t(min(max(y + dy, 0), height - 1)) * width;
        for (int dx = -radius; dx <= radius; ++dx)
            sum += row[min(max(x + dx, 0), width - 1)];
    }
    const float side = float(2 * radius + 1);
    to[size_t(y) * width + x] = sum / (side * side) + 0.001f * float(x % 7);
}

/// The sum of each row.
__global__ void profile(const float* picture, int width, float* rows) {
    __shared__ float sums[threads];
    const float* const row = picture + size_t(blockIdx.x) * width;
    float sum = 0;
    for (int x = int(threadIdx.x); x < width; x += threads)
        sum += row[x];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int n = threads / 2; n > 0; n /= 2) {
        if (int(threadIdx.x) < n)
            sums[threadIdx.x] += sums[threadIdx.x + n];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        rows[blockIdx.x] = sums[0];
}

/// The mean of all pixels up to `radius` away. 1920 x 1080 pixels and a radius of 18 take about 0.5 ms.
void soften(const float* from, float* to, int width, int height, int radius, cudaStream_t stream) {
    const dim3 block(32, 8), grid(unsigned(width + 31) / 32, unsigned(height + 7) / 8);
    softenKernel<<<grid, block, 0, stream>>>(from, to, width, height, radius);
}

/// A line that is photographed: eight pictures of 1 Mi pixels a step, softened, and the sums of their rows.
/// The picture itself goes to pinned memory by cudaMemcpy and is looked at there; mended, by a side stream,
/// two slots, and looked at a picture later. 15 to 40 %.
class Line : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            if (mended_)
                slot.left.holdUp(compute_);
            soften(raw_.get() + number % 16, slot.soft.get(), width, height, 22, compute_);
            profile<<<height, threads, 0, compute_>>>(slot.soft.get(), width, rows_.get());
            if (mended_)
                leave(slot);
            else
                CHECK(cudaMemcpy(slot.host.get(), slot.soft.get(), pixels * 4, cudaMemcpyDeviceToHost));
            if (mended_)
                before.left.await();
            look(mended_ ? before : slot);
        }
    }
    double result() override { return sumOf(slots_[1].soft, pixels) + sumOf(rows_, height); }

private:
    static constexpr int width = 1024, height = 1024;
    static constexpr size_t pixels = size_t(width) * height;
    struct Slot {
        OnDevice<float> soft = onDevice<float>(pixels);
        Pinned<float> host = pinned<float>(pixels);
        Event made, left;
    };
    void leave(const Slot& slot) {
        slot.made.order(compute_, side_);
        toHost(slot.host.get(), slot.soft.get(), pixels, side_);
        slot.left.record(side_);
    }
    void look(const Slot& slot) {
        for (size_t n = 0; n < pixels; n += 64)
            bright_ += slot.host[n] > 0.5f ? 1 : 0;
    }
    size_t bright_ = 0;
    OnDevice<float> raw_ = onDevice<float>(pixels + 16), rows_ = onDevice<float>(height);
    Slot slots_[2];
    Stream compute_{cudaStreamDefault}, side_; // cudaMemcpy waits for a blocking stream
};

/// Eight frames of 8 MiB a step come, are softened and leave. A stream for the kernels and one for all
/// copies, so that a frame comes after the one before has left; mended, one for each direction. 20 to 45 %.
class Frames : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            const cudaStream_t down = mended_ ? down_ : up_;
            slot.made.holdUp(up_); // two frames ago
            toDevice(slot.raw.get(), slot.in.get(), pixels, up_);
            slot.loaded.order(up_, compute_);
            slot.left.holdUp(compute_);
            soften(slot.raw.get(), slot.soft.get(), width, height, 20, compute_);
            slot.made.order(compute_, down);
            toHost(slot.out.get(), slot.soft.get(), pixels, down);
            slot.left.record(down);
        }
    }
    double result() override { return sumOf(slots_[0].soft, pixels); }

private:
    static constexpr int width = 2048, height = 1024;
    static constexpr size_t pixels = size_t(width) * height;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(pixels);
        OnDevice<float> raw = onDevice<float>(pixels), soft = onDevice<float>(pixels);
        Event loaded, made, left;
    };
    Slot slots_[2];
    Stream up_, compute_, down_;
};

} // namespace

std::vector<Pair> picturePairs() {
    return {
        {"pictures_by_blocking_copy", {"readback", "host-sync"}, make<Line>, {"stretched"}},
        {"copies_in_one_stream",
         {"same-stream", "event-order", "too-few-streams"},
         make<Frames>,
         {"stretched"}},
    };
}
