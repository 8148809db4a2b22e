// A graph that is made again for each frame.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

constexpr size_t people = 1 << 18;

/// Where people want to go; `wind` is nullptr where it is given. 350 rounds take about 4 us.
__global__ void steer(const float* places, float* ways, const float* wind, float given, int rounds) {
    const int i = thread();
    ways[i] = settled(0.6f * ways[i] + 0.1f * places[i] + 0.01f * (wind ? *wind : given), rounds);
}

__global__ void walk(float* places, const float* ways, int rounds) {
    const int i = thread();
    places[i] = settled(0.8f * places[i] + 0.1f * ways[i] + 0.1f * ways[i ^ 1], rounds);
}

/// A crowd walks in 80 small moves a frame, two frames a step, and where the first ones are is looked at
/// before the next frame. A frame is a graph. As the wind is a value that its kernels are given, it is
/// captured and instantiated for each frame; mended, they read the wind, which is copied before. 15 to 45 %.
class Crowd : public Mendable {
public:
    explicit Crowd(bool mended)
        : Mendable(mended) {
        if (mended)
            graph_.build(stream_, [this] { frame(wind_.get(), 0); });
    }
    void step(int i) override {
        for (int number = 2 * i; number < 2 * i + 2; ++number) {
            const float wind = 0.1f * float(number % 13);
            if (mended_) {
                given_[0] = wind;
                toDevice(wind_.get(), given_.get(), 1, stream_);
            } else {
                graph_.destroy();
                graph_.build(stream_, [&] { frame(nullptr, wind); });
            }
            graph_.launch(stream_);
            CHECK(cudaStreamSynchronize(stream_));
            seen_ += double(first_[size_t(number) % looked]);
        }
    }
    double result() override { return sumOf(places_, people); }

private:
    static constexpr size_t looked = 1 << 15;
    void frame(const float* wind, float given) {
        for (int n = 0; n < 80; ++n) {
            steer<<<blocksOf(people), threads, 0, stream_>>>(places_.get(), ways_.get(), wind, given, 350);
            walk<<<blocksOf(people), threads, 0, stream_>>>(places_.get(), ways_.get(), 350);
        }
        toHost(first_.get(), places_.get(), looked, stream_);
    }
    double seen_ = 0;
    OnDevice<float> places_ = onDevice<float>(people), ways_ = onDevice<float>(people),
                    wind_ = onDevice<float>(1);
    Pinned<float> first_ = pinned<float>(looked), given_ = pinned<float>(1);
    Graph graph_;
    Stream stream_;
};

} // namespace

std::vector<Pair> crowdPairs() {
    return {
        {"crowd_captured_each_frame",
         {"graph-rebuilt"},
         make<Crowd>,
         {"host-sync", "readback"}}, // a frame is looked at before the next one
    };
}
