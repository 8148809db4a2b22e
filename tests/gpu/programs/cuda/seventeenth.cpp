// A seventeenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in seventeenth_healthy.cpp.
#include "seventeenth.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <utility>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Where fields get their memory from; it may keep what it is given back.
class Fields {
public:
    explicit Fields(bool keeps)
        : keeps_(keeps) {}
    ~Fields() {
        for (float* const memory : kept_)
            cudaFree(memory);
    }
    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;
    float* take() {
        void* memory = nullptr;
        if (kept_.empty()) {
            CHECK(cudaMalloc(&memory, seventeenth::riverValues * sizeof(float)));
        } else {
            memory = kept_.back();
            kept_.pop_back();
        }
        return static_cast<float*>(memory);
    }
    void give(float* memory) {
        if (keeps_)
            kept_.push_back(memory);
        else
            CHECK(cudaFree(memory));
    }

private:
    bool keeps_;
    std::vector<float*> kept_;
};

/// A field that functions return by value.
class Field {
public:
    explicit Field(Fields& fields)
        : fields_(&fields)
        , values_(fields.take()) {}
    ~Field() {
        if (values_)
            fields_->give(values_);
    }
    Field(Field&& other) noexcept
        : fields_(other.fields_)
        , values_(std::exchange(other.values_, nullptr)) {}
    Field& operator=(Field&& other) noexcept {
        std::swap(values_, other.values_);
        return *this;
    }
    float* get() const { return values_; }

private:
    Fields* fields_;
    float* values_;
};

/// A river in flood, five moments of three kernels a step, 0.25 ms each. Each function returns a new field of
/// 4 MiB, as if fields were numbers. Each field is allocated, and freed when it goes out of scope; mended,
/// fields keep their memory for the next ones of the stream. 15 to 40 %.
class River : public Program {
public:
    explicit River(bool mended)
        : fields_(mended) {
        for (const Field* field : {&water_, &bed_})
            CHECK(cudaMemset(field->get(), 0, seventeenth::riverValues * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
    }
    ~River() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int n = 0; n < 5; ++n) {
            const Field running = run();
            const Field held = holdBack(running);
            water_ = settleDown(running, held);
        }
        ended_[i % 2].record(stream_);
    }
    double result() override { return sumOf(water_.get(), seventeenth::riverValues); }

private:
    static constexpr int rounds = 6700;
    Field run() {
        Field to(fields_);
        seventeenth::run(water_.get(), bed_.get(), to.get(), rounds, stream_);
        return to;
    }
    Field holdBack(const Field& running) {
        Field to(fields_);
        seventeenth::holdBack(running.get(), bed_.get(), to.get(), rounds, stream_);
        return to;
    }
    Field settleDown(const Field& running, const Field& held) {
        Field to(fields_);
        seventeenth::settleDown(water_.get(), running.get(), held.get(), to.get(), rounds, stream_);
        return to;
    }
    Fields fields_;
    Field water_{fields_}, bed_{fields_};
    Event ended_[2];
    Stream stream_;
};

/// A crystal grows, six sweeps of 0.4 ms a step, and a film is made of it. After each sweep it is copied, 8
/// MiB, to another place of the device, from which it goes to the host in a second stream, about 0.17 ms. The
/// next sweep waits until it has left; mended, only the next copy to that place does. 20 to 32 %.
class Crystal : public Program {
public:
    explicit Crystal(bool mended)
        : mended_(mended) {}
    ~Crystal() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Frame& frame = frames_[number % 2];
            frame.left.await(); // two sweeps ago
            seen_ += double(frame.picture[size_t(number) * 101 % values]);
            const float* const grown = melt_[(number + 1) % 2].get();
            if (!mended_)
                frames_[(number + 1) % 2].left.holdUp(compute_);
            seventeenth::freeze(melt_[number % 2].get(), melt_[(number + 1) % 2].get(), 5300, compute_);
            if (mended_)
                frames_[(number + 1) % 2].left.holdUp(compute_);
            CHECK(cudaMemcpyAsync(shown_.get(), grown, values * sizeof(float), cudaMemcpyDeviceToDevice,
                                  compute_));
            kept_.record(compute_);
            kept_.holdUp(down_);
            toHost(frame.picture.get(), shown_.get(), values, down_);
            frame.left.record(down_);
        }
    }
    double result() override { return seen_ + sumOf(melt_[0].get(), values); }

