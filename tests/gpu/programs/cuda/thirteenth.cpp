// A thirteenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in cuda_thirteenth_healthy.cpp.
#include "thirteenth.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using thirteenth::Ray;
using twelfth::sumOf;

/// A picture of 2^20 pixels, four rays for each one a step, which are followed for eight bounces. Those that
/// go on are packed, and the host reads how many they are, to launch as many threads for the next bounce;
/// mended, the grid is the same each time and the kernel reads the number. 4 to 10 %.
class Rays : public Program {
public:
    explicit Rays(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int pass = i * 4; pass < (i + 1) * 4; ++pass) {
            thirteenth::sendRays(rays_[0].get(), pixels, alive_.get(), bounces, stream_);
            int blocks = thirteenth::mostBlocks;
            for (int n = 0; n < bounces && blocks > 0; ++n) {
                thirteenth::bounce(rays_[n % 2].get(), alive_.get() + n, rays_[1 - n % 2].get(),
                                   alive_.get() + n + 1, picture_.get(), blocks, 8000,
                                   unsigned(pass * bounces + n), stream_);
                if (!mended_)
                    blocks = blocksFor(alive_.get() + n + 1);
            }
        }
    }
    double result() override { return sumOf(picture_.get(), pixels); }

private:
    static constexpr int pixels = 1 << 20, bounces = 8;
    int blocksFor(const int* alive) {
        toHost(host_.get(), alive, 1, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        return std::min(thirteenth::mostBlocks, (host_[0] + thirteenth::threads - 1) / thirteenth::threads);
    }
    bool mended_;
    OnDevice<Ray> rays_[2] = {onDevice<Ray>(pixels), onDevice<Ray>(pixels)};
    OnDevice<int> alive_ = onDevice<int>(bounces + 1);
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Pinned<int> host_ = pinned<int>(1);
    Stream stream_;
};

/// A body of 256 x 256 x 128 voxels as kernels read it between its voxels: an array and a texture.
class Sampled {
public:
    static constexpr cudaExtent size{256, 256, 128};
    Sampled() {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        CHECK(cudaMalloc3DArray(&array_, &format, size));
        cudaResourceDesc source = {};
        source.resType = cudaResourceTypeArray;
        source.res.array.array = array_;
        cudaTextureDesc reading = {};
        for (cudaTextureAddressMode& mode : reading.addressMode)
            mode = cudaAddressModeClamp;
        reading.filterMode = cudaFilterModeLinear;
        CHECK(cudaCreateTextureObject(&texture_, &source, &reading, nullptr));
    }
    ~Sampled() {
        cudaDestroyTextureObject(texture_);
        cudaFreeArray(array_);
    }
    Sampled(const Sampled&) = delete;
    Sampled& operator=(const Sampled&) = delete;
    cudaTextureObject_t texture() const { return texture_; }
    void fill(float* voxels, cudaStream_t stream) const {
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(voxels, size.width * sizeof(float), size.width, size.height);
        copy.dstArray = array_;
        copy.extent = size;
        copy.kind = cudaMemcpyDeviceToDevice;
        CHECK(cudaMemcpy3DAsync(&copy, stream));
    }

private:
    cudaArray_t array_ = nullptr;
    cudaTextureObject_t texture_ = 0;
};

/// A body is bent eight times a step until it looks like another one. The texture that it is read through is
/// made for each time, and freed when the kernel has read it; mended, there is one. 15 to 50 %.
class Bodies : public Program {
public:
    explicit Bodies(bool mended)
        : mended_(mended) {
        if (mended_)
            sampled_ = std::make_unique<Sampled>();
    }
    ~Bodies() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int n = 0; n < 8; ++n) {
            if (!mended_)
                sampled_ = std::make_unique<Sampled>();
            sampled_->fill(voxels_.get(), stream_);
            thirteenth::bend(sampled_->texture(), voxels_.get(), Sampled::size, 1500, stream_);
            if (mended_)
                continue;
            CHECK(cudaStreamSynchronize(stream_));
            sampled_.reset();
        }
    }
    double result() override { return sumOf(voxels_.get(), count); }

private:
    static constexpr size_t count = Sampled::size.width * Sampled::size.height * Sampled::size.depth;
    bool mended_;
    std::unique_ptr<Sampled> sampled_;
    OnDevice<float> voxels_ = onDevice<float>(count);
    Stream stream_;
};

