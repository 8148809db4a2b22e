// A fourth set of mistakes, to test on what the analysis was not made with; of the analysis only the manual
// was read before. Costs in the comments are estimates for an H100 or H200, not measured.
#include "fourth.h"

#include <chrono>
#include <cstring>
#include <future>
#include <thread>

namespace {

using namespace third;
using namespace fourth;

/// Tiles in two blocking streams, each with weights of its own. They come by cudaMemcpyToSymbol, which has
/// the NULL stream, and so no two tiles meet; mended, as an argument of the kernel. 35 to 55 %.
class Tiles : public Program {
public:
    explicit Tiles(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            tile(number, slots_[number % 2]);
    }

private:
    static constexpr size_t values = 1 << 20;
    static constexpr int rounds = 100;
    struct Slot {
        Stream stream{cudaStreamDefault};
        OnDevice<float> tile = onDevice<float>(values);
    };
    void tile(int number, Slot& slot) const {
        Weights by;
        for (int k = 0; k < weights; ++k)
            by.of[k] = 0.999f - 0.001f * float((number + k) % 8);
        if (mended_) {
            filter(slot.tile.get(), values, by, rounds, slot.stream);
        } else {
            setWeights(by);
            filterBySymbol(slot.tile.get(), values, rounds, slot.stream);
        }
    }
    bool mended_;
    Slot slots_[2];
};

/// The host looks at the energy of bodies after each of eight moves, as it may have to end. It asks every
/// 100 us whether it came; mended, it waits for it. 4 to 10 %.
class Asked : public Program {
public:
    explicit Asked(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 8 && !(energy_[0] < 0); ++n)
            move(128 * (200 + 9 * n)); // of several lengths, so that the questions come at all times
    }

private:
    static constexpr int most = 128 * 263;
    void move(int count) {
        attract(bodies_.get(), speeds_.get(), count, stream_);
        advance(bodies_.get(), speeds_.get(), count, stream_);
        energy(speeds_.get(), count, sum_.get(), stream_);
        CHECK(cudaMemcpyAsync(energy_.get(), sum_.get(), sizeof(float), cudaMemcpyDeviceToHost, stream_));
        CHECK(cudaEventRecord(came_, stream_));
        if (mended_)
            CHECK(cudaEventSynchronize(came_));
        else
            while (cudaEventQuery(came_) == cudaErrorNotReady)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    bool mended_;
    OnDevice<float4> bodies_ = onDevice<float4>(most), speeds_ = onDevice<float4>(most);
    OnDevice<float> sum_ = onDevice<float>(1);
    Pinned<float> energy_ = pinned<float>(1);
    Stream stream_;
    Event came_;
};

/// Spectra are made in a workspace of 64 MiB that each of four calls allocates and frees, or that is kept. 4
/// to 10 %.
class Workspace : public Program {
public:
    explicit Workspace(bool mended)
        : kept_(mended ? onDevice<float2>(values) : nullptr) {}
    void step(int) override {
        for (int n = 0; n < 4; ++n)
            call();
    }

private:
    static constexpr int rows = 8192;
    static constexpr size_t values = size_t(rows) * 1024, bytes = values * sizeof(float2);
    void call() {
        float2* workspace = kept_.get();
        if (!kept_)
            CHECK(cudaMalloc(&workspace, bytes));
        CHECK(cudaMemcpyAsync(workspace, signal_.get(), bytes, cudaMemcpyDeviceToDevice, stream_));
        transform(workspace, rows, stream_);
        power(workspace, values, sum_.get(), stream_);
        if (!kept_)
            CHECK(cudaFree(workspace));
    }
    OnDevice<float2> kept_;
    OnDevice<float2> signal_ = onDevice<float2>(values);
    OnDevice<float> sum_ = onDevice<float>(1);
    Stream stream_;
};

/// Pictures are written to managed memory, and the host looks at the upper quarter of each while the next one
/// is made; mended, this quarter is moved there and back before it is used. 20 to 60 %.
class ManagedPictures : public Program {
public:
    explicit ManagedPictures(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_) {
            CHECK(cudaMallocManaged(&slot.picture, bytes));
            std::memset(slot.picture, 0, bytes);
        }
    }
    ~ManagedPictures() override {
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaFree(slot.picture);
    }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            make(slots_[number % 2]);
            if (number)
                look(slots_[1 - number % 2]);
        }
    }

