// A host that waits while data streams in, or between moments of a simulation.
#include "kernel_parts.cuh"
#include "parts.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

constexpr size_t packetValues = 1 << 21;

/// 2^20 values and 13500 rounds take about 0.5 ms.
__global__ void decide(const float* packet, float* state, int rounds) {
    const int i = thread();
    state[i] = settled(0.5f * state[i] + 0.2f * packet[i] + 0.1f * packet[i + int(packetValues / 2)], rounds);
}

/// 2^20 samples and 10500 rounds take about 0.39 ms.
__global__ void echo(float* samples, int rounds) {
    const int i = thread();
    samples[i] = settled(0.4f * samples[i] + 0.001f * float(i % 29), rounds);
}

/// The largest of all speeds.
__global__ void fastest(const float* speeds, int count, float* most) {
    float own = 0;
    for (int i = thread(); i < count; i += threadsOfGrid())
        own = fmaxf(own, fabsf(speeds[i]));
    for (int lane = 16; lane; lane /= 2)
        own = fmaxf(own, __shfl_xor_sync(~0u, own, lane));
    if (threadIdx.x % 32 == 0)
        atomicMax(reinterpret_cast<int*>(most), __float_as_int(own)); // as ints in the same order
}

/// So far particles may go at once; `most` is nullptr where the host knows it.
__host__ __device__ float momentOf(float most) {
    return 0.1f / (1 + most);
}
__global__ void move(float* places, float* speeds, const float* most, float moment, int rounds) {
    const int i = thread();
    const float dt = most ? momentOf(*most) : moment;
    speeds[i] = settled(0.9f * speeds[i] + dt * 0.01f * float(i % 23), rounds);
    places[i] = 0.99f * places[i] + dt * speeds[i];
}

/// A place for a packet that one thread fills and another one empties.
class Place {
public:
    /// False when it was closed.
    bool await(bool full) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return full_ == full || closed_; });
        return !closed_;
    }
    void set(bool full) {
        const std::lock_guard<std::mutex> lock(mutex_);
        full_ = full;
        changed_.notify_all();
    }
    void close() {
        const std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    float* values() const { return values_.get(); }

private:
    Pinned<float> values_ = pinned<float>(packetValues);
    bool full_ = false, closed_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
};

/// Six packets of 8 MiB a step. A thread decodes each one, 0.4 ms, into the one place there is and hands it
/// over; it comes to the device, 0.16 ms, is worked on, 0.5 ms, and the answer is needed before the next one.
/// The place is given back when the answer came; mended, when the packet was copied. 20 to 40 %.
class Packets : public Mendable {
public:
    explicit Packets(bool mended)
        : Mendable(mended)
        , decoder_([this] { decode(); }) {}
    ~Packets() override { close(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            answer(number);
    }
    void finish() override { close(); }
    double result() override { return sumOf(state_, values); }

private:
    static constexpr size_t values = 1 << 20, answers = 1 << 15;
    void decode() {
        for (int number = 0; place_.await(false); ++number) {
            workOnHost(400);
            std::fill(place_.values(), place_.values() + 4096, 0.1f * float(number % 9));
            place_.set(true);
        }
    }
    void answer(int number) {
        place_.await(true);
        toDevice(packet_.get(), place_.values(), packetValues, stream_);
        copied_.record(stream_);
        decide<<<blocksOf(values), threads, 0, stream_>>>(packet_.get(), state_.get(), 13500);
        toHost(answer_.get(), state_.get(), answers, stream_);
        answered_.record(stream_);
        if (mended_) {
            copied_.await();
            place_.set(false);
        }
        answered_.await();
        sum_ += double(answer_[size_t(number) % answers]);
        if (!mended_)
            place_.set(false);
    }
    void close() {
        place_.close();
        if (decoder_.joinable())
            decoder_.join();
    }
    double sum_ = 0;
    Place place_;
    OnDevice<float> packet_ = onDevice<float>(packetValues), state_ = onDevice<float>(values);
    Pinned<float> answer_ = pinned<float>(answers);
    Event copied_, answered_;
    Stream stream_;
    std::thread decoder_; // the last to begin, as it uses the others
};

/// Eight blocks of sound a step are mixed by the host, 0.3 ms, into a ring of three; each comes, gets its
/// echo, 0.39 ms, and leaves, in the stream of its place. Before a place is filled again, the host waits: for
/// the block that was issued last; mended, for the one that had this place. 40 to 60 %.
class Ring : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Block &block = blocks_[number % 3], &newest = blocks_[(number + 2) % 3];
            (mended_ ? block : newest).played.await();
            std::fill(block.in.get(), block.in.get() + 4096, 0.1f * float(number % 7));
            workOnHost(300);
            toDevice(block.sound.get(), block.in.get(), samples, block.stream);
            echo<<<blocksOf(samples), threads, 0, block.stream>>>(block.sound.get(), 10500);
            toHost(block.out.get(), block.sound.get(), samples, block.stream);
            block.played.record(block.stream);
        }
    }
    double result() override {
        double sum = 0;
        for (const Block& block : blocks_)
            sum += sumOf(block.sound, samples);
        return sum;
    }

private:
    static constexpr size_t samples = 1 << 20;
    struct Block {
        Pinned<float> in = pinned<float>(samples), out = pinned<float>(samples);
        OnDevice<float> sound = onDevice<float>(samples);
        Event played;
        Stream stream;
    };
    Block blocks_[3];
};

/// Particles move 60 times a step, 0.05 ms each. How far depends on the fastest one, which a kernel finds:
/// the host reads it and gives the moment to the next kernel; mended, that kernel reads it. 15 to 40 %.
class Particles : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int n = 0; n < 60; ++n) {
            CHECK(cudaMemsetAsync(most_.get(), 0, sizeof(float), stream_));
            fastest<<<256, threads, 0, stream_>>>(speeds_.get(), int(count), most_.get());
            move<<<blocksOf(count), threads, 0, stream_>>>(places_.get(), speeds_.get(),
                                                           mended_ ? most_.get() : nullptr,
                                                           mended_ ? 0 : momentOf(readMost()), 1200);
        }
        ended_[i % 2].record(stream_);
    }
    double result() override { return sumOf(places_, count) + sumOf(speeds_, count); }

private:
    static constexpr size_t count = 1 << 20;
    float readMost() {
        toHost(known_.get(), most_.get(), 1, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        return known_[0];
    }
    OnDevice<float> places_ = onDevice<float>(count), speeds_ = onDevice<float>(count),
                    most_ = onDevice<float>(1);
    Pinned<float> known_ = pinned<float>(1);
    Event ended_[2];
    Stream stream_;
};

} // namespace

std::vector<Pair> hostStreamingPairs() {
    const Texts late = {"host-late", "host-sync"}, shared = {"stretched"};
    return {
        {"packets_given_back_late",
         late,
         make<Packets>,
         {"host-sync", "same-stream"}, // an answer is needed before the next packet
         {"host-late"}},
        {"audio_ring_waits_for_newest_block", late, make<Ring>, shared, {"host-sync"}},
        {"speed_limit_read_each_moment", {"readback", "host-sync"}, make<Particles>},
    };
}
