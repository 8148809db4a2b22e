// The host reads a value of the device, or asks whether it is there.
#include "kernel_parts.cuh"
#include "parts.h"

#include <cooperative_groups.h>

namespace {

/// What is left of the light of a pixel on its way.
struct Ray {
    int pixel;
    float light;
};

__device__ bool goesOn(int pixel, unsigned number) {
    unsigned key = (unsigned(pixel) + number * 40503u) * 2654435761u;
    key ^= key >> 15;
    key *= 2246822519u;
    return ((key >> 20) & 7u) != 0;
}

/// The next free place of a list; threads of a warp take theirs together.
__device__ int nextPlace(int* count) {
    const auto group = cooperative_groups::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0)
        first = atomicAdd(count, int(group.size()));
    return group.shfl(first, 0) + int(group.thread_rank());
}

/// A ray for each pixel, and how many there are; the numbers of those after each bounce are 0.
__global__ void sendRays(Ray* rays, int count, int* alive, int bounces) {
    const int i = thread();
    rays[i] = {i, 1.0f + 0.01f * float(i % 31)};
    if (i <= bounces)
        alive[i] = i == 0 ? count : 0;
}

/// Each ray meets something. An eighth of them ends there. 2^20 rays and 8000 rounds take about 0.3 ms.
__global__ void bounce(const Ray* rays, const int* alive, Ray* next, int* nextAlive, float* picture,
                       unsigned number) {
    const int count = *alive;
    for (int i = thread(); i < count; i += threadsOfGrid()) {
        const Ray ray = rays[i];
        const float light = settled(0.5f * ray.light, 8000);
        picture[ray.pixel] = 0.9f * picture[ray.pixel] + light;
        if (goesOn(ray.pixel, number))
            next[nextPlace(nextAlive)] = {ray.pixel, light};
    }
}

/// All bodies attract each other; 128 bodies a block.
__global__ void attract(const float4* bodies, float4* speeds, int count) {
    __shared__ float4 tile[128];
    const int i = thread();
    const float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < count; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < 128; ++k) {
            const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = tile[k].w * inverse * inverse * inverse;
            x += pull * dx;
            y += pull * dy;
            z += pull * dz;
        }
        __syncthreads();
    }
    speeds[i].x += 1e-4f * x;
    speeds[i].y += 1e-4f * y;
    speeds[i].z += 1e-4f * z;
}

__global__ void advance(float4* bodies, const float4* speeds) {
    const int i = thread();
    const float4 start = {__sinf(float(i)), __cosf(float(3 * i)), __sinf(float(7 * i)), 1.0f};
    bodies[i].x = 0.999f * bodies[i].x + 0.001f * start.x + 1e-4f * speeds[i].x;
    bodies[i].y = 0.999f * bodies[i].y + 0.001f * start.y + 1e-4f * speeds[i].y;
    bodies[i].z = 0.999f * bodies[i].z + 0.001f * start.z + 1e-4f * speeds[i].z;
    bodies[i].w = 1e-3f;
}

__global__ void energy(const float4* speeds, int count, float* sum) {
    __shared__ float parts[threads];
    float here = 0;
    for (int i = int(threadIdx.x); i < count; i += threads)
        here += speeds[i].x * speeds[i].x + speeds[i].y * speeds[i].y + speeds[i].z * speeds[i].z;
    parts[threadIdx.x] = here;
    __syncthreads();
    for (int n = threads / 2; n; n /= 2) {
        if (int(threadIdx.x) < n)
            parts[threadIdx.x] += parts[threadIdx.x + n];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *sum = parts[0];
}

/// A picture of 2^20 pixels, four rays for each one a step, which are followed for eight bounces. Those that
/// go on are packed, and the host reads how many they are, to launch as many threads for the next bounce;
/// mended, the grid is the same each time and the kernel reads the number. 4 to 10 %.
class Rays : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int pass = i * 4; pass < (i + 1) * 4; ++pass) {
            sendRays<<<blocksOf(pixels), threads, 0, stream_>>>(rays_[0].get(), pixels, alive_.get(),
                                                                bounces);
            int blocks = mostBlocks;
            for (int n = 0; n < bounces && blocks > 0; ++n) {
                int* const alive = alive_.get() + n;
                bounce<<<unsigned(blocks), threads, 0, stream_>>>(
                    rays_[n % 2].get(), alive, rays_[1 - n % 2].get(), alive + 1, picture_.get(),
                    unsigned(pass * bounces + n));
                if (!mended_)
                    blocks = blocksFor(alive + 1);
            }
        }
    }
    double result() override { return sumOf(picture_, pixels); }

private:
    static constexpr int pixels = 1 << 20, bounces = 8;
    static constexpr int mostBlocks = 1056; // as many as fit on 132 multiprocessors
    int blocksFor(const int* alive) {
        toHost(host_.get(), alive, 1, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        return std::min(mostBlocks, (host_[0] + threads - 1) / threads);
    }
    OnDevice<Ray> rays_[2] = {onDevice<Ray>(pixels), onDevice<Ray>(pixels)};
    OnDevice<int> alive_ = onDevice<int>(bounces + 1);
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Pinned<int> host_ = pinned<int>(1);
    Stream stream_;
};

/// Two milliseconds of kernels, then the host asks whether they have ended, again and again, and goes on only
/// then for a millisecond of its own; mended, it asks after every fiftieth step. 25 to 45 %.
class Queried : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        mix(values_.get(), count, 30000, stream_);
        while ((!mended_ || i % 50 == 0) && cudaStreamQuery(stream_) == cudaErrorNotReady) {
        }
        workOnHost(1000);
    }

private:
    static constexpr size_t count = 1 << 20;
    OnDevice<float> values_ = onDevice<float>(count);
    Stream stream_{cudaStreamDefault};
};

/// Nothing to mend: long kernels of bodies, and the energy of two iterations ago is looked at.
class Bodies : public Program {
public:
    void step(int i) override {
        const int slot = i % 2;
        copied_[slot].await();
        total_ += energies_[slot];
        for (int n = 0; n < 2; ++n) {
            attract<<<count / 128, 128, 0, stream_>>>(bodies_.get(), speeds_.get(), count);
            advance<<<blocksOf(count), threads, 0, stream_>>>(bodies_.get(), speeds_.get());
        }
        energy<<<1, threads, 0, stream_>>>(speeds_.get(), count, sum_.get());
        toHost(&energies_[slot], sum_.get(), 1, stream_);
        copied_[slot].record(stream_);
    }

private:
    static constexpr int count = 132 * 512;
    OnDevice<float4> bodies_ = onDevice<float4>(count), speeds_ = onDevice<float4>(count);
    OnDevice<float> sum_ = onDevice<float>(1);
    Pinned<float> energies_ = pinned<float>(2);
    Stream stream_;
    Event copied_[2];
    float total_ = 0;
};

} // namespace

std::vector<Pair> readPairs() {
    return {
        {"rays_counted_by_host", {"readback", "host-sync"}, make<Rays>},
        {"stream_queried_until_done", {"host-sync"}, make<Queried>, {}, {}, false},
        healthy<Bodies>("healthy_bodies"),
    };
}
