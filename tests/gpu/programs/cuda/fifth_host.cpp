// The rest of the fifth set: memory and the host.
#include "fifth.h"

#include <cmath>
#include <future>
#include <mutex>

namespace {

using namespace third;
using namespace fifth;

/// Weights that the host computes, and a workspace: what a library keeps for one kind of call.
class Plan {
public:
    Plan(size_t values, cudaStream_t stream)
        : stream_(stream) {
        std::vector<float> window(entries);
        for (int n = 0; n < entries; ++n)
            window[n] = 0.5f - 0.5f * std::cos(float(n) * 1.9e-4f) * std::exp(-1e-4f * float(n));
        CHECK(cudaMalloc(&table_, entries * sizeof(float)));
        CHECK(cudaMalloc(&workspace_, values * sizeof(float)));
        toDevice(table_, window.data(), entries, stream_);
    }
    ~Plan() {
        cudaStreamSynchronize(stream_);
        cudaFree(workspace_);
        cudaFree(table_);
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    void run(float* values, size_t count) const {
        weigh(values, workspace_, count, table_, entries, 512, stream_);
        weigh(workspace_, values, count, table_, entries, 512, stream_);
    }

private:
    static constexpr int entries = 1 << 15;
    cudaStream_t stream_;
    float *table_ = nullptr, *workspace_ = nullptr;
};

/// Two signals; each call makes its plan, with 64 MiB of workspace, and destroys it. Mended, one is kept. 15
/// to 40 %.
class Planned : public Program {
public:
    explicit Planned(bool mended)
        : kept_(mended ? std::make_unique<Plan>(values, stream_) : nullptr) {}
    void step(int) override {
        for (const OnDevice<float>& signal : signals_) {
            if (kept_)
                kept_->run(signal.get(), values);
            else
                Plan(values, stream_).run(signal.get(), values);
        }
    }

private:
    static constexpr size_t values = 16 << 20;
    Stream stream_;
    OnDevice<float> signals_[2]{onDevice<float>(values), onDevice<float>(values)};
    std::unique_ptr<Plan> kept_;
};

/// 48 tiles, each with a table of 4 KiB that is copied in front of its kernel, from memory of a vector;
/// mended, all tables come from pinned memory at once. 4 to 10 %.
class Tables : public Program {
public:
    explicit Tables(bool mended)
        : mended_(mended) {}
    void step(int) override {
        if (mended_)
            toDevice(device_.get(), pinned_.get(), tiles * entries, stream_);
        for (int n = 0; n < tiles; ++n)
            tile(n);
    }

private:
    static constexpr int tiles = 48, entries = 1024, rounds = 400;
    static constexpr size_t values = 1 << 20;
    void tile(int n) {
        float* table = device_.get() + n * entries;
        if (!mended_)
            toDevice(table, &plain_[size_t(n) * entries], entries, stream_);
        weigh(from_.get(), to_.get(), values, table, entries, rounds, stream_);
        from_.swap(to_);
    }
    bool mended_;
    std::vector<float> plain_ = std::vector<float>(tiles * entries);
    Pinned<float> pinned_ = pinned<float>(tiles * entries);
    OnDevice<float> device_ = onDevice<float>(tiles * entries);
    OnDevice<float> from_ = onDevice<float>(values), to_ = onDevice<float>(values);
    Stream stream_;
};

/// The host writes 16 KiB of settings for each of six pictures, to managed memory, which moves there and
/// back; mended, to pinned memory that is copied. Two slots. 4 to 15 %.
class Settings : public Program {
public:
    explicit Settings(bool mended)
        : mended_(mended) {
        if (mended_)
            return;
        for (Slot& slot : slots_)
            CHECK(cudaMallocManaged(&slot.managed, room));
    }
    ~Settings() override {
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaFree(slot.managed);
    }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            draw(slots_[number % 2], number);
    }

private:
    static constexpr size_t pixels = 1 << 20, room = 2 << 20; // the slots share no page
    struct Slot {
        float* managed = nullptr;
        Pinned<float> host = pinned<float>(fourth::settings);
        OnDevice<float> device = onDevice<float>(fourth::settings);
        Event free;
    };
    void draw(const Slot& slot, int number) {
        slot.free.await();
        float* written = mended_ ? slot.host.get() : slot.managed;
        std::fill(written, written + fourth::settings, 0.1f * float(number % 10));
        if (mended_)
            toDevice(slot.device.get(), slot.host.get(), fourth::settings, stream_);
        fourth::render(picture_.get(), pixels, scene_.get(), mended_ ? slot.device.get() : slot.managed, 6000,
                       stream_);
        slot.free.record(stream_);
    }
    bool mended_;
    OnDevice<float> picture_ = onDevice<float>(pixels), scene_ = onDevice<float>(pixels * fourth::samples);
    Slot slots_[2];
    Stream stream_;
};

/// Two workers, each with requests in a stream of its own, share a lock that a request is issued under. Bad:
/// the lock is held until the answer came; mended, until it is issued. 30 to 50 %.
class Locked : public Program {
public:
    explicit Locked(bool mended)
        : mended_(mended) {
        std::fill(by_.of, by_.of + fourth::weights, 0.999f);
    }
    void step(int) override {
        std::future<void> other = std::async(std::launch::async, [this] { serve(workers_[1]); });
        serve(workers_[0]);
        other.get();
    }

private:
    static constexpr size_t values = 1 << 20, answer = 4096;
    struct Worker {
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> host = pinned<float>(answer);
        float seen = 0;
        Stream stream;
    };
    void serve(Worker& worker) {
        for (int n = 0; n < 4; ++n) {
            std::unique_lock<std::mutex> lock(guard_);
            ++issued_;
            fourth::filter(worker.device.get(), values, by_, 60, worker.stream);
            toHost(worker.host.get(), worker.device.get(), answer, worker.stream);
            if (mended_)
                lock.unlock();
            CHECK(cudaStreamSynchronize(worker.stream));
            if (!mended_)
                lock.unlock();
            worker.seen += worker.host[0];
            workOnHost(60);
        }
    }
    bool mended_;
    long issued_ = 0;
    std::mutex guard_;
    fourth::Weights by_;
    Worker workers_[2];
};

/// Nothing to mend: two graphs in turn. Each makes a result, and takes the one of the other to the host
/// beside it.
class Graphs : public Program {
public:
    explicit Graphs(bool) {
        for (int n = 0; n < 2; ++n)
            capture(n);
    }
    ~Graphs() override {
        cudaStreamSynchronize(stream_);
        for (cudaGraphExec_t graph : graphs_)
            cudaGraphExecDestroy(graph);
    }
    void step(int) override {
        for (int n = 0; n < 4; ++n)
            CHECK(cudaGraphLaunch(graphs_[n % 2], stream_));
    }

private:
    static constexpr size_t values = 4 << 20;
    void capture(int n) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        begun_.record(stream_);
        begun_.holdUp(beside_);
        toHost(host_.get(), results_[1 - n].get(), values, beside_);
        taken_.record(beside_);
        mix(results_[n].get(), values, 8000, stream_);
        taken_.holdUp(stream_);
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graphs_[n], graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    Pinned<float> host_ = pinned<float>(values);
    OnDevice<float> results_[2]{onDevice<float>(values), onDevice<float>(values)};
    cudaGraphExec_t graphs_[2] = {};
    Event begun_, taken_;
    Stream stream_, beside_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fifthHostPairs() {
    const std::vector<std::string> plan = {"allocation", "device-barrier", "host-late", "host-sync"};
    const std::vector<std::string> pieces = {"small-copies", "pageable", "same-stream", "launch-bound"};
    const std::vector<std::string> lock = {"host-sync", "host-late"};
    const std::vector<std::string> needed = {"host-late", "host-sync", "readback",
                                             "stretched"}; // each answer
    return {
        {"plan_each_call", plan, plan, make<Planned>},
        {"tables_one_by_one", pieces, pieces, make<Tables>},
        {"settings_in_managed", {"unified-memory"}, {"unified-memory"}, make<Settings>},
        {"lock_held_while_waiting",
         {"host-sync", "host-late", "readback"},
         lock,
         make<Locked>,
         false,
         needed},
        {"healthy_graphs", {}, {}, make<Graphs>, true, {"stretched"}},
    };
}