private:
    static constexpr int width = 3840, height = 2160;
    static constexpr size_t bytes = size_t(width) * height, upper = bytes / 4;
    struct Slot {
        uint8_t* picture = nullptr;
        Event made, ready;
    };
    void make(const Slot& slot) {
        if (mended_)
            move(slot, cudaMemLocationTypeDevice, compute_);
        denoise(raw_.get(), slot.picture, width, height, 6, compute_);
        slot.made.record(compute_);
        if (mended_) {
            slot.made.holdUp(beside_);
            move(slot, cudaMemLocationTypeHost, beside_);
        }
        slot.ready.record(mended_ ? beside_ : compute_);
    }
    void look(const Slot& slot) {
        slot.ready.await();
        for (size_t at = 0; at < upper; at += 1024)
            seen_ += slot.picture[at];
    }
    static void move(const Slot& slot, cudaMemLocationType where, cudaStream_t stream) {
        cudaMemLocation location = {};
        location.type = where;
        location.id = 0;
        CHECK(cudaMemPrefetchAsync(slot.picture, upper, location, 0, stream));
    }
    bool mended_;
    unsigned seen_ = 0;
    OnDevice<uint8_t> raw_ = onDevice<uint8_t>(bytes);
    Slot slots_[2];
    Stream compute_, beside_;
};

/// While a scene is rendered in eight passes, the next one comes, 64 MiB. Each pass has settings of 16 KiB,
/// and their copy waits behind the scene; mended, all eight come in front of their scene. 15 to 35 %.
class Passes : public Program {
public:
    explicit Passes(bool mended)
        : mended_(mended) {
        load(slots_[0]);
    }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number) {
            load(slots_[(number + 1) % 2]);
            draw(slots_[number % 2]);
        }
    }

private:
    static constexpr int passes = 8, rounds = 3000;
    static constexpr size_t pixels = 1 << 20, scene = pixels * samples * sizeof(float);
    static constexpr size_t ofPass = settings * sizeof(float);
    struct Slot {
        OnDevice<float> scene = onDevice<float>(pixels * samples), by = onDevice<float>(passes * settings);
        Event loaded, free;
    };
    void load(const Slot& slot) {
        slot.free.holdUp(up_);
        if (mended_)
            CHECK(cudaMemcpyAsync(slot.by.get(), by_.get(), passes * ofPass, cudaMemcpyHostToDevice, up_));
        CHECK(cudaMemcpyAsync(slot.scene.get(), in_.get(), scene, cudaMemcpyHostToDevice, up_));
        slot.loaded.record(up_);
    }
    void draw(const Slot& slot) {
        slot.loaded.holdUp(compute_);
        for (int n = 0; n < passes; ++n) {
            float* by = slot.by.get() + n * settings;
            if (!mended_)
                CHECK(cudaMemcpyAsync(by, &by_[n * settings], ofPass, cudaMemcpyHostToDevice, compute_));
            render(pixels_.get(), pixels, slot.scene.get(), by, rounds, compute_);
        }
        slot.free.record(compute_);
    }
    bool mended_;
    Pinned<float> in_ = pinned<float>(pixels * samples), by_ = pinned<float>(passes * settings);
    OnDevice<float> pixels_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Requests of one kind, in a stream of their own; the answer is needed before the next one.