/// A volume that is too large for the device: six bricks of 8 MiB a step are cut out of it by copies in three
/// dimensions, and light goes through them. Two slots. It lies in ordinary memory; mended, this was pinned
/// once. 25 to 70 %.
class Bricks : public Program {
public:
    explicit Bricks(bool mended)
        : mended_(mended)
        , volume_(static_cast<float*>(std::aligned_alloc(4096, bytes))) {
        for (size_t n = 0; n < bytes / sizeof(float); ++n)
            volume_[n] = 0.01f * float(n % 251);
        if (mended_)
            CHECK(cudaHostRegister(volume_.get(), bytes, cudaHostRegisterDefault));
    }
    ~Bricks() override {
        cudaDeviceSynchronize();
        if (mended_)
            cudaHostUnregister(volume_.get());
    }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.seen.holdUp(up_);
            cut(number, slot.brick.get());
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            thirteenth::march(slot.brick.get(), depth, picture_.get(), pixels, 130000, compute_);
            slot.seen.record(compute_);
        }
    }
    double result() override { return sumOf(picture_.get(), pixels); }

private:
    static constexpr size_t side = 1024, layers = 32, bytes = side * side * layers * sizeof(float);
    static constexpr size_t width = 512, height = 256, depth = 16, pixels = width * height;
    struct Free {
        void operator()(float* memory) const { std::free(memory); }
    };
    struct Slot {
        OnDevice<float> brick = onDevice<float>(pixels * depth);
        Event loaded, seen;
    };
    void cut(int number, float* brick) const {
        const size_t n = size_t(number), row = width * sizeof(float);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(volume_.get(), side * sizeof(float), side, side);
        copy.srcPos = make_cudaPos(n % 2 * row, n / 2 % 4 * height, n / 8 % 2 * depth);
        copy.dstPtr = make_cudaPitchedPtr(brick, row, width, height);
        copy.extent = make_cudaExtent(row, height, depth);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3DAsync(&copy, up_));
    }
    bool mended_;
    std::unique_ptr<float[], Free> volume_;
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream up_, compute_;
};

/// The field of charges in a square of 256 x 256 cells, 80 times a step from the finest of six levels to the
/// coarsest and back: 38 small kernels, launched one by one or as a graph. 15 to 50 %.
class Charges : public Program {
public:
    explicit Charges(bool mended)
        : mended_(mended) {
        if (mended_)
            graph_ = twelfth::graphOf(stream_, [this] { cycle(); });
    }
    ~Charges() override {
        cudaStreamSynchronize(stream_);
        if (mended_)
            cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        thirteenth::charge(levels_[0].rest.get(), side, i, stream_);
        for (int n = 0; n < 80; ++n)
            if (mended_)
                CHECK(cudaGraphLaunch(graph_, stream_));
            else
                cycle();
    }
    double result() override { return sumOf(levels_[0].values.get(), size_t(side) * side); }

private:
    static constexpr int side = 256, count = 6;
    struct Level {
        explicit Level(int n)
            : side(Charges::side >> n)
            , distance(float(1 << n)) {}
        int side;
        float distance;
        OnDevice<float> values = onDevice<float>(size_t(side) * side),
                        other = onDevice<float>(size_t(side) * side),
                        rest = onDevice<float>(size_t(side) * side);
    };
    void settle(const Level& level, int times) {
        float *from = level.values.get(), *to = level.other.get();
        for (int n = 0; n < times; ++n) {
            thirteenth::settle(from, level.rest.get(), to, level.side, level.distance, stream_);
            std::swap(from, to);
        }
    }
    void cycle() {
        for (int n = 0; n < count - 1; ++n) {
            const Level &level = levels_[n], &coarse = levels_[n + 1];
            settle(level, 2);
            thirteenth::coarsen(level.values.get(), level.rest.get(), coarse.values.get(), coarse.rest.get(),
                                level.side, level.distance, stream_);
        }
        settle(levels_[count - 1], 8);
        for (int n = count - 2; n >= 0; --n) {
            thirteenth::refine(levels_[n + 1].values.get(), levels_[n].values.get(), levels_[n].side,
                               stream_);
            settle(levels_[n], 2);
        }
    }
    bool mended_;
    cudaGraphExec_t graph_ = nullptr;
    Level levels_[count] = {Level(0), Level(1), Level(2), Level(3), Level(4), Level(5)};
    Stream stream_;
};