private:
    static constexpr size_t values = seventeenth::meltValues;
    struct Frame {
        Pinned<float> picture = pinned<float>(values);
        Event left;
    };
    bool mended_;
    double seen_ = 0;
    OnDevice<float> melt_[2] = {onDevice<float>(values), onDevice<float>(values)},
                    shown_ = onDevice<float>(values);
    Frame frames_[2];
    Event kept_;
    Stream compute_, down_;
};

/// A fractal in tiles of 4 MiB, eight a step, each drawn in 0.38 ms and sent to the host in a second stream.
/// How far it is, is told by a callback behind the kernel of each tile, for which the next tile waits;
/// mended, by the host when it has waited for the tile, two tiles later. 4 to 10 %.
class Fractal : public Program {
public:
    explicit Fractal(bool mended)
        : mended_(mended) {}
    ~Fractal() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Tile& tile = tiles_[number % 2];
            tile.left.await(); // two tiles ago
            if (mended_ && number > 1)
                tell();
            seventeenth::draw(tile.pixels.get(), number, 10100, compute_);
            if (!mended_)
                CHECK(cudaStreamAddCallback(compute_, drawn, this, 0));
            tile.drawn.record(compute_);
            tile.drawn.holdUp(down_);
            toHost(tile.picture.get(), tile.pixels.get(), pixels, down_);
            tile.left.record(down_);
            issued_ = number + 1;
        }
    }
    double result() override {
        const double sum = sumOf(tiles_[0].pixels.get(), pixels) + sumOf(tiles_[1].pixels.get(), pixels);
        while (mended_ && told_ < issued_)
            tell();
        return sum + told_;
    }

private:
    static constexpr size_t pixels = seventeenth::tilePixels;
    struct Tile {
        OnDevice<float> pixels = onDevice<float>(Fractal::pixels);
        Pinned<float> picture = pinned<float>(Fractal::pixels);
        Event drawn, left;
    };
    static void CUDART_CB drawn(cudaStream_t, cudaError_t, void* given) {
        static_cast<Fractal*>(given)->tell();
    }
    void tell() {
        ++told_;
        std::snprintf(line_, sizeof line_, "%d tiles are drawn, %d %% of this picture", told_, told_ % 100);
    }
    bool mended_;
    int issued_ = 0, told_ = 0;
    char line_[96] = "";
    Tile tiles_[2];
    Stream compute_, down_;
};

/// Two voices speak, 160 moments a step and three tiny kernels a moment, each of which needs the one before.
/// Streams of their own, 80 KiB come and 640 bytes leave a step. All 960 kernels are launched one by one;
/// mended, those of each voice are a graph that was made once. 30 to 55 %.
class Voices : public Program {
public:
    explicit Voices(bool mended)
        : mended_(mended) {
        seventeenth::fill(bands_, bandsOfStep);
        for (Voice& voice : voices_) {
            if (mended_)
                voice.graph = twelfth::graphOf(voice.stream, [&] {
                    for (int moment = 0; moment < moments; ++moment)
                        speak(voice, moment);
                });
        }
    }
    ~Voices() override {
        cudaDeviceSynchronize();
        for (const Voice& voice : voices_) {
            if (voice.graph)
                cudaGraphExecDestroy(voice.graph);
        }
    }
    void step(int i) override {
        for (const Voice& voice : voices_) {
            voice.said[i % 2].await(); // two steps ago
            heard_ += double(voice.spoken[i % 2][size_t(i) % moments]);
            toDevice(voice.bands.get(), bands_[i % 3].get(), bandsOfStep, voice.stream);
        }
        if (mended_) {
            for (const Voice& voice : voices_)
                CHECK(cudaGraphLaunch(voice.graph, voice.stream));
        } else {
            for (int moment = 0; moment < moments; ++moment) {
                for (const Voice& voice : voices_)
                    speak(voice, moment);
            }
        }
        for (const Voice& voice : voices_) {
            toHost(voice.spoken[i % 2].get(), voice.sound.get(), moments, voice.stream);
            voice.said[i % 2].record(voice.stream);
        }
    }
    double result() override {
        return heard_ + sumOf(voices_[0].units[0].get(), units) + sumOf(voices_[1].units[0].get(), units);
    }

private:
    static constexpr int moments = 160, rounds = 700;
    static constexpr size_t units = seventeenth::voiceUnits, bandsOfMoment = seventeenth::bandsOfMoment,
                            bandsOfStep = moments * bandsOfMoment;
    struct Voice {
        OnDevice<float> bands = onDevice<float>(bandsOfStep), sound = onDevice<float>(moments),
                        units[3] = {onDevice<float>(Voices::units), onDevice<float>(Voices::units),
                                    onDevice<float>(Voices::units)};
        Pinned<float> spoken[2] = {pinned<float>(moments), pinned<float>(moments)};
        Event said[2];
        cudaGraphExec_t graph = nullptr;
        Stream stream;
    };
    static void speak(const Voice& voice, int moment) {
        float* const sound = voice.sound.get();
        const float* const before = sound + (moment + moments - 1) % moments;
        seventeenth::hear(voice.bands.get() + size_t(moment) * bandsOfMoment, before, voice.units[0].get(),
                          voice.units[1].get(), rounds, voice.stream);
        seventeenth::gate(voice.units[1].get(), voice.units[2].get(), rounds, voice.stream);
        seventeenth::say(voice.units[2].get(), voice.units[0].get(), sound + moment, rounds, voice.stream);
    }
    bool mended_;
    double heard_ = 0;
    Pinned<float> bands_[3];
    Voice voices_[2];
};

