// The fourteenth set of mistakes, continued from fourteenth.cpp. Written without reading the analysis.
#include "fourteenth.h"

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Six areas of a brain, four rounds a step. For 100 moments the neurons of an area excite each other, then
/// the synapses of all learn. Each area has a stream and a kernel of its own, some microseconds; mended, one
/// kernel has a row of blocks for each area. 25 to 60 %.
class Brain : public Program {
public:
    explicit Brain(bool mended)
        : mended_(mended) {}
    ~Brain() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int round = 0; round < 4; ++round) {
            if (mended_)
                for (int moment = 0; moment < moments; ++moment)
                    fire(moment, 0, areas, compute_);
            else
                oneByOne();
            fourteenth::learn(states_[0].get(), synapses_.get(), synapses, 6700, compute_);
        }
    }
    double result() override { return sumOf(states_[0].get(), count) + sumOf(synapses_.get(), synapses); }

private:
    static constexpr int moments = 100, areas = fourteenth::areas;
    static constexpr size_t count = size_t(areas) * fourteenth::neurons, synapses = 2 << 20;
    struct Area {
        Event fired;
        Stream stream;
    };
    void fire(int moment, int first, int number, cudaStream_t stream) {
        fourteenth::fire(states_[moment % 2].get(), states_[1 - moment % 2].get(), synapses_.get(), first,
                         number, stream);
    }
    void oneByOne() {
        learned_.record(compute_);
        for (const Area& area : areas_)
            learned_.holdUp(area.stream);
        for (int moment = 0; moment < moments; ++moment)
            for (int n = 0; n < areas; ++n)
                fire(moment, n, 1, areas_[n].stream);
        for (const Area& area : areas_) {
            area.fired.record(area.stream);
            area.fired.holdUp(compute_);
        }
    }
    bool mended_;
    OnDevice<float> states_[2] = {onDevice<float>(count), onDevice<float>(count)},
                    synapses_ = onDevice<float>(synapses);
    Event learned_;
    Area areas_[areas];
    Stream compute_;
};

/// Twelve slices of a body a step, 12 MiB each, come, are denoised and leave, which take about as long each.
/// The slices take turns in streams with a buffer each: two of them, which keep no more than two of the three
/// busy; mended, four. 15 to 30 %.
class Slices : public Program {
public:
    explicit Slices(bool mended)
        : lanes_(mended ? 4 : 2) {
        for (size_t n = 0; n < slices * pixels; ++n)
            in_[n] = 0.01f * float(n % 251);
    }
    ~Slices() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (size_t number = size_t(i) * slices; number < size_t(i + 1) * slices; ++number) {
            const Lane& lane = lanes_[number % lanes_.size()];
            const size_t begin = number % slices * pixels;
            toDevice(lane.slice.get(), in_.get() + begin, pixels, lane.stream);
            fourteenth::denoise(lane.slice.get(), pixels, 1900, lane.stream);
            toHost(out_.get() + begin, lane.slice.get(), pixels, lane.stream);
        }
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = 0;
        for (size_t n = 0; n < slices * pixels; n += 16)
            sum += double(out_[n]);
        return sum;
    }

private:
    static constexpr size_t slices = 12, pixels = 3 << 20;
    struct Lane {
        OnDevice<float> slice = onDevice<float>(pixels);
        Stream stream;
    };
    Pinned<float> in_ = pinned<float>(slices * pixels), out_ = pinned<float>(slices * pixels);
    std::vector<Lane> lanes_;
};

/// Eight pictures of a camera a step, in pinned memory, with 128 faces each, which come to the device to be
/// recognised; two slots. A copy of a rectangle for each face; mended, a kernel reads all of them from there.
/// 30 to 60 %.
class Crowd : public Program {
public:
    explicit Crowd(bool mended)
        : mended_(mended) {
        for (Pinned<uchar4>& picture : pictures_) {
            picture = pinned<uchar4>(pixels);
            for (size_t n = 0; n < pixels; ++n)
                picture[n].x = static_cast<unsigned char>(n % 251);
        }
    }
    ~Crowd() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.used.holdUp(up_);
            cutOut(pictures_[number % 3].get(), found(number), slot.cut.get());
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            fourteenth::recognise(slot.cut.get(), features_.get(), 13000, compute_);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(features_.get(), values); }