/// Ten turns of a laser scanner a step, 8 MiB of points each, come a turn ahead. Two slots, but one event
/// that says that points are there. It is recorded for the next turn before the kernel of this one waits for
/// it, and so no copy is beside a kernel; mended, each slot has its own. 12 to 25 %.
class Scanner : public Program {
public:
    explicit Scanner(bool mended)
        : mended_(mended) {
        for (Pinned<float>& turn : turns_) {
            turn = pinned<float>(count);
            std::fill(turn.get(), turn.get() + count, 0.1f * float(&turn - turns_));
        }
        load(0);
    }
    ~Scanner() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            const Slot& slot = slots_[number % 2];
            load(number + 1);
            loaded(slot).holdUp(compute_);
            thirteenth::gather(slot.points.get(), cells_.get(), count, 11000, compute_);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(cells_.get(), count); }

private:
    static constexpr size_t count = 2 << 20;
    struct Slot {
        OnDevice<float> points = onDevice<float>(count);
        Event loaded, used;
    };
    const Event& loaded(const Slot& slot) const { return mended_ ? slot.loaded : loaded_; }
    void load(int number) {
        const Slot& slot = slots_[number % 2];
        slot.used.holdUp(up_);
        toDevice(slot.points.get(), turns_[number % 3].get(), count, up_);
        loaded(slot).record(up_);
    }
    bool mended_;
    Pinned<float> turns_[3];
    OnDevice<float> cells_ = onDevice<float>(count);
    Event loaded_;
    Slot slots_[2];
    Stream up_, compute_;
};

/// A stream whose kernels go before those of others, or after them.
class Ranked {
public:
    explicit Ranked(bool first) {
        int last = 0, before = 0; // the smaller number goes first
        CHECK(cudaDeviceGetStreamPriorityRange(&last, &before));
        CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, first ? before : last));
    }
    ~Ranked() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Ranked(const Ranked&) = delete;
    Ranked& operator=(const Ranked&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// Particles move eight times a step. Forces between near ones are one large grid; those between distant ones
/// follow from a mesh, a chain of five small grids that begin at the same time. The chain ought to go first,
/// but the smaller number is the higher priority, and so it waits until the large grid has no more blocks to
/// begin; mended, the priorities are the other way round. 10 to 25 %.
class Particles : public Program {
public:
    explicit Particles(bool mended)
        : near_(!mended)
        , far_(mended) {
        thirteenth::allowTiles();
    }
    ~Particles() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int n = 0; n < 8; ++n) {
            moved_.record(near_);
            moved_.holdUp(far_);
            thirteenth::pullFar(places_.get(), mesh_[0].get(), 14000, far_);
            for (int k = 0; k < 4; ++k)
                thirteenth::pullFar(mesh_[k % 2].get(), mesh_[1 - k % 2].get(), 14000, far_);
            known_.record(far_);
            thirteenth::pullNear(places_.get(), forces_.get(), 10000, near_);
            known_.holdUp(near_);
            thirteenth::push(places_.get(), forces_.get(), mesh_[0].get(), near_);
        }
    }
    double result() override { return sumOf(places_.get(), thirteenth::particles); }

private:
    OnDevice<float> places_ = onDevice<float>(thirteenth::particles),
                    forces_ = onDevice<float>(thirteenth::particles);
    OnDevice<float> mesh_[2] = {onDevice<float>(thirteenth::meshValues),
                                onDevice<float>(thirteenth::meshValues)};
    Event moved_, known_;
    Ranked near_, far_;
};

/// Six times a step a robot senses how far away things are, learns from that, and the host plans where to go
/// next, which takes some 0.1 ms and needs the distances only. It waits for the stream, and so until all is
/// learned; mended, for an event behind the distances, and plans meanwhile. 5 to 12 %.
class Robot : public Program {
public:
    explicit Robot(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int n = i * 6; n < (i + 1) * 6; ++n) {
            toDevice(plan_.get(), hostPlan_.get(), directions, stream_);
            thirteenth::sense(map_.get(), plan_.get(), distances_.get(), count, 4000, stream_);
            toHost(hostDistances_.get(), distances_.get(), directions, stream_);
            sensed_.record(stream_);
            thirteenth::learn(map_.get(), count, 16000, stream_);
            if (mended_)
                sensed_.await();
            else
                CHECK(cudaStreamSynchronize(stream_));
            plan(n);
        }
    }
    double result() override { return sumOf(map_.get(), count); }

