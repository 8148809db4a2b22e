// The twelfth set of mistakes, continued from twelfth.cpp. Written without reading the analysis.
#include "twelfth.h"

#include <chrono>
#include <thread>
#include <utility>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// 12 pictures of 256 KiB a step are made and go to pinned memory, where they are written in short, some
/// 0.2 ms: by a host function of the stream; mended, by the thread itself, beside the next one. 18 to 35 %.
class Pictures : public Program {
public:
    explicit Pictures(bool mended)
        : mended_(mended) {}
    ~Pictures() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number) {
            Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            twelfth::render(picture_.get(), pixels, 260000, number, stream_);
            toHost(slot.picture.get(), picture_.get(), pixels, stream_);
            if (!mended_) {
                CHECK(cudaLaunchHostFunc(stream_, shorten, &slot));
                continue;
            }
            slot.there.record(stream_);
            before.there.await();
            shorten(&before);
        }
    }
    double result() override { return sumOf(picture_.get(), pixels); }

private:
    static constexpr size_t pixels = 1 << 16;
    struct Slot {
        Pinned<float> picture = pinned<float>(pixels);
        std::vector<std::pair<float, int>> runs;
        Event there;
    };
    static void CUDART_CB shorten(void* given) {
        Slot& slot = *static_cast<Slot*>(given);
        slot.runs.clear();
        for (size_t n = 0; n < pixels; n += 2) {
            const float level = float(int(slot.picture[n] * 255));
            if (slot.runs.empty() || slot.runs.back().first != level)
                slot.runs.emplace_back(level, 0);
            ++slot.runs.back().second;
        }
        workOnHost(100);
    }
    bool mended_;
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream stream_;
};

/// 12 blocks of samples a step are unpacked in one stream and looked through in another, 64 blocks of threads
/// each and two slots. The host asks every 0.3 ms if one is unpacked before it launches what looks through
/// it; mended, the other stream waits for an event. 20 to 45 %.
class Samples : public Program {
public:
    explicit Samples(bool mended)
        : mended_(mended) {}
    ~Samples() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.inspected.holdUp(first_);
            twelfth::unpack(raw_.get(), slot.samples.get(), count, 50000, first_);
            slot.unpacked.record(first_);
            if (mended_)
                slot.unpacked.holdUp(second_);
            else
                while (cudaEventQuery(slot.unpacked) == cudaErrorNotReady)
                    std::this_thread::sleep_for(std::chrono::microseconds(300));
            twelfth::inspect(slot.samples.get(), found_.get(), count, 45000, second_);
            slot.inspected.record(second_);
        }
    }
    double result() override { return sumOf(found_.get(), count); }

private:
    static constexpr size_t count = 1 << 16;
    struct Slot {
        OnDevice<float> samples = onDevice<float>(count);
        Event unpacked, inspected;
    };
    bool mended_;
    OnDevice<float> raw_ = onDevice<float>(count), found_ = onDevice<float>(count);
    Slot slots_[2];
    Stream first_, second_;
};

/// A molecule moves eight times a step. Each time 80 tables of 8 KiB come from pinned memory, two slots, one
/// of which the host has changed a little: by a copy each, or by one of all. 8 to 25 %.
class Tables : public Program {
public:
    explicit Tables(bool mended)
        : mended_(mended) {}
    ~Tables() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.read.await(); // two moves ago
            slot.tables[number % (kinds * length)] = 0.1f * float(number % 10);
            if (mended_)
                toDevice(tables_.get(), slot.tables.get(), kinds * length, stream_);
            else
                for (size_t n = 0; n < kinds; ++n)
                    toDevice(tables_.get() + n * length, slot.tables.get() + n * length, length, stream_);
            slot.read.record(stream_);
            twelfth::bond(tables_.get(), kinds, positions_.get(), count, 13000, stream_);
        }
    }
    double result() override { return sumOf(positions_.get(), count); }

private:
    static constexpr size_t kinds = 80, length = 2048, count = 2 << 20;
    struct Slot {
        Pinned<float> tables = pinned<float>(kinds * length);
        Event read;
    };
    bool mended_;
    OnDevice<float> tables_ = onDevice<float>(kinds * length), positions_ = onDevice<float>(count);
    Slot slots_[2];
    Stream stream_;
};

