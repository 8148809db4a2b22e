// A twelfth set of mistakes, continued in cuda_twelfth_more.cpp. Written without reading the analysis: of it
// only the list of causes in the manual was known. Costs in the comments are estimates for an H100 or H200,
// not measured. What is healthy comes in cuda_twelfth_healthy.cpp.
#include "twelfth.h"

#include <cstdlib>
#include <utility>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::Ratio;
using twelfth::sumOf;

/// Conjugate gradients, 40 rounds a step. How far to go and where follows from products of vectors, which the
/// host reads and divides; mended, the kernels divide them. 7 to 16 %.
class Gradients : public Program {
public:
    explicit Gradients(bool mended)
        : mended_(mended) {}
    void step(int) override {
        twelfth::beginSolve(x_.get(), rest_.get(), way_.get(), side, stream_);
        int now = 0, next = 1;
        product(rest_, rest_, now);
        for (int n = 0; n < 40; ++n) {
            twelfth::multiply(way_.get(), product_.get(), side, stream_);
            product(way_, product_, bend);
            const Ratio far = ratio(now, bend);
            twelfth::addScaled(x_.get(), way_.get(), far, 1, count, stream_);
            twelfth::addScaled(rest_.get(), product_.get(), far, -1, count, stream_);
            product(rest_, rest_, next);
            twelfth::turn(way_.get(), rest_.get(), ratio(next, now), count, stream_);
            std::swap(now, next);
        }
    }
    double result() override { return sumOf(x_.get(), count); }

private:
    static constexpr int side = 4096, bend = 2;
    static constexpr size_t count = size_t(side) * side;
    void product(const OnDevice<float>& a, const OnDevice<float>& b, int place) {
        twelfth::dot(a.get(), b.get(), count, parts_.get(), numbers_.get() + place, stream_);
    }
    Ratio ratio(int top, int bottom) {
        if (mended_)
            return {0, numbers_.get() + top, numbers_.get() + bottom};
        toHost(host_.get(), numbers_.get(), 3, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        return {host_[top] / host_[bottom]};
    }
    bool mended_;
    OnDevice<float> x_ = onDevice<float>(count), rest_ = onDevice<float>(count),
                    way_ = onDevice<float>(count), product_ = onDevice<float>(count),
                    parts_ = onDevice<float>(twelfth::dotParts), numbers_ = onDevice<float>(3);
    Pinned<float> host_ = pinned<float>(3);
    Stream stream_;
};

/// Four sensors, a blocking stream each, 20 rounds a step: their samples are counted in bins, which are
/// cleared before. By cudaMemset(), which knows no stream; mended, by cudaMemsetAsync() in the stream of the
/// sensor. 50 to 72 %.
class Sensors : public Program {
public:
    explicit Sensors(bool mended)
        : mended_(mended) {}
    ~Sensors() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int round = i * 20; round < (i + 1) * 20; ++round)
            for (const Sensor& sensor : sensors_) {
                const size_t bytes = twelfth::threads * sizeof(unsigned);
                if (mended_)
                    CHECK(cudaMemsetAsync(sensor.bins.get(), 0, bytes, sensor.stream));
                else
                    CHECK(cudaMemset(sensor.bins.get(), 0, bytes));
                twelfth::countBins(sensor.bins.get(), 6000, unsigned(round), sensor.stream);
                twelfth::equalize(sensor.bins.get(), sensor.table.get(), sensor.stream);
            }
    }
    double result() override {
        double sum = 0;
        for (const Sensor& sensor : sensors_)
            sum += sumOf(sensor.table.get(), twelfth::threads);
        return sum;
    }

private:
    struct Sensor {
        OnDevice<unsigned> bins = onDevice<unsigned>(twelfth::threads);
        OnDevice<float> table = onDevice<float>(twelfth::threads);
        Stream stream{cudaStreamDefault};
    };
    bool mended_;
    Sensor sensors_[4];
};

