// A nineteenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in nineteenth_healthy.cpp.
#include "nineteenth.h"

#include <algorithm>

namespace {

using namespace third;
using nineteenth::values;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Poses of a molecule are tried in a pocket, four batches of 1.2 ms a step. The two arrays of 32 MiB between
/// the kernels are allocated for each batch and freed behind it; mended, they are allocated once. 15 to 50 %.
class Docking : public Program {
public:
    explicit Docking(bool mended)
        : mended_(mended) {
        for (Batch& batch : batches_)
            batch.moves = onDevice<float>(nineteenth::moveValues);
        if (mended_)
            allocate();
    }
    ~Docking() override {
        cudaDeviceSynchronize();
        if (mended_)
            release();
    }
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            const Batch& batch = batches_[number % 2];
            batch.tried.await(); // two batches ago
            for (size_t n = 0; n < nineteenth::moveValues; n += 4)
                batch.planned[n] = 0.01f * float((n + size_t(number) * 11) % 67);
            if (!mended_)
                allocate();
            toDevice(batch.moves.get(), batch.planned.get(), nineteenth::moveValues, stream_);
            nineteenth::turnPoses(batch.moves.get(), kept_.get(), grids_, 10600, stream_);
            nineteenth::scorePoses(grids_, scores_, 10600, stream_);
            nineteenth::keepPoses(scores_, kept_.get(), 10600, stream_);
            batch.tried.record(stream_);
            if (!mended_)
                release();
        }
    }
    double result() override { return sumOf(kept_.get(), values); }

private:
    struct Batch {
        Pinned<float> planned = pinned<float>(nineteenth::moveValues);
        OnDevice<float> moves;
        Event tried;
    };
    void allocate() {
        CHECK(cudaMalloc(&grids_, nineteenth::scratchValues * sizeof(float)));
        CHECK(cudaMalloc(&scores_, nineteenth::scratchValues * sizeof(float)));
    }
    void release() {
        CHECK(cudaFree(grids_));
        CHECK(cudaFree(scores_));
    }
    bool mended_;
    float *grids_ = nullptr, *scores_ = nullptr;
    OnDevice<float> kept_ = onDevice<float>(values);
    Batch batches_[2];
    Stream stream_;
};

/// The field in a motor is found, twelve sweeps of 0.29 ms a step, and the residual of each, 4 bytes, is
/// logged. The host waits for it before it issues the next sweep; mended, it logs that of two sweeps ago.
/// 4 to 9 %.
class Motor : public Program {
public:
    explicit Motor(bool mended)
        : mended_(mended) {}
    ~Motor() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number) {
            logUntil(number - 1); // up to two sweeps ago
            const Sweep& sweep = sweeps_[number % 2];
            nineteenth::relax(fields_[0].get(), fields_[1].get(), 3700, stream_);
            nineteenth::relax(fields_[1].get(), fields_[0].get(), 3700, stream_);
            nineteenth::residual(fields_[0].get(), fields_[1].get(), residual_.get(), stream_);
            toHost(sweep.residual.get(), residual_.get(), 1, stream_);
            sweep.read.record(stream_);
            issued_ = number + 1;
            if (!mended_)
                logUntil(issued_);
        }
    }
    double result() override {
        logUntil(issued_);
        return logged_ + sumOf(fields_[0].get(), values);
    }

private:
    struct Sweep {
        Pinned<float> residual = pinned<float>(1);
        Event read;
    };
    void logUntil(int end) {
        for (; known_ < end; ++known_) {
            sweeps_[known_ % 2].read.await();
            logged_ += double(sweeps_[known_ % 2].residual[0]);
        }
    }
    bool mended_;
    int issued_ = 0, known_ = 0;
    double logged_ = 0;
    OnDevice<float> residual_ = onDevice<float>(1),
                    fields_[2] = {onDevice<float>(values), onDevice<float>(values)};
    Sweep sweeps_[2];
    Stream stream_;
};

/// A film is rendered, six pictures of 0.6 ms a step, each from the one before. A picture, 8 MiB, leaves in
/// the stream that renders, which waits for it 0.17 ms; mended, in a stream of its own. 15 to 25 %.
class Film : public Program {
public:
    explicit Film(bool mended)
        : down_(mended ? cudaStream_t(own_) : cudaStream_t(compute_)) {}
    ~Film() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Picture &picture = pictures_[number % 2], &before = pictures_[(number + 1) % 2];
            picture.left.await(); // two pictures ago
            seen_ += double(picture.seen[size_t(number) * 61 % count]);
            const float angle = 0.01f * float(number % 37);
            nineteenth::light(before.drawn.get(), picture.drawn.get(), angle, 8000, compute_);
            nineteenth::smooth(picture.drawn.get(), 8000, compute_);
            picture.made.record(compute_);
            picture.made.holdUp(down_);
            toHost(picture.seen.get(), picture.drawn.get(), count, down_);
            picture.left.record(down_);
        }
    }
    double result() override { return seen_ + sumOf(pictures_[1].drawn.get(), count); }