/// A text is translated, four batches a step. The host makes a batch of words in 1.3 ms, three batches ahead
/// by std::async; 2 MiB go to one of two slots, and three layers take 0.3 ms each. The tasks are deferred, so
/// that the thread that issues does each one when it asks for it; mended, each has a thread. 22 to 34 %.
class Translator : public Program {
public:
    explicit Translator(bool mended)
        : policy_(mended ? std::launch::async : std::launch::deferred) {
        for (int number = 0; number < ahead; ++number)
            prepare(number);
    }
    ~Translator() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            ready_[number % (ahead + 1)].get();
            translate(batches_[number % (ahead + 1)], slots_[number % 2]);
            batches_[(number + ahead) % (ahead + 1)].sent.await(); // the batch before
            prepare(number + ahead);
        }
    }
    double result() override { return sumOf(meanings_[0].get(), meanings); }

private:
    static constexpr int ahead = 3, rounds = 8000;
    static constexpr size_t words = seventeenth::wordValues, meanings = seventeenth::meanings;
    struct Batch {
        Pinned<float> words = pinned<float>(Translator::words);
        Event sent;
    };
    struct Slot {
        OnDevice<float> words = onDevice<float>(Translator::words);
        Event used;
    };
    void prepare(int number) {
        ready_[number % (ahead + 1)] =
            std::async(policy_, writeWords, batches_[number % (ahead + 1)].words.get(), number);
    }
    /// The same places each time, so that nothing of another batch is left.
    static void writeWords(float* words, int number) {
        for (size_t n = 0; n < Translator::words; n += 64)
            words[n] = 0.01f * float((n / 64 + size_t(number) * 7) % 89);
        workOnHost(1280);
    }
    void translate(const Batch& batch, const Slot& slot) {
        slot.used.holdUp(up_);
        toDevice(slot.words.get(), batch.words.get(), words, up_);
        batch.sent.record(up_);
        batch.sent.holdUp(compute_);
        seventeenth::embed(slot.words.get(), meanings_[0].get(), meanings_[1].get(), rounds, compute_);
        slot.used.record(compute_);
        seventeenth::layer(meanings_[1].get(), meanings_[2].get(), rounds, compute_);
        seventeenth::layer(meanings_[2].get(), meanings_[0].get(), rounds, compute_);
    }
    std::launch policy_;
    OnDevice<float> meanings_[3] = {onDevice<float>(meanings), onDevice<float>(meanings),
                                    onDevice<float>(meanings)};
    Batch batches_[ahead + 1];
    std::future<void> ready_[ahead + 1]; // waits for its threads before the batches go
    Slot slots_[2];
    Stream up_, compute_;
};

/// A gas in the pores of a mineral, ten sweeps of 0.3 ms a step. How many moves were accepted is for a log
/// only. The host reads the number behind each sweep and waits for it; mended, it reads those of two steps
/// ago. 4 to 10 %.
class Gas : public Program {
public:
    explicit Gas(bool mended)
        : mended_(mended) {}
    ~Gas() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        slot.swept.await(); // two steps ago
        for (int n = 0; mended_ && n < sweeps; ++n)
            log(slot.counts[n]);
        CHECK(cudaMemsetAsync(slot.accepted.get(), 0, sweeps * sizeof(unsigned), stream_));
        for (int n = 0; n < sweeps; ++n) {
            seventeenth::moveGas(places_.get(), &slot.accepted[n], i * sweeps + n, 4000, stream_);
            toHost(&slot.counts[n], &slot.accepted[n], 1, stream_);
            if (!mended_) {
                CHECK(cudaStreamSynchronize(stream_));
                log(slot.counts[n]);
            }
        }
        slot.swept.record(stream_);
    }
    double result() override {
        double sum = sumOf(places_.get(), seventeenth::molecules) + accepted_; // waits for all
        for (const Slot& slot : slots_) {
            for (int n = 0; mended_ && n < sweeps; ++n)
                sum += slot.counts[n]; // the last two steps
        }
        return sum;
    }