/// Eight fields of heat a step, 1 MiB each and two slots; the host looks at the one before. A field is
/// managed memory, which the host and the kernels take from each other page by page; mended, it is memory of
/// the device and a copy of it in pinned memory, made by a side stream. 25 to 70 %.
class Heat : public Program {
public:
    explicit Heat(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_)
            build(slot);
        twelfth::decode(source_.get(), source_.get(), count, 10, compute_);
    }
    ~Heat() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            slot.known.holdUp(compute_);
            twelfth::decode(source_.get() + number % 64, slot.field.get(), count, 80000, compute_);
            slot.made.record(compute_);
            if (mended_) {
                slot.made.holdUp(side_);
                toHost(slot.host.get(), slot.field.get(), count, side_);
                slot.known.record(side_);
            }
            (mended_ ? before.known : before.made).await();
            look(mended_ ? before.host.get() : before.field.get());
        }
    }
    double result() override { return seen_; }

private:
    static constexpr size_t count = 1 << 18;
    struct Slot {
        OnDevice<float> field;
        Pinned<float> host;
        Event made, known;
    };
    void build(Slot& slot) {
        if (mended_) {
            slot.field = onDevice<float>(count);
            slot.host = pinned<float>(count);
            return;
        }
        void* memory = nullptr;
        CHECK(cudaMallocManaged(&memory, count * sizeof(float)));
        slot.field.reset(static_cast<float*>(memory));
        std::fill(slot.field.get(), slot.field.get() + count, 0.0f);
    }
    void look(const float* field) {
        seen_ = 0;
        for (size_t n = 0; n < count; n += 16)
            seen_ += double(field[n]);
    }
    bool mended_;
    double seen_ = 0;
    OnDevice<float> source_ = onDevice<float>(count + 64);
    Slot slots_[2];
    Stream compute_, side_;
};

/// Five packets a step lie in memory that came from elsewhere, 16 MiB each. Every one is pinned before its
/// copy and let go after it; mended, all were pinned once. 35 to 85 %.
class Packets : public Program {
public:
    explicit Packets(bool mended)
        : mended_(mended) {
        for (float*& packet : packets_) {
            packet = static_cast<float*>(std::aligned_alloc(4096, bytes));
            std::fill(packet, packet + count, 0.25f * float(&packet - packets_));
            if (mended_)
                pin(packet);
        }
    }
    ~Packets() override {
        cudaDeviceSynchronize();
        for (float* packet : packets_) {
            if (packet && (mended_ || packet == pinned_))
                cudaHostUnregister(packet);
            std::free(packet);
        }
    }
    void step(int i) override {
        for (int number = i * 5; number < (i + 1) * 5; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            float* const packet = packets_[number % 4];
            if (!mended_)
                pin(packet);
            slot.used.holdUp(up_);
            toDevice(slot.packet.get(), packet, count, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            twelfth::decode(slot.packet.get(), samples_.get(), count, 4200, compute_);
            slot.used.record(compute_);
            before.loaded.await();
            if (!mended_ && pinned_)
                CHECK(cudaHostUnregister(pinned_));
            pinned_ = packet;
        }
    }
    double result() override { return sumOf(samples_.get(), count); }

private:
    static constexpr size_t count = 4 << 20, bytes = count * sizeof(float);
    struct Slot {
        OnDevice<float> packet = onDevice<float>(count);
        Event loaded, used;
    };
    static void pin(float* packet) { CHECK(cudaHostRegister(packet, bytes, cudaHostRegisterDefault)); }
    bool mended_;
    float *packets_[4] = {}, *pinned_ = nullptr;
    OnDevice<float> samples_ = onDevice<float>(count);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Ten pictures a step of what six antennas hear: the spectrum of each one, moved in time, and back, by 16
/// blocks each, in the one stream there is or in six; then a picture of all of them. 35 to 60 %.
class Antennas : public Program {
public:
    explicit Antennas(bool mended)
        : mended_(mended) {}
    ~Antennas() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            ready_.record(compute_);
            for (int n = 0; n < antennas; ++n) {
                const Antenna& antenna = antennas_[n];
                if (mended_)
                    ready_.holdUp(antenna.stream);
                hear(antenna, n, mended_ ? cudaStream_t(antenna.stream) : cudaStream_t(compute_));
                if (mended_)
                    antenna.heard.record(antenna.stream);
            }
            for (int n = 0; mended_ && n < antennas; ++n)
                antennas_[n].heard.holdUp(compute_);
            twelfth::bond(samples_.get(), 2 * antennas, picture_.get(), pixels, 4500, compute_);
        }
    }
    double result() override { return sumOf(picture_.get(), pixels); }

private:
    static constexpr int antennas = 6;
    static constexpr size_t pixels = 2 << 20, length = 4096;
    struct Antenna {
        OnDevice<float2> waves = onDevice<float2>(length);
        Event heard;
        Stream stream;
    };
    void hear(const Antenna& antenna, int n, cudaStream_t stream) {
        twelfth::spectrum(samples_.get() + n * length, 6000, antenna.waves.get(), stream);
        twelfth::delay(antenna.waves.get(), 0.001f * float(n), stream);
        twelfth::restore(antenna.waves.get(), samples_.get() + n * length, stream);
    }
    bool mended_;
    OnDevice<float> samples_ = onDevice<float>(antennas * length), picture_ = onDevice<float>(pixels);
    Event ready_;
    Antenna antennas_[antennas];
    Stream compute_;
};