private:
    static constexpr size_t count = nineteenth::pictureValues;
    struct Picture {
        Pinned<float> seen = pinned<float>(count);
        OnDevice<float> drawn = onDevice<float>(count);
        Event made, left;
    };
    double seen_ = 0;
    Picture pictures_[2];
    Stream compute_, own_;
    cudaStream_t down_;
};

/// A satellite's strips of the earth are corrected, eight a step: 16 MiB come, 0.4 ms of work, 16 MiB leave,
/// about 0.33 ms each way. Two streams take turns with the strips; mended, four. 15 to 28 %.
class Satellite : public Program {
public:
    explicit Satellite(bool mended)
        : lanes_(mended ? 4 : 2) {
        for (int source = 0; source < 3; ++source)
            for (size_t n = 0; n < count; ++n)
                taken_[source][n] = 0.01f * float((n + size_t(source) * 29) % 107);
    }
    ~Satellite() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * strips; number < (i + 1) * strips; ++number) {
            const Archived& archived = archive_[number % strips];
            archived.left.await(); // eight strips ago
            seen_ += double(archived.strip[size_t(number) * 53 % count]);
            const Lane& lane = lanes_[size_t(number) % lanes_.size()];
            toDevice(lane.strip.get(), taken_[number % 3].get(), count, lane.stream);
            nineteenth::correct(lane.strip.get(), lane.corrected.get(), 10600, lane.stream);
            toHost(archived.strip.get(), lane.corrected.get(), count, lane.stream);
            archived.left.record(lane.stream);
        }
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = seen_;
        for (const Archived& archived : archive_)
            for (size_t n = 0; n < count; n += 97)
                sum += double(archived.strip[n]);
        return sum;
    }

private:
    static constexpr int strips = 8;
    static constexpr size_t count = nineteenth::stripValues;
    struct Lane {
        OnDevice<float> strip = onDevice<float>(count), corrected = onDevice<float>(count);
        Stream stream;
    };
    struct Archived {
        Archived() { std::fill(strip.get(), strip.get() + count, 0.0f); }
        Pinned<float> strip = pinned<float>(count);
        Event left;
    };
    double seen_ = 0;
    Pinned<float> taken_[3] = {pinned<float>(count), pinned<float>(count), pinned<float>(count)};
    std::vector<Lane> lanes_;
    Archived archive_[strips];
};

/// Nerves are simulated, eight kernels of 0.3 ms a step. The stimuli of the next step, 8 MiB, overwrite those
/// that only the first kernel reads. They wait for an event behind the last kernel; mended, for one behind
/// the first. 4 to 9 %.
class Nerves : public Program {
public:
    explicit Nerves(bool mended)
        : lastReader_(mended ? 0 : kernels - 1) {
        for (int source = 0; source < 3; ++source)
            for (size_t n = 0; n < count; ++n)
                played_[source][n] = 0.01f * float((n + size_t(source) * 31) % 101);
        stimulate(0);
    }
    ~Nerves() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        loaded_.holdUp(compute_);
        for (int n = 0; n < kernels; ++n) {
            const float* const from = nerves_[n % 2].get();
            float* const to = nerves_[(n + 1) % 2].get();
            if (n == 0)
                nineteenth::feel(stimuli_.get(), from, to, 8000, compute_);
            else
                nineteenth::pass(from, to, 8000, compute_);
            if (n == lastReader_)
                felt_.record(compute_);
        }
        ended_[i % 2].record(compute_);
        felt_.holdUp(up_);
        stimulate(i + 1);
    }
    double result() override { return sumOf(nerves_[0].get(), values); }

private:
    static constexpr int kernels = 8;
    static constexpr size_t count = nineteenth::stimuliValues;
    void stimulate(int number) {
        toDevice(stimuli_.get(), played_[number % 3].get(), count, up_);
        loaded_.record(up_);
    }
    int lastReader_;
    Pinned<float> played_[3] = {pinned<float>(count), pinned<float>(count), pinned<float>(count)};
    OnDevice<float> stimuli_ = onDevice<float>(count),
                    nerves_[2] = {onDevice<float>(values), onDevice<float>(values)};
    Event loaded_, felt_, ended_[2];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> nineteenthPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"scratch_of_poses_each_batch", {"allocation"}, {"allocation"}, make<Docking>, false, shared},
        {"residual_of_motor_each_sweep", {"readback"}, {"readback"}, make<Motor>, false, shared},
        {"film_leaves_in_stream_of_light", {"same-stream"}, {"same-stream"}, make<Film>, false, shared},
        {"strips_of_earth_by_two_streams",
         {"too-few-streams"},
         {"too-few-streams"},
         make<Satellite>,
         false,
         shared},
        {"stimuli_wait_for_whole_moment", {"event-order"}, {"event-order"}, make<Nerves>, false, shared},
    };
}
