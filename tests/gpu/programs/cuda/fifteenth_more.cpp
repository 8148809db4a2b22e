// The fifteenth set of mistakes, continued from fifteenth.cpp. Written without reading the analysis.
#include "fifteenth_more.h"

namespace {

using namespace third;
using fifteenth_more::Steering;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// What a library gives for a sonar: a stream of its own, and calls that are complete when they return, or
/// not.
class Beamformer {
public:
    explicit Beamformer(bool waits)
        : waits_(waits) {}
    void form(Steering steering) {
        fifteenth_more::form(echoes_.get(), image_.get(), count, steering, 6700, stream_);
        if (waits_)
            CHECK(cudaStreamSynchronize(stream_));
    }
    cudaStream_t stream() const { return stream_; }
    double sum() { return sumOf(image_.get(), count); }

private:
    static constexpr size_t count = 1 << 20;
    bool waits_;
    OnDevice<float> echoes_ = onDevice<float>(count), image_ = onDevice<float>(count);
    Stream stream_;
};

/// A diving robot looks into ten directions a step, 0.25 ms each, and its host plans each of them for 60 us.
/// The handle waits for its stream at the end of each call, which nobody needs; mended, it does not, and the
/// host is at most two steps ahead. About 20 %.
class Diver : public Program {
public:
    explicit Diver(bool mended)
        : sonar_(!mended) {}
    ~Diver() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Event& looked = looked_[i % 2];
        looked.await(); // two steps before
        for (int n = 0; n < 10; ++n) {
            workOnHost(60);
            sonar_.form({0.1f * float((i + n) % 7), 1 + 0.1f * float(n)});
        }
        looked.record(sonar_.stream());
    }
    double result() override { return sonar_.sum(); }

private:
    Beamformer sonar_;
    Event looked_[2];
};

/// Two stars are fitted beside each other, eight rounds a step, by half of the device each. In turn a round
/// of one is somewhat longer than that of the other. Each model is kept after its round: by a copy without a
/// stream, for which both wait; mended, in the stream of the star. 4 to 10 %.
class Stars : public Program {
public:
    explicit Stars(bool mended)
        : mended_(mended) {}
    ~Stars() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int round = 0; round < 8; ++round) {
            for (int n = 0; n < 2; ++n)
                fifteenth_more::refine(stars_[n].model.get(), (round + n) % 2 ? 126000 : 116000,
                                       stars_[n].stream);
            for (const Star& star : stars_)
                keep(star);
        }
    }
    double result() override {
        double sum = 0;
        for (const Star& star : stars_)
            sum += sumOf(star.kept.get(), count);
        return sum;
    }

private:
    static constexpr size_t count = fifteenth_more::modelValues, bytes = count * sizeof(float);
    struct Star {
        OnDevice<float> model = onDevice<float>(count), kept = onDevice<float>(count);
        Stream stream{cudaStreamDefault};
    };
    void keep(const Star& star) const {
        if (mended_)
            CHECK(cudaMemcpyAsync(star.kept.get(), star.model.get(), bytes, cudaMemcpyDeviceToDevice,
                                  star.stream));
        else
            CHECK(cudaMemcpy(star.kept.get(), star.model.get(), bytes, cudaMemcpyDeviceToDevice));
    }
    bool mended_;
    Star stars_[2];
};

/// A telescope sees eight pictures a step, 0.2 ms each, through three layers of air of 1 MiB each, which come
/// to one of two slots while the picture before is made. The layers are in vectors: their copies take longer
/// than a picture; mended, in pinned memory. 20 to 60 %.
class Telescope : public Program {
public:
    explicit Telescope(bool mended)
        : mended_(mended) {
        for (int n = 0; n < layers; ++n) {
            air_[n].resize(winds * cells);
            for (size_t at = 0; at < winds * cells; ++at)
                air_[n][at] = 0.01f * float((at + size_t(n)) % 241);
            if (mended_) {
                fixed_[n] = pinned<float>(winds * cells);
                std::copy(air_[n].begin(), air_[n].end(), fixed_[n].get());
            }
        }
    }
    ~Telescope() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.seen.holdUp(up_);
            for (int n = 0; n < layers; ++n)
                toDevice(slot.air.get() + size_t(n) * cells, layer(n, number), cells, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            fifteenth_more::observe(slot.air.get(), cells, picture_.get(), pixels, 5300, compute_);
            slot.seen.record(compute_);
        }
    }
    double result() override { return sumOf(picture_.get(), pixels); }

private:
    static constexpr int layers = 3;
    static constexpr size_t cells = 1 << 18, winds = 4, pixels = 1 << 20;
    struct Slot {
        OnDevice<float> air = onDevice<float>(layers * cells);
        Event loaded, seen;
    };
    const float* layer(int n, int number) const {
        const float* const all = mended_ ? fixed_[n].get() : air_[n].data();
        return all + size_t(number + n) % winds * cells;
    }
    bool mended_;
    std::vector<float> air_[layers];
    Pinned<float> fixed_[layers];
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream up_, compute_;
};

