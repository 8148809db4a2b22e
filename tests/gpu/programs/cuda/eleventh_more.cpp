// The eleventh set of mistakes, continued from eleventh.cpp. Written without reading the analysis.
#include "eleventh.h"

#include <cmath>

namespace {

using namespace third;
using eleventh::sumOf;
using sixth::toDevice;
using sixth::toHost;

/// Six blocks of sound a step, 2 MiB that the host writes to managed memory, two slots. The kernels move them
/// at first touch, and the host moves them back; mended, they are moved by a side stream before they are
/// used. 30 to 65 %.
class Sound : public Program {
public:
    explicit Sound(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_) {
            void* memory = nullptr;
            CHECK(cudaMallocManaged(&memory, count * sizeof(float)));
            slot.samples.reset(static_cast<float*>(memory));
            std::fill(slot.samples.get(), slot.samples.get() + count, 0.0f);
        }
    }
    ~Sound() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.back.await();
            std::fill(slot.samples.get(), slot.samples.get() + count, 0.1f * float(number % 10));
            bring(slot, cudaMemLocationTypeDevice);
            slot.there.record(side_);
            slot.there.holdUp(compute_);
            mix(slot.samples.get(), count, 40000, compute_);
            slot.heard.record(compute_);
            slot.heard.holdUp(side_);
            bring(slot, cudaMemLocationTypeHost);
            slot.back.record(side_);
        }
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        return slots_[0].samples[1] + slots_[1].samples[count - 1];
    }

private:
    static constexpr size_t count = 1 << 19;
    struct Slot {
        OnDevice<float> samples;
        Event there, heard, back;
    };
    void bring(const Slot& slot, cudaMemLocationType where) {
        if (!mended_)
            return;
        cudaMemLocation location = {};
        location.type = where;
        location.id = 0;
        CHECK(cudaMemPrefetchAsync(slot.samples.get(), count * sizeof(float), location, 0, side_));
    }
    bool mended_;
    Slot slots_[2];
    Stream compute_, side_;
};

/// Atoms and the neighbours of each one, which programs of molecules have. The host has the last kinetic
/// energies and the atoms of two steps.
class Atoms : public Program {
public:
    explicit Atoms(bool mended)
        : mended_(mended) {
        eleventh::place(atoms_.get(), count, list_.get(), neighbours, compute_);
    }
    double result() override { return sumOf(reinterpret_cast<const float*>(atoms_.get()), 4 * count); }

protected:
    static constexpr int count = 1 << 18, neighbours = 2048, energies = count / eleventh::threads;
    void advance() {
        eleventh::pull(atoms_.get(), list_.get(), neighbours, forces_.get(), count, compute_);
        eleventh::move(atoms_.get(), forces_.get(), count, energies_.get(), compute_);
    }
    bool mended_;
    OnDevice<float4> atoms_ = onDevice<float4>(count), forces_ = onDevice<float4>(count);
    OnDevice<float> energies_ = onDevice<float>(energies);
    OnDevice<int> list_ = onDevice<int>(neighbours);
    Stream compute_;
};

/// The energy of atoms, ten moves a step, is added up after each move by a host function of the stream;
/// mended, of a side stream, beside the next move. Two slots. 4 to 12 %.
class Energy : public Atoms {
public:
    using Atoms::Atoms;
    ~Energy() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            Slot& slot = slots_[number % 2];
            slot.self = this;
            advance();
            toHost(slot.values.get(), energies_.get(), energies, compute_);
            if (mended_) {
                slot.made.record(compute_);
                slot.made.holdUp(side_);
            }
            CHECK(cudaLaunchHostFunc(mended_ ? side_ : compute_, added, &slot));
            if (mended_) {
                slot.added.record(side_);
                slots_[1 - number % 2].added.holdUp(compute_);
            }
        }
    }

private:
    struct Slot {
        Energy* self = nullptr;
        Pinned<float> values = pinned<float>(energies);
        Event made, added;
    };
    static void CUDART_CB added(void* given) {
        const Slot& slot = *static_cast<Slot*>(given);
        double sum = 0;
        for (int n = 0; n < energies; ++n)
            sum += std::sqrt(double(slot.values[n]) + 1.0);
        slot.self->energy_ = sum;
        workOnHost(20);
    }
    double energy_ = 0;
    Slot slots_[2];
    Stream side_;
};