class Service {
public:
    explicit Service(int rounds)
        : rounds_(rounds) {
        std::fill(by_.of, by_.of + weights, 0.999f);
    }
    void ask(int slot) {
        filter(values_.get(), values, by_, rounds_, stream_);
        CHECK(cudaMemcpyAsync(&answers_[slot * answer], values_.get(), answer * sizeof(float),
                              cudaMemcpyDeviceToHost, stream_));
        answered_[slot].record(stream_);
    }
    void waitForStream() const { CHECK(cudaStreamSynchronize(stream_)); }
    void await(int slot) const { answered_[slot].await(); }
    void read(int slot) { seen_ += answers_[slot * answer]; }

private:
    static constexpr size_t values = 1 << 20, answer = 1024;
    int rounds_;
    float seen_ = 0;
    Weights by_;
    OnDevice<float> values_ = onDevice<float>(values);
    Pinned<float> answers_ = pinned<float>(2 * answer);
    Event answered_[2];
    Stream stream_;
};

/// Two threads, one with eight short requests and one with two long ones. Each waits for the device, and so
/// for the other one's request too; mended, for its own stream. 25 to 45 %.
class Threads : public Program {
public:
    explicit Threads(bool mended)
        : mended_(mended) {}
    void step(int) override {
        std::future<void> other = std::async(std::launch::async, [this] { serve(long_, 2); });
        serve(short_, 8);
        other.get();
    }

private:
    void serve(Service& service, int requests) const {
        for (int n = 0; n < requests; ++n) {
            service.ask(0);
            if (mended_)
                service.waitForStream();
            else
                CHECK(cudaDeviceSynchronize());
            service.read(0);
        }
    }
    bool mended_;
    Service short_{80}, long_{320};
};

/// 512 MiB of accumulators are cleared in front of each vote; mended, two sets of them, and one is cleared
/// while the other is in use. 3 to 8 %.
class Votes : public Program {
public:
    explicit Votes(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number)
            count(slots_[number % 2]);
    }

private:
    static constexpr unsigned accumulators = 128 << 20;
    struct Slot {
        OnDevice<unsigned> votes = onDevice<unsigned>(accumulators);
        Event cleared, counted;
    };
    void count(const Slot& slot) {
        const cudaStream_t clearing = mended_ ? beside_ : compute_;
        slot.counted.holdUp(clearing);
        CHECK(cudaMemsetAsync(slot.votes.get(), 0, accumulators * sizeof(unsigned), clearing));
        slot.cleared.record(clearing);
        slot.cleared.holdUp(compute_);
        vote(slot.votes.get(), accumulators, 12000, compute_);
        slot.counted.record(compute_);
    }
    bool mended_;
    Slot slots_[2];
    Stream compute_, beside_;
};

/// Nothing to mend: two services that fill the device together; an answer is looked at two requests later.
class TwoServices : public Program {
public:
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            for (Service& service : services_) {
                service.await(number % 2);
                service.read(number % 2);
                service.ask(number % 2);
            }
    }

private:
    Service services_[2]{Service(100), Service(100)};
};

std::unique_ptr<Program> healthyServices(bool) {
    return std::make_unique<TwoServices>();
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fourthPairs() {
    const std::vector<std::string> symbol = {"null-stream", "host-sync", "pageable"};
    const std::vector<std::string> late = {"host-late", "host-sync"};
    const std::vector<std::string> needed = {"host-late", "host-sync", "readback"}; // each result
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-late"};
    const std::vector<std::string> waits = {"host-sync", "device-barrier"};
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"weights_by_symbol", symbol, symbol, make<Tiles>, false, shared},
        {"asked_with_pauses", late, late, make<Asked>, false, needed},
        {"workspace_each_call", memory, memory, make<Workspace>},
        {"managed_pictures", {"unified-memory"}, {"unified-memory"}, make<ManagedPictures>, false, late},
        {"settings_behind_scene", {"head-of-line"}, {"head-of-line"}, make<Passes>, false, shared},
        {"threads_wait_for_device", waits, waits, make<Threads>, false, needed},
        {"accumulators_cleared", {"same-stream"}, {"same-stream"}, make<Votes>, false, shared},
        {"healthy_services", {}, {}, healthyServices, true, shared},
    };
}
