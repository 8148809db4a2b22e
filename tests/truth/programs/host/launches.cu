// Launches: too many, and the first of a kernel.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

#include <utility>

namespace {

/// A moment of so many areas of a brain, from `first` on, a row of the grid each: two or three microseconds.
constexpr int areas = 6, neurons = 2048;
__global__ void fire(const float* from, float* to, const float* weights, int first) {
    const int n = thread(), begin = (first + int(blockIdx.y)) * neurons;
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += from[begin + (n * 5 + k * 389) % neurons];
    to[begin + n] = 0.8f * from[begin + n] + 0.04f * sum + 0.01f * weights[begin + n];
}

/// Synapses change with the neurons; 2^21 of them and 6700 rounds take about 0.5 ms.
__global__ void learn(const float* states, float* weights, int rounds) {
    const int i = thread();
    weights[i] =
        settled(0.5f * weights[i] + 0.1f * states[i % (areas * neurons)] + 0.001f * float(i % 21), rounds);
}

template <int N>
__global__ void mixNumber(float* values, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        values[i] = settled(values[i], rounds) + float(N);
}

using Kernel = void (*)(float*, int, int);
constexpr int kernels = 64;

template <int... N>
Kernel numbered(int which, std::integer_sequence<int, N...>) {
    static const Kernel all[] = {mixNumber<N>...};
    return all[which % kernels];
}

/// Each chunk has a kernel that was never used before, which the driver loads then; mended, all were used
/// before the loop. 5 to 30 %.
class FirstLaunch : public Pipeline {
public:
    explicit FirstLaunch(bool mended)
        : Pipeline(shape()) {
        for (int n = mended ? 0 : kernels - 1; n < kernels; ++n) // the last one loads what all lie in
            launch(n, slots_[0], 1, 1);
        CHECK(cudaDeviceSynchronize());
    }

protected:
    static Shape shape() {
        Shape s;
        s.chunks = 2;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        copyIn(slot);
        launch(number, slot, int(shape_.bytes / sizeof(float)), shape_.rounds);
        copyOut(slot);
    }

private:
    static void launch(int which, const Slot& slot, int count, int rounds) {
        const Kernel kernel = numbered(which, std::make_integer_sequence<int, kernels>());
        kernel<<<512, threads, 0, slot.stream>>>(slot.device, count, rounds);
    }
};

/// Six areas of a brain, four rounds a step. For 100 moments the neurons of an area excite each other, then
/// the synapses of all learn. Each area has a stream and a kernel of its own, some microseconds; mended, one
/// kernel has a row of blocks for each area. 25 to 60 %.
class Brain : public Mendable {
public:
    using Mendable::Mendable;
    void step(int) override {
        for (int round = 0; round < 4; ++round) {
            if (mended_)
                for (int moment = 0; moment < moments; ++moment)
                    excite(moment, 0, areas, compute_);
            else
                oneByOne();
            learn<<<blocksOf(synapses), threads, 0, compute_>>>(states_[0].get(), synapses_.get(), 6700);
        }
    }
    double result() override { return sumOf(states_[0], count) + sumOf(synapses_, synapses); }

private:
    static constexpr int moments = 100;
    static constexpr size_t count = size_t(areas) * neurons, synapses = 2 << 20;
    struct Area {
        Event fired;
        Stream stream;
    };
    void excite(int moment, int first, int number, cudaStream_t stream) {
        const dim3 blocks(neurons / threads, unsigned(number));
        fire<<<blocks, threads, 0, stream>>>(states_[moment % 2].get(), states_[1 - moment % 2].get(),
                                             synapses_.get(), first);
    }
    void oneByOne() {
        learned_.record(compute_);
        for (const Area& area : areas_)
            learned_.holdUp(area.stream);
        for (int moment = 0; moment < moments; ++moment)
            for (int n = 0; n < areas; ++n)
                excite(moment, n, 1, areas_[n].stream);
        for (const Area& area : areas_)
            area.fired.order(area.stream, compute_);
    }
    OnDevice<float> states_[2] = {onDevice<float>(count), onDevice<float>(count)},
                    synapses_ = onDevice<float>(synapses);
    Event learned_;
    Area areas_[areas];
    Stream compute_;
};

} // namespace

std::vector<Pair> launchPairs() {
    return {
        {"kernels_first_used_in_loop", {"first-launch"}, make<FirstLaunch>, {"stretched"}, {}, true, true},
        {"areas_launched_one_by_one", {"launch-bound"}, make<Brain>},
    };
}
