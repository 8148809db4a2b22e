// Work that is a graph, ought to be one, or is made into one too often.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

/// How far a sweep goes: a number that the host knows, or one of the device.
struct Reach {
    float value = 1;
    const float* known = nullptr;
};

/// Half of the points of a square, those of one colour, come near the mean of their neighbours. 4096 x 4096
/// points take about 45 us.
__global__ void relaxColour(float* field, int side, int colour, Reach reach) {
    const int y = int(blockIdx.y) + 1, x = 2 * thread() + 1 + (y + colour) % 2;
    if (x >= side - 1)
        return;
    const float far = reach.known ? *reach.known : reach.value;
    float* const own = field + size_t(y) * side + x;
    *own += far * (0.25f * (own[-1] + own[1] + own[-side] + own[side]) - *own);
}

/// The sum of what is left to do in the first row; the number must be 0 before.
__global__ void leftover(const float* field, int side, float* sum) {
    const int x = thread();
    atomicAdd(sum, fabsf(field[side + x] - field[x]));
}

constexpr size_t seen = 48 * threads, joints = 8 * threads;

/// A picture of a camera: 100000 rounds take about 0.24 ms.
__global__ void look(float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.001f * float(i % 29), rounds);
}

/// A small step of the joints of a robot: 4000 rounds take about 0.01 ms.
__global__ void steer(const float* from, float* to, int rounds) {
    const int i = thread();
    const float next = from[i + 1 < int(joints) ? i + 1 : 0];
    to[i] = settled(0.5f * from[i] + 0.2f * next + 0.001f * float(i % 13), rounds);
}

/// 2000 kernels of a microsecond or two: launched one by one; mended, as a graph. 20 to 60 %.
class TinyKernels : public Mendable {
public:
    explicit TinyKernels(bool mended)
        : Mendable(mended) {
        if (mended)
            graph_.build(stream_, [this] { launch(); });
    }
    void step(int) override {
        if (mended_)
            graph_.launch(stream_);
        else
            launch();
    }

private:
    void launch() {
        for (int n = 0; n < 2000; ++n)
            touch(values_.get(), stream_);
    }
    OnDevice<float> values_ = onDevice<float>(1 << 18);
    Stream stream_;
    Graph graph_;
};

/// A graph of four steps of a field, each of which a host node looks at for 150 us: before the next step;
/// mended, beside it. 8 to 18 %.
class LookedAt : public Mendable {
public:
    explicit LookedAt(bool mended)
        : Mendable(mended) {
        graph_.build(stream_, [this] {
            for (int n = 0; n < 4; ++n)
                advance(fields_[n % 2].get(), fields_[1 - n % 2].get());
        });
    }
    void step(int) override { graph_.launch(stream_); }

private:
    static constexpr size_t count = 4 << 20, shown = 16384;
    void advance(const float* from, float* to) {
        if (mended_) {
            forked_.order(stream_, side_);
            look(from, side_);
            joined_.record(side_);
        }
        advanceField(from, to, count, settings_.get(), 8000, stream_);
        if (mended_)
            joined_.holdUp(stream_);
        else
            look(to, stream_);
    }
    void look(const float* field, cudaStream_t stream) {
        toHost(host_.get(), field, shown, stream);
        CHECK(cudaLaunchHostFunc(stream, add, this));
    }
    static void CUDART_CB add(void* self) {
        LookedAt& program = *static_cast<LookedAt*>(self);
        for (size_t n = 0; n < shown; ++n)
            program.sum_ += program.host_[n];
        workOnHost(150);
    }
    float sum_ = 0;
    OnDevice<float> fields_[2] = {onDevice<float>(count), onDevice<float>(count)},
                    settings_ = onDevice<float>(4096);
    Pinned<float> host_ = pinned<float>(shown);
    Event forked_, joined_;
    Stream stream_, side_;
    Graph graph_;
};