/// A scanner has five coils. What each saw is unfolded, by the volume so far, and weighed by 24 blocks, 0.1
/// ms each, and a volume follows from all, 0.5 ms; three times a step. The coils follow each other in one
/// stream; mended, each has its own. 40 to 55 %.
class Scanner : public Program {
public:
    explicit Scanner(bool mended)
        : mended_(mended) {}
    ~Scanner() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int slice = 0; slice < 3; ++slice) {
            if (mended_)
                besideEachOther(i + slice);
            else
                for (int n = 0; n < coils; ++n)
                    prepare(n, i + slice, volumes_);
            fifteenth_more::combine(weighed_.get(), coils, volume_.get(), voxels, 6700, volumes_);
        }
    }
    double result() override { return sumOf(volume_.get(), voxels); }

private:
    static constexpr int coils = 5;
    static constexpr size_t values = fifteenth_more::coilValues, voxels = 2 << 20;
    struct Coil {
        OnDevice<float> seen = onDevice<float>(values);
        Event ready;
        Stream stream;
    };
    void prepare(int n, int number, cudaStream_t stream) {
        fifteenth_more::unfold(coils_[n].seen.get(), volume_.get(), n + number % 5, 43000, stream);
        fifteenth_more::weigh(coils_[n].seen.get(), weighed_.get() + size_t(n) * values, 43000, stream);
    }
    void besideEachOther(int number) {
        combined_.record(volumes_);
        for (int n = 0; n < coils; ++n) {
            combined_.holdUp(coils_[n].stream);
            prepare(n, number, coils_[n].stream);
            coils_[n].ready.record(coils_[n].stream);
            coils_[n].ready.holdUp(volumes_);
        }
    }
    bool mended_;
    OnDevice<float> weighed_ = onDevice<float>(coils * values), volume_ = onDevice<float>(voxels);
    Event combined_;
    Coil coils_[coils];
    Stream volumes_;
};

/// Trams of four parts of a city, 0.5 ms each. Passengers (4 MiB) come to one of two slots while the part
/// before rides, with a timetable of 2 KiB from a vector. How late the trams are goes to the host, which
/// reads it two steps later and plans for 0.3 ms meanwhile. Nothing of this holds the rides up.
class Trams : public Program {
public:
    explicit Trams(bool) {
        for (size_t n = 0; n < count; ++n)
            passengers_[n] = 0.01f * float(n % 239);
    }
    ~Trams() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Report& report = reports_[i % 2];
        report.there.await(); // two steps before
        for (size_t n = 0; n < parts * threads; n += 64)
            planned_ += double(report.late[n]);
        for (int part = 0; part < int(parts); ++part) {
            const Slot& slot = slots_[part % 2];
            load(slot);
            slot.loaded.holdUp(compute_);
            told_[part].holdUp(compute_); // a step before
            float* const trams = trams_.get() + size_t(part) * count;
            fifteenth_more::ride(slot.passengers.get(), slot.timetable.get(), trams, count, 13000, compute_);
            slot.ridden.record(compute_);
            slot.ridden.holdUp(down_);
            float* const late = late_.get() + size_t(i % 2) * parts * threads + size_t(part) * threads;
            fifteenth_more::delays(trams, late, 2000, down_);
            told_[part].record(down_);
            toHost(report.late.get() + size_t(part) * threads, late, threads, down_);
        }
        report.there.record(down_);
        workOnHost(300);
    }
    double result() override { return sumOf(trams_.get(), parts * count) + planned_; }

private:
    static constexpr size_t parts = 4, count = 1 << 20, threads = fifteenth_more::threads,
                            lines = fifteenth_more::lines;
    struct Slot {
        OnDevice<float> passengers = onDevice<float>(count), timetable = onDevice<float>(lines);
        Event loaded, ridden;
    };
    struct Report {
        Pinned<float> late = pinned<float>(parts * threads);
        Event there;
    };
    void load(const Slot& slot) {
        slot.ridden.holdUp(up_);
        toDevice(slot.passengers.get(), passengers_.get(), count, up_);
        toDevice(slot.timetable.get(), timetable_.data(), lines, up_);
        slot.loaded.record(up_);
    }
    double planned_ = 0;
    Pinned<float> passengers_ = pinned<float>(count);
    std::vector<float> timetable_ = std::vector<float>(lines, 0.5f);
    OnDevice<float> trams_ = onDevice<float>(parts * count), late_ = onDevice<float>(2 * parts * threads);
    Slot slots_[2];
    Report reports_[2];
    Event told_[parts];
    Stream up_, compute_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fifteenthMorePairs() {
    const std::vector<std::string> waits = {"host-sync", "host-late"}, shared = {"stretched"};
    const std::vector<std::string> alone = {"same-stream", "too-few-streams"};
    return {
        {"handle_waits_in_each_call", waits, {"host-sync"}, make<Diver>, false, {"host-sync"}},
        {"model_kept_without_stream", {"null-stream"}, {"null-stream"}, make<Stars>, false, shared},
        {"air_from_vectors", {"pageable"}, {"pageable"}, make<Telescope>, false, shared},
        {"coils_in_one_stream", alone, alone, make<Scanner>, false, shared},
        {"healthy_trams_and_delays", {}, {}, make<Trams>, true, shared},
    };
}