/// Four strips of a plane, a stream each, 60 moments a step. The edges of a strip follow from those of the
/// strips beside it. Every second strip has three times as much to do, in turns. What the others wait for is
/// recorded when all of the strip is done; mended, when its edges are. 15 to 35 %.
class Strips : public Program {
public:
    explicit Strips(bool mended)
        : mended_(mended) {}
    ~Strips() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int moment = i * 60; moment < (i + 1) * 60; ++moment)
            for (int n = 0; n < strips; ++n)
                advance(n, moment);
    }
    double result() override {
        double sum = 0;
        for (const Strip& strip : strips_)
            sum += sumOf(strip.values.get(), twelfth::stripValues);
        return sum;
    }

private:
    static constexpr int strips = 4;
    struct Strip {
        OnDevice<float> values = onDevice<float>(twelfth::stripValues);
        OnDevice<float> edges[2] = {onDevice<float>(twelfth::threads), onDevice<float>(twelfth::threads)};
        Event known[2];
        Stream stream;
    };
    void advance(int n, int moment) {
        const Strip &own = strips_[n], &above = strips_[(n + strips - 1) % strips],
                    &below = strips_[(n + 1) % strips];
        const int now = moment % 2, last = 1 - now;
        above.known[last].holdUp(own.stream); // they have read these edges of two moments ago, too
        below.known[last].holdUp(own.stream);
        twelfth::border(own.values.get(), above.edges[last].get(), below.edges[last].get(),
                        own.edges[now].get(), own.stream);
        if (mended_)
            own.known[now].record(own.stream);
        twelfth::interior(own.values.get(), (n + moment) % 2 ? 60000 : 20000, own.stream);
        if (!mended_)
            own.known[now].record(own.stream);
    }
    bool mended_;
    Strip strips_[strips];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> twelfthPairs() {
    const std::vector<std::string> shared = {"stretched"}, reads = {"readback", "host-sync"};
    const std::vector<std::string> alone = {"same-stream", "too-few-streams"};
    const std::vector<std::string> memory = {"allocation", "device-barrier"};
    return {
        {"products_divided_by_host", reads, reads, make<Gradients>},
        {"bins_cleared_without_stream", {"null-stream"}, {"null-stream"}, make<Sensors>, false, shared},
        {"field_shared_with_host", {"unified-memory"}, {"unified-memory"}, make<Heat>, false, shared},
        {"packets_pinned_each_time", memory, memory, make<Packets>, false, shared},
        {"antennas_in_one_stream", alone, alone, make<Antennas>, false, shared},
        {"strips_wait_for_all_of_others", {"event-order"}, {"event-order"}, make<Strips>, false, shared},
    };
}