/// 160 half sweeps over a square are a graph. The host reads how much is left to do, and says how far each
/// sweep of the next step may go: a number in the nodes of the graph, which is made again for it; mended, a
/// number of the device that the graph fetches first. 6 to 20 %.
class Swept : public Mendable {
public:
    explicit Swept(bool mended)
        : Mendable(mended) {
        reach_[0] = 1.2f;
        if (mended)
            build({0, known_.get()});
    }
    void step(int) override {
        if (!mended_)
            build({reach_[0]});
        graph_.launch(stream_);
        CHECK(cudaStreamSynchronize(stream_));
        if (!mended_)
            graph_.destroy();
        reach_[0] = left_[0] > 100 ? 1.4f : 1.2f;
    }

private:
    static constexpr int side = 4096;
    void build(const Reach& reach) {
        graph_.build(stream_, [&] { issue(reach); });
    }
    void issue(const Reach& reach) {
        if (reach.known)
            toDevice(known_.get(), reach_.get(), 1, stream_);
        for (int n = 0; n < 160; ++n)
            relaxColour<<<dim3(side / 2 / threads, side - 2), threads, 0, stream_>>>(field_.get(), side,
                                                                                     n % 2, reach);
        CHECK(cudaMemsetAsync(sum_.get(), 0, sizeof(float), stream_));
        leftover<<<side / threads, threads, 0, stream_>>>(field_.get(), side, sum_.get());
        toHost(left_.get(), sum_.get(), 1, stream_);
    }
    OnDevice<float> field_ = onDevice<float>(size_t(side) * side), known_ = onDevice<float>(1),
                    sum_ = onDevice<float>(1);
    Pinned<float> reach_ = pinned<float>(1), left_ = pinned<float>(1);
    Stream stream_;
    Graph graph_;
};

/// A robot with two cameras, eight pictures of each a step, and an arm. Each camera has a blocking stream;
/// pictures take longer or shorter in turns. Beside each of them the arm is steered by a graph of ten small
/// kernels, which is launched in stream 0; mended, in the stream that was made for it. The host sees where
/// the arm was two steps ago. 20 to 40 %.
class Arm : public Program {
public:
    explicit Arm(bool mended)
        : servo_(mended ? cudaStream_t(own_) : nullptr) {
        graph_.build(own_, [this] {
            for (int n = 0; n < 10; ++n)
                steer<<<blocksOf(joints), threads, 0, own_>>>(arm_[n % 2].get(), arm_[1 - n % 2].get(), 4000);
        });
    }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        for (const Event& event : slot.done)
            event.await(); // two steps ago
        reached_ += double(slot.joints[size_t(i) % joints]);
        for (int n = 0; n < 8; ++n) {
            for (int k = 0; k < 2; ++k)
                look<<<blocksOf(seen), threads, 0, cameras_[k]>>>(pictures_[k].get(),
                                                                  (n + k) % 2 == 0 ? 110000 : 140000);
            graph_.launch(servo_);
        }
        toHost(slot.joints.get(), arm_[0].get(), joints, servo_);
        for (int k = 0; k < 2; ++k)
            slot.done[k].record(cameras_[k]);
        slot.done[2].record(servo_);
    }
    double result() override {
        return sumOf(arm_[0], joints) + sumOf(pictures_[0], seen) + sumOf(pictures_[1], seen);
    }

private:
    struct Slot {
        Pinned<float> joints = pinned<float>(8 * threads);
        Event done[3];
    };
    double reached_ = 0;
    OnDevice<float> arm_[2] = {onDevice<float>(joints), onDevice<float>(joints)},
                    pictures_[2] = {onDevice<float>(seen), onDevice<float>(seen)};
    Slot slots_[2];
    Stream cameras_[2] = {Stream(cudaStreamDefault), Stream(cudaStreamDefault)}, own_{cudaStreamDefault};
    cudaStream_t servo_;
    Graph graph_;
};

/// Nothing to mend: two graphs in turn. Each makes a result, and takes the one of the other to the host
/// beside it.
class Graphs : public Program {
public:
    Graphs() {
        for (int n = 0; n < 2; ++n)
            graphs_[n].build(stream_, [this, n] { issue(n); });
    }
    void step(int) override {
        for (int n = 0; n < 4; ++n)
            graphs_[n % 2].launch(stream_);
    }

private:
    static constexpr size_t values = 4 << 20;
    void issue(int n) {
        begun_.order(stream_, beside_);
        toHost(host_.get(), results_[1 - n].get(), values, beside_);
        taken_.record(beside_);
        mix(results_[n].get(), values, 8000, stream_);
        taken_.holdUp(stream_);
    }
    Pinned<float> host_ = pinned<float>(values);
    OnDevice<float> results_[2] = {onDevice<float>(values), onDevice<float>(values)};
    Event begun_, taken_;
    Stream stream_, beside_;
    Graph graphs_[2];
};

} // namespace

std::vector<Pair> graphPairs() {
    const Texts shared = {"stretched"}, late = {"graph-rebuilt", "host-late", "launch-bound", "host-sync"};
    return {
        {"tiny_kernels_one_by_one", {"launch-bound"}, make<TinyKernels>},
        {"host_nodes_between_steps", {"callback"}, make<LookedAt>, shared},
        {"reach_in_nodes_of_graph", late, make<Swept>, {"host-sync", "readback"}},
        {"arm_graph_in_stream_0", {"null-stream"}, make<Arm>, shared},
        healthy<Graphs>("healthy_graphs", shared),
    };
}