private:
    static constexpr int width = fourteenth::width, height = fourteenth::height, faces = fourteenth::faces,
                         side = fourteenth::side;
    static constexpr size_t pixels = size_t(width) * height, values = faces * fourteenth::pixelsOfFace;
    struct Slot {
        OnDevice<uchar4> cut = onDevice<uchar4>(values);
        Event loaded, used;
    };
    static fourteenth::Faces found(int number) {
        fourteenth::Faces where = {};
        for (int n = 0; n < faces; ++n)
            where.places[n] = make_int2((n * 37 + number * 11) % ((width - side) / 4) * 4,
                                        (n * 53 + number * 29) % (height - side));
        return where;
    }
    void cutOut(const uchar4* picture, const fourteenth::Faces& where, uchar4* cut) const {
        if (mended_) {
            fourteenth::cutOut(picture, where, cut, up_);
            return;
        }
        const size_t row = side * sizeof(uchar4);
        for (int n = 0; n < faces; ++n) {
            const uchar4* const from = picture + where.places[n].y * width + where.places[n].x;
            CHECK(cudaMemcpy2DAsync(cut + n * fourteenth::pixelsOfFace, row, from, width * sizeof(uchar4),
                                    row, side, cudaMemcpyHostToDevice, up_));
        }
    }
    bool mended_;
    Pinned<uchar4> pictures_[3];
    OnDevice<float> features_ = onDevice<float>(values);
    Slot slots_[2];
    Stream up_, compute_;
};

/// A protein folds by 2000 small moves a step, and 15 pictures of how it was before are rendered in a stream
/// of their own. All moves are issued first, which are more than a stream has room for: the host waits for
/// room, and the pictures begin late; mended, they are issued first. 10 to 35 %.
class Protein : public Program {
public:
    explicit Protein(bool mended)
        : mended_(mended) {}
    ~Protein() override { cudaDeviceSynchronize(); }
    void step(int) override {
        CHECK(cudaMemcpyAsync(before_.get(), atoms_.get(), fourteenth::atoms * sizeof(float),
                              cudaMemcpyDeviceToDevice, moves_));
        begun_.record(moves_);
        begun_.holdUp(pictures_);
        if (mended_)
            render();
        for (int n = 0; n < 2000; ++n)
            fourteenth::move(atoms_.get(), 2600, moves_);
        if (!mended_)
            render();
        shown_.holdUp(moves_);
    }
    double result() override {
        return sumOf(atoms_.get(), fourteenth::atoms) + sumOf(picture_.get(), fourteenth::rendered);
    }

private:
    void render() {
        for (int n = 0; n < 15; ++n)
            fourteenth::render(before_.get(), picture_.get(), 400000, pictures_);
        shown_.record(pictures_);
    }
    bool mended_;
    OnDevice<float> atoms_ = onDevice<float>(fourteenth::atoms), before_ = onDevice<float>(fourteenth::atoms),
                    picture_ = onDevice<float>(fourteenth::rendered);
    Event begun_, shown_;
    Stream moves_, pictures_;
};

/// Four collisions in a detector a step, six pieces of 8 MiB of hits each, and tracks that fit them. The list
/// of hits grows by a piece at a time: larger memory, a copy, and the old one is freed; after each collision
/// all of it is. Mended, the list has room for all pieces once. 10 to 40 %.
class Collisions : public Program {
public:
    explicit Collisions(bool mended)
        : mended_(mended) {
        if (mended_)
            hits_ = onDevice<float>(pieces * count);
    }
    ~Collisions() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            for (size_t piece = 0; piece < pieces; ++piece) {
                if (!mended_)
                    grow(piece);
                fourteenth::track(hits_.get() + piece * count, count, number + int(piece), 3300, stream_);
            }
            fourteenth::fit(hits_.get(), int(pieces), count, tracks_.get(), 1500, stream_);
            if (!mended_)
                hits_.reset();
        }
    }
    double result() override { return sumOf(tracks_.get(), count); }

private:
    static constexpr size_t pieces = 6, count = 2 << 20;
    void grow(size_t before) {
        void* memory = nullptr;
        CHECK(cudaMalloc(&memory, (before + 1) * count * sizeof(float)));
        if (before > 0)
            CHECK(cudaMemcpyAsync(memory, hits_.get(), before * count * sizeof(float),
                                  cudaMemcpyDeviceToDevice, stream_));
        hits_.reset(static_cast<float*>(memory)); // cudaFree waits for the copy
    }
    bool mended_;
    OnDevice<float> hits_, tracks_ = onDevice<float>(count);
    Stream stream_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fourteenthMorePairs() {
    const std::vector<std::string> shared = {"stretched"}, ways = {"stretched", "both-directions"};
    const std::vector<std::string> streams = {"too-few-streams", "same-stream"};
    const std::vector<std::string> copies = {"small-copies", "launch-bound"};
    const std::vector<std::string> memory = {"allocation", "device-barrier"};
    return {
        {"areas_launched_one_by_one", {"launch-bound"}, {"launch-bound"}, make<Brain>},
        {"two_streams_for_three_engines", streams, streams, make<Slices>, false, ways},
        {"faces_cut_out_one_by_one", copies, copies, make<Crowd>, false, shared},
        {"moves_issued_before_pictures", {"queue-full"}, {"queue-full"}, make<Protein>, false, shared},
        {"list_of_hits_grows_by_pieces", memory, memory, make<Collisions>},
    };
}