/// After every fourth move all atoms, 4 MiB, go to a vector by cudaMemcpyAsync; mended, to pinned memory by a
/// side stream, two slots, and to the vector when the next ones are there. 15 to 45 %.
class Trajectory : public Atoms {
public:
    using Atoms::Atoms;
    ~Trajectory() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number) {
            for (int n = 0; n < 4; ++n)
                advance();
            if (mended_)
                beside(slots_[number % 2], slots_[1 - number % 2]);
            else
                toHost(kept_.data(), atoms_.get(), count, compute_);
        }
    }

private:
    struct Slot {
        OnDevice<float4> aside = onDevice<float4>(count);
        Pinned<float4> host = pinned<float4>(count);
        Event made, left;
    };
    void beside(const Slot& slot, const Slot& before) {
        slot.left.holdUp(compute_);
        CHECK(cudaMemcpyAsync(slot.aside.get(), atoms_.get(), count * sizeof(float4),
                              cudaMemcpyDeviceToDevice, compute_));
        slot.made.record(compute_);
        slot.made.holdUp(side_);
        toHost(slot.host.get(), slot.aside.get(), count, side_);
        slot.left.record(side_);
        before.left.await();
        std::copy(before.host.get(), before.host.get() + count, kept_.begin());
    }
    std::vector<float4> kept_ = std::vector<float4>(count);
    Slot slots_[2];
    Stream side_;
};

/// Three cameras, each in a blocking stream, 12 rounds a step. A picture takes one to three times as long, in
/// turns. After each round an overlay of 16 KiB comes for one of them by cudaMemcpyAsync, whose last
/// argument, the stream, was forgotten. 20 to 40 %.
class Cameras : public Program {
public:
    explicit Cameras(bool mended)
        : mended_(mended) {}
    ~Cameras() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int round = i * 12; round < (i + 1) * 12; ++round) {
            for (int n = 0; n < 3; ++n)
                eleventh::follow(cameras_[n].values.get(), 40, 30000 * (1 + (round + n) % 3), 0.01f,
                                 cameras_[n].stream);
            const Camera& camera = cameras_[round % 3];
            const cudaStream_t stream = mended_ ? cudaStream_t(camera.stream) : nullptr;
            toDevice(camera.values.get(), overlay_.get(), 4096, stream);
        }
    }
    double result() override {
        double sum = 0;
        for (const Camera& camera : cameras_)
            sum += sumOf(camera.values.get(), values);
        return sum;
    }

private:
    static constexpr size_t values = 40 * eleventh::threads;
    struct Camera {
        OnDevice<float> values = onDevice<float>(Cameras::values);
        Stream stream{cudaStreamDefault};
    };
    bool mended_;
    Pinned<float> overlay_ = pinned<float>(4096);
    Camera cameras_[3];
};

/// Two views and the depth that follows from both, 16 times a step, a stream each, two slots. A view waits
/// until the depth of the one before is known, which has the other slot; mended, of the one before that. 10
/// to 30 %.
class Depth : public Program {
public:
    explicit Depth(bool mended)
        : mended_(mended) {}
    ~Depth() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 16; number < (i + 1) * 16; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            for (int n = 0; n < 2; ++n) {
                (mended_ ? slot : before).known.holdUp(views_[n]);
                eleventh::follow(slot.view[n].get(), 50, 60000, 0.01f + 0.01f * float(n), views_[n]);
                slot.seen[n].record(views_[n]);
                slot.seen[n].holdUp(depth_);
            }
            eleventh::follow(slot.view[0].get(), 25, 15000, 0.02f, depth_);
            slot.known.record(depth_);
        }
    }
    double result() override {
        return sumOf(slots_[0].view[0].get(), count) + sumOf(slots_[1].view[1].get(), count);
    }

private:
    static constexpr size_t count = 50 * eleventh::threads;
    struct Slot {
        OnDevice<float> view[2] = {onDevice<float>(count), onDevice<float>(count)};
        Event seen[2], known;
    };
    bool mended_;
    Slot slots_[2];
    Stream views_[2], depth_;
};

/// Particles are counted in 64 Mi cells, four times a step. The cells, 256 MiB, are cleared in front of each
/// time; mended, there are two sets of them, and one is cleared beside the other's use. 4 to 10 %.
class Cells : public Program {
public:
    explicit Cells(bool mended)
        : mended_(mended) {}
    ~Cells() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            const Set& set = sets_[mended_ ? number % 2 : 0];
            if (mended_)
                set.clear.holdUp(compute_);
            else
                clear(set, compute_);
            eleventh::deposit(set.cells.get(), unsigned(cells - 1), 150000, number, compute_);
            eleventh::counted(set.cells.get(), sum_.get(), compute_);
            if (!mended_)
                continue;
            set.used.record(compute_);
            set.used.holdUp(side_);
            clear(set, side_);
            set.clear.record(side_);
        }
    }
    double result() override { return sumOf(sum_.get(), 1); }