private:
    static constexpr int sweeps = 10;
    struct Slot {
        OnDevice<unsigned> accepted = onDevice<unsigned>(sweeps);
        Pinned<unsigned> counts = pinned<unsigned>(sweeps);
        Event swept;
    };
    void log(unsigned count) {
        accepted_ += count;
        std::snprintf(line_, sizeof line_, "accepted %.4f", double(count) / double(seventeenth::molecules));
    }
    bool mended_;
    double accepted_ = 0;
    char line_[64] = "";
    OnDevice<float> places_ = onDevice<float>(seventeenth::molecules);
    Slot slots_[2];
    Stream stream_;
};

/// A file without a name in the temporary folder, mapped into memory.
class MappedFile {
public:
    explicit MappedFile(size_t values)
        : bytes_(values * sizeof(float)) {
        std::string name = (std::filesystem::temp_directory_path() / "mapXXXXXX").string();
        const int file = mkstemp(name.data());
        void* memory = MAP_FAILED;
        if (file >= 0 && unlink(name.c_str()) == 0 && ftruncate(file, off_t(bytes_)) == 0)
            memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (file >= 0)
            close(file);
        if (memory == MAP_FAILED) {
            std::perror("file of the map");
            std::exit(1);
        }
        values_ = static_cast<float*>(memory);
        for (size_t n = 0; n < values; ++n)
            values_[n] = 0.01f * float(n % 97);
    }
    ~MappedFile() { munmap(values_, bytes_); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    const float* get() const { return values_; }

private:
    size_t bytes_;
    float* values_ = nullptr;
};

/// Roads are found on a map of 12 parts, eight parts a step. A part, 3.5 MiB, goes to one of two slots, and
/// roads are found in 0.3 ms. The parts are copied from a file that is mapped into memory, as it is; mended,
/// from pinned memory to which the file was read at the start. 25 to 58 %.
class RoadMap : public Program {
public:
    explicit RoadMap(bool mended)
        : pinned_(pinned<float>(mended ? parts * pixels : 1))
        , map_(mended ? pinned_.get() : file_.get()) {
        if (mended)
            std::memcpy(pinned_.get(), file_.get(), parts * pixels * sizeof(float));
    }
    ~RoadMap() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.used.holdUp(up_);
            toDevice(slot.part.get(), map_ + size_t(number) % parts * pixels, pixels, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            seventeenth::findRoads(slot.part.get(), roads_.get(), 9100, compute_);
            slot.used.record(compute_);
        }
        ended_[i % 2].record(compute_);
    }
    double result() override { return sumOf(roads_.get(), pixels); }

private:
    static constexpr size_t parts = 12, pixels = seventeenth::partPixels;
    struct Slot {
        OnDevice<float> part = onDevice<float>(pixels);
        Event loaded, used;
    };
    MappedFile file_{parts * pixels};
    Pinned<float> pinned_;
    const float* map_;
    OnDevice<float> roads_ = onDevice<float>(pixels);
    Slot slots_[2];
    Event ended_[2];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> seventeenthPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"fields_of_river_as_numbers", {"allocation"}, {"allocation"}, make<River>, false, shared},
        {"crystal_waits_for_its_film", {"event-order"}, {"event-order"}, make<Crystal>, false, shared},
        {"progress_told_by_callback", {"callback"}, {"callback"}, make<Fractal>, false, shared},
        {"voices_moment_by_moment", {"launch-bound"}, {"launch-bound"}, make<Voices>, false, shared},
        {"batches_of_words_deferred", {"host-late"}, {"host-late"}, make<Translator>, false, shared},
        {"accepted_moves_for_log", {"readback"}, {"readback"}, make<Gas>, false, shared},
        {"parts_of_mapped_file", {"pageable"}, {"pageable"}, make<RoadMap>, false, shared},
    };
}