private:
    static constexpr size_t count = 2 << 20, directions = thirteenth::directions;
    void plan(int number) {
        float cost = 0.1f * float(number % 5);
        for (size_t n = 0; n < directions; ++n) {
            const float distance = hostDistances_[n];
            cost = std::sqrt(0.5f * cost * cost + distance * distance);
            hostPlan_[n] = 0.1f * cost;
        }
    }
    bool mended_;
    OnDevice<float> map_ = onDevice<float>(count), plan_ = onDevice<float>(directions),
                    distances_ = onDevice<float>(directions);
    Pinned<float> hostPlan_ = pinned<float>(directions), hostDistances_ = pinned<float>(directions);
    Event sensed_;
    Stream stream_;
};

/// An ocean, ten moments a step. After each one the host needs 64 KiB of it, from which the next wind
/// follows. Once a step all of it, 128 MiB, is set aside and leaves in a stream of its own: in one piece,
/// which the first of these rows waits for; mended, seven pieces of 2 MiB leave beside each moment. 12 to 25
/// %.
class Ocean : public Program {
public:
    explicit Ocean(bool mended)
        : mended_(mended) {}
    ~Ocean() override { cudaDeviceSynchronize(); }
    void step(int) override {
        setAside();
        for (size_t n = 0; n < moments; ++n) {
            thirteenth::flow(ocean_.get(), count, wind_, 650, compute_);
            toHost(row_.get(), ocean_.get() + count / 2, row, compute_);
            there_.record(compute_);
            const size_t most = mended_ ? 7 * piece : count;
            leave(n * most, std::min(most, count - std::min(count, n * most)));
            there_.await();
            blow();
        }
        left_.record(side_);
    }
    double result() override { return sumOf(ocean_.get(), count); }

private:
    static constexpr size_t moments = 10, count = 32 << 20, row = 16384, piece = 512 << 10;
    void setAside() {
        left_.holdUp(compute_);
        CHECK(cudaMemcpyAsync(aside_.get(), ocean_.get(), count * sizeof(float), cudaMemcpyDeviceToDevice,
                              compute_));
        copied_.record(compute_);
        copied_.holdUp(side_);
    }
    void leave(size_t from, size_t values) {
        const size_t each = mended_ ? piece : count;
        for (size_t n = from; n < from + values; n += each)
            toHost(kept_.get() + n, aside_.get() + n, each, side_);
    }
    void blow() {
        float sum = 0;
        for (size_t n = 0; n < row; n += 8)
            sum += row_[n];
        wind_ = 0.01f * sum / float(row / 8);
    }
    bool mended_;
    float wind_ = 0.001f;
    OnDevice<float> ocean_ = onDevice<float>(count), aside_ = onDevice<float>(count);
    Pinned<float> kept_ = pinned<float>(count), row_ = pinned<float>(row);
    Event copied_, left_, there_;
    Stream compute_, side_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> thirteenthPairs() {
    const std::vector<std::string> shared = {"stretched"}, reads = {"readback", "host-sync"};
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-sync"};
    const std::vector<std::string> waits = {"host-sync", "host-late"};
    const std::vector<std::string> needed = {"host-sync", "host-late", "readback", "stretched"}; // each row
    return {
        {"rays_counted_by_host", reads, reads, make<Rays>},
        {"texture_made_each_time", memory, memory, make<Bodies>},
        {"bricks_not_pinned", {"pageable"}, {"pageable"}, make<Bricks>, false, shared},
        {"levels_launched_one_by_one", {"launch-bound"}, {"launch-bound"}, make<Charges>},
        {"one_event_for_both_slots", {"event-order"}, {"event-order"}, make<Scanner>, false, shared},
        {"priorities_the_wrong_way_round", {"priority"}, {"priority"}, make<Particles>, false, shared},
        {"plan_waits_for_all_of_stream", waits, waits, make<Robot>},
        {"ocean_leaves_in_one_piece", {"head-of-line"}, {"head-of-line"}, make<Ocean>, false, needed},
    };
}