private:
    static constexpr size_t cells = 64 << 20;
    struct Set {
        OnDevice<unsigned> cells = onDevice<unsigned>(Cells::cells);
        Event used, clear;
    };
    static void clear(const Set& set, cudaStream_t stream) {
        CHECK(cudaMemsetAsync(set.cells.get(), 0, cells * sizeof(unsigned), stream));
    }
    bool mended_;
    OnDevice<unsigned> sum_ = onDevice<unsigned>(1);
    Set sets_[2];
    Stream compute_, side_;
};

/// Eight portfolios a step are judged by a curve of interest that the host computes: after it waited for the
/// portfolio before, or while the device works on that one. 10 to 30 %.
class Curves : public Program {
public:
    explicit Curves(bool mended)
        : mended_(mended) {}
    ~Curves() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            Slot& slot = slots_[number % 2];
            if (mended_)
                curve(slot, number);
            slots_[1 - number % 2].done.await();
            if (!mended_)
                curve(slot, number);
            toDevice(curve_.get(), slot.values.get(), dates, stream_);
            eleventh::follow(curve_.get(), 1056, 20000, 0.01f, stream_);
            slot.done.record(stream_);
        }
    }
    double result() override { return sumOf(curve_.get(), 1056 * eleventh::threads); }

private:
    static constexpr size_t dates = 24576;
    struct Slot {
        Pinned<float> values = pinned<float>(dates);
        Event done;
    };
    static void curve(Slot& slot, int number) {
        for (size_t n = 0; n < dates; ++n)
            slot.values[n] = float(std::exp(-0.0001 * double(n) * (1 + number % 3)));
    }
    bool mended_;
    OnDevice<float> curve_ = onDevice<float>(1056 * eleventh::threads);
    Slot slots_[2];
    Stream stream_;
};

/// Eight frames of 8 MiB a step come, are softened and leave. A stream for the kernels and one for all
/// copies, so that a frame comes after the one before has left; mended, one for each direction. 20 to 45 %.
class Copies : public Program {
public:
    explicit Copies(bool mended)
        : mended_(mended) {}
    ~Copies() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            const cudaStream_t down = mended_ ? down_ : up_;
            slot.made.holdUp(up_); // two frames ago
            toDevice(slot.raw.get(), slot.in.get(), pixels, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            slot.left.holdUp(compute_);
            eleventh::soften(slot.raw.get(), slot.soft.get(), width, height, 20, compute_);
            slot.made.record(compute_);
            slot.made.holdUp(down);
            toHost(slot.out.get(), slot.soft.get(), pixels, down);
            slot.left.record(down);
        }
    }
    double result() override { return sumOf(slots_[0].soft.get(), pixels); }

private:
    static constexpr int width = 2048, height = 1024;
    static constexpr size_t pixels = size_t(width) * height;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(pixels);
        OnDevice<float> raw = onDevice<float>(pixels), soft = onDevice<float>(pixels);
        Event loaded, made, left;
    };
    bool mended_;
    Slot slots_[2];
    Stream up_, compute_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eleventhMorePairs() {
    const std::vector<std::string> shared = {"stretched"}, late = {"host-late", "host-sync"};
    const std::vector<std::string> vector = {"pageable", "readback", "host-sync"};
    const std::vector<std::string> copies = {"same-stream", "event-order", "too-few-streams"};
    return {
        {"sound_in_managed", {"unified-memory"}, {"unified-memory"}, make<Sound>, false, shared},
        {"energy_by_host_function", {"callback"}, {"callback"}, make<Energy>, false, shared},
        {"trajectory_to_vector", vector, vector, make<Trajectory>, false, shared},
        {"overlay_without_stream", {"null-stream"}, {"null-stream"}, make<Cameras>, false, shared},
        {"views_wait_for_last_depth", {"event-order"}, {"event-order"}, make<Depth>, false, shared},
        {"cells_cleared_in_line", {"same-stream"}, {"same-stream"}, make<Cells>, false, shared},
        {"curve_after_wait", late, late, make<Curves>, false, {"host-sync", "readback"}},
        {"copies_in_one_stream", copies, copies, make<Copies>, false, shared},
    };
}