/// 20 lists of 16384 keys a step are sorted, 105 passes of some microseconds each: launched one by one, or as
/// a graph. 15 to 50 %.
class Sorted : public Program {
public:
    explicit Sorted(bool mended)
        : mended_(mended) {
        if (mended_)
            graph_ = twelfth::graphOf(stream_, [this] { sort(); });
    }
    ~Sorted() override {
        cudaStreamSynchronize(stream_);
        if (mended_)
            cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        for (int number = i * 20; number < (i + 1) * 20; ++number) {
            twelfth::scatterKeys(keys_.get(), count, unsigned(number), stream_);
            if (mended_)
                CHECK(cudaGraphLaunch(graph_, stream_));
            else
                sort();
        }
    }
    double result() override {
        std::vector<unsigned> keys(count);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(keys.data(), keys_.get(), count * sizeof(unsigned), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (int n = 0; n < count; ++n)
            sum += double(keys[size_t(n)]) * (n % 7);
        return sum;
    }

private:
    static constexpr int count = 1 << 14;
    void sort() {
        for (int size = 2; size <= count; size *= 2)
            for (int stride = size / 2; stride > 0; stride /= 2)
                twelfth::exchange(keys_.get(), count, size, stride, stream_);
    }
    bool mended_;
    cudaGraphExec_t graph_ = nullptr;
    OnDevice<unsigned> keys_ = onDevice<unsigned>(count);
    Stream stream_;
};

/// A flow in a lattice of 8 Mi places, 24 moments of three kernels a step. After each of them the host waits
/// for the device and asks for errors; mended, it asks without waiting. 4 to 12 %.
class Flow : public Program {
public:
    explicit Flow(bool mended)
        : mended_(mended) {
        twelfth::fillLattice(lattices_[0].get(), width, height, stream_);
    }
    void step(int) override {
        for (int n = 0; n < 24; ++n) {
            float *const from = lattices_[n % 2].get(), *const to = lattices_[1 - n % 2].get();
            twelfth::collide(from, width, height, stream_);
            checked();
            twelfth::propagate(from, to, width, height, stream_);
            checked();
            twelfth::bounce(to, width, height, stream_);
            checked();
        }
    }
    double result() override { return sumOf(lattices_[0].get() + 5 * places, places); }

private:
    static constexpr int width = 4096, height = 2048;
    static constexpr size_t places = size_t(width) * height;
    void checked() const {
        if (!mended_)
            CHECK(cudaDeviceSynchronize());
        CHECK(cudaGetLastError());
    }
    bool mended_;
    OnDevice<float> lattices_[2] = {onDevice<float>(9 * places), onDevice<float>(9 * places)};
    Stream stream_;
};

/// 25 times a step some thousand atoms move 60 times, a graph that begins with the temperature, which the
/// host says: two slots. The graph is made, launched and destroyed each time; mended, there is one for each
/// slot. 20 to 60 %.
class Molecule : public Program {
public:
    explicit Molecule(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_)
            if (mended_)
                slot.graph = twelfth::graphOf(stream_, [this, &slot] { move(slot); });
    }
    ~Molecule() override {
        cudaStreamSynchronize(stream_);
        for (const Slot& slot : slots_)
            if (slot.graph)
                cudaGraphExecDestroy(slot.graph);
    }
    void step(int i) override {
        for (int number = i * 25; number < (i + 1) * 25; ++number) {
            Slot& slot = slots_[number % 2];
            slot.moved.await(); // two times ago
            slot.warm[0] = 1.0f + 0.1f * float(number % 5);
            if (!mended_) {
                if (slot.graph)
                    CHECK(cudaGraphExecDestroy(slot.graph));
                slot.graph = twelfth::graphOf(stream_, [this, &slot] { move(slot); });
            }
            CHECK(cudaGraphLaunch(slot.graph, stream_));
            slot.moved.record(stream_);
        }
    }
    double result() override { return sumOf(reinterpret_cast<const float*>(atoms_.get()), 4 * count); }

private:
    static constexpr int count = 1 << 12;
    struct Slot {
        Pinned<float> warm = pinned<float>(1);
        cudaGraphExec_t graph = nullptr;
        Event moved;
    };
    void move(const Slot& slot) {
        toDevice(warm_.get(), slot.warm.get(), 1, stream_);
        for (int n = 0; n < 60; ++n) {
            twelfth::attract(atoms_.get(), forces_.get(), count, stream_);
            twelfth::drift(atoms_.get(), forces_.get(), warm_.get(), count, stream_);
        }
    }
    bool mended_;
    OnDevice<float4> atoms_ = onDevice<float4>(count), forces_ = onDevice<float4>(count);
    OnDevice<float> warm_ = onDevice<float>(1);
    Slot slots_[2];
    Stream stream_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> twelfthMorePairs() {
    const std::vector<std::string> shared = {"stretched"}, late = {"host-late", "host-sync"};
    const std::vector<std::string> waits = {"host-sync", "device-barrier"};
    const std::vector<std::string> copies = {"small-copies", "launch-bound", "same-stream"};
    const std::vector<std::string> graphs = {"host-late", "launch-bound"};
    return {
        {"picture_written_by_host_function", {"callback"}, {"callback"}, make<Pictures>},
        {"samples_asked_for_by_clock", late, late, make<Samples>, false, shared},
        {"tables_sent_one_by_one", copies, copies, make<Tables>, false, {"same-stream"}},
        {"keys_sorted_pass_by_pass", {"launch-bound"}, {"launch-bound"}, make<Sorted>},
        {"errors_asked_for_by_waiting", waits, waits, make<Flow>},
        {"graph_made_each_time", graphs, graphs, make<Molecule>},
    };
}
