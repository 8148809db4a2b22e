// A sixteenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in sixteenth_healthy.cpp.
#include "sixteenth.h"

#include <numeric>

namespace {

using namespace third;
using sixteenth::fill;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// A radar in orbit sees six strips of the ground a step. Echoes, 4 MiB, come a strip ahead from pinned
/// memory and are focused, 0.4 ms. The picture, 2 MiB, goes in a third stream to the archive of four strips,
/// of which the host looks at the one of two strips ago. The archive is in vectors: the call waits for the
/// picture and copies it, about 0.25 ms, before the next strip is issued; mended, in pinned memory. 30
/// to 47 %.
class Orbit : public Program {
public:
    explicit Orbit(bool mended) {
        for (int n = 0; n < kept; ++n) {
            fixed_[n] = pinned<float>(mended ? pixels : 1);
            plain_[n].resize(pixels);
            archive_[n] = mended ? fixed_[n].get() : plain_[n].data();
        }
        fill(echoes_, values);
        bring(0);
    }
    ~Orbit() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.left.await(); // two strips ago
            seen_ += double(archive_[(number + 2) % kept][size_t(number) * 97 % pixels]);
            bring(number + 1);
            slot.loaded.holdUp(compute_);
            sixteenth::focus(slot.echoes.get(), slot.picture.get(), 21400, compute_);
            slot.focused.record(compute_);
            slot.focused.holdUp(down_);
            toHost(archive_[number % kept], slot.picture.get(), pixels, down_);
            slot.left.record(down_);
        }
    }
    double result() override {
        return seen_ + sumOf(slots_[0].picture.get(), pixels) + sumOf(slots_[1].picture.get(), pixels);
    }

private:
    static constexpr int kept = 4;
    static constexpr size_t pixels = sixteenth::groundPixels, values = sixteenth::echoValues;
    struct Slot {
        OnDevice<float> echoes = onDevice<float>(values), picture = onDevice<float>(pixels);
        Event loaded, focused, left;
    };
    void bring(int number) {
        const Slot& slot = slots_[number % 2];
        slot.focused.holdUp(up_);
        toDevice(slot.echoes.get(), echoes_[number % 3].get(), values, up_);
        slot.loaded.record(up_);
    }
    double seen_ = 0;
    std::vector<float> plain_[kept];
    Pinned<float> fixed_[kept], echoes_[3];
    float* archive_[kept] = {};
    Slot slots_[2];
    Stream up_, compute_, down_;
};

/// Six circuit boards a step are looked at. What the camera saw, 10 MiB, comes to one buffer, about 0.21 ms,
/// is developed, 0.06 ms, and three passes go over the picture, 0.15 ms each. The next board may come when
/// the buffer is free: the copy waits for an event behind the last pass; mended, for one behind developing,
/// which alone reads the buffer. 22 to 34 %.
class Boards : public Program {
public:
    explicit Boards(bool mended)
        : mended_(mended) {
        fill(boards_, pixels);
    }
    ~Boards() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            free_.holdUp(up_);
            toDevice(raw_.get(), boards_[number % 3].get(), pixels, up_);
            loaded_.record(up_);
            loaded_.holdUp(compute_);
            sixteenth::develop(raw_.get(), pictures_[0].get(), 600, compute_);
            if (mended_)
                free_.record(compute_);
            for (int pass = 0; pass < 3; ++pass)
                sixteenth::examine(pictures_[pass % 2].get(), pictures_[1 - pass % 2].get(), 1600, compute_);
            if (!mended_)
                free_.record(compute_);
        }
        ended_[i % 2].record(compute_);
    }
    double result() override { return sumOf(pictures_[0].get(), pixels) + sumOf(pictures_[1].get(), pixels); }

private:
    static constexpr size_t pixels = sixteenth::boardPixels;
    bool mended_;
    Pinned<float> boards_[3];
    OnDevice<float> raw_ = onDevice<float>(pixels),
                    pictures_[2] = {onDevice<float>(pixels), onDevice<float>(pixels)};
    Event free_, loaded_, ended_[2];
    Stream up_, compute_;
};

/// A concert hall with 256 loudspeakers, eight pieces of 6 MiB a step, 0.13 ms to come and 0.25 ms to be
/// heard, two slots and two blocking streams. How loud each speaker is changes once a step, in constant
/// memory. The stream is the last argument of setGains(), has a default and was forgotten: the first piece of
/// the step comes only when the last one of the step before was heard; mended, that of the kernels. 4 to 9 %.
class Hall : public Program {
public:
    explicit Hall(bool mended)
        : mended_(mended) {
        fill(pieces_, samples);
    }
    ~Hall() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        heard_[i % 2].await(); // two steps ago
        turnUp(i);
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.used.holdUp(up_);
            toDevice(slot.samples.get(), pieces_[number % 3].get(), samples, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            sixteenth::sound(slot.samples.get(), seats_.get(), 6700, compute_);
            slot.used.record(compute_);
        }
        heard_[i % 2].record(compute_);
    }
    double result() override { return sumOf(seats_.get(), sixteenth::hallSeats); }

private:
    static constexpr size_t samples = sixteenth::hallSamples, speakers = sixteenth::speakers;
    struct Slot {
        OnDevice<float> samples = onDevice<float>(Hall::samples);
        Event loaded, used;
    };
    void turnUp(int i) {
        float* const gains = gains_[i % 2].get();
        for (size_t n = 0; n < speakers; ++n)
            gains[n] = 0.5f + 0.1f * float((n + size_t(i)) % 9);
        mended_ ? sixteenth::setGains(gains, compute_) : sixteenth::setGains(gains);
    }
    bool mended_;
    Pinned<float> pieces_[3], gains_[2] = {pinned<float>(speakers), pinned<float>(speakers)};
    OnDevice<float> seats_ = onDevice<float>(sixteenth::hallSeats);
    Slot slots_[2];
    Event heard_[2];
    Stream up_{cudaStreamDefault}, compute_{cudaStreamDefault};
};

/// The lidar of a car turns eight times a step. The host puts the points, 6 MiB, in order in 0.14 ms; they
/// come to one of two slots, 0.13 ms, and change a map, 0.22 ms. There is one pinned buffer, and so the host
/// waits until it was sent before it puts the next points there; mended, there are two, and it waits for the
/// turn before. 15 to 30 %.
class Lidar : public Program {
public:
    explicit Lidar(bool mended)
        : buffers_(mended ? 2 : 1) {}
    ~Lidar() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Buffer& buffer = buffers_[size_t(number) % buffers_.size()];
            buffer.sent.await();
            putInOrder(buffer.points.get(), number);
            const Slot& slot = slots_[number % 2];
            slot.used.holdUp(up_);
            toDevice(slot.points.get(), buffer.points.get(), values, up_);
            buffer.sent.record(up_);
            buffer.sent.holdUp(compute_);
            sixteenth::enter(slot.points.get(), map_.get(), 5900, compute_);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(map_.get(), sixteenth::mapCells); }

private:
    static constexpr size_t values = sixteenth::lidarValues;
    struct Buffer {
        Pinned<float> points = pinned<float>(values);
        Event sent;
    };
    struct Slot {
        OnDevice<float> points = onDevice<float>(values);
        Event used;
    };
    /// The same places each time, so that nothing of another turn is left.
    static void putInOrder(float* points, int number) {
        for (size_t n = 0; n < values; n += 128)
            points[n] = 0.01f * float((n / 128 + size_t(number) * 5) % 83);
        workOnHost(125);
    }
    std::vector<Buffer> buffers_;
    OnDevice<float> map_ = onDevice<float>(sixteenth::mapCells);
    Slot slots_[2];
    Stream up_, compute_;
};

/// A glacier has four tongues, a stream and a quarter of the device each, eight moments of 0.3 ms a step. The
/// kernel writes where the front is to pinned memory. A host function behind each moment adds it up, and the
/// next moment of the tongue waits for it; mended, the host adds up those of two steps ago. 4 to 10 %.
class Glacier : public Program {
public:
    explicit Glacier(bool mended)
        : mended_(mended) {}
    ~Glacier() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (Tongue& tongue : tongues_) {
            tongue.flown[i % 2].await(); // two steps ago
            for (int n = 0; mended_ && n < moments; ++n)
                addUp(&tongue.moments[i % 2][n]);
            for (int n = 0; n < moments; ++n) {
                Moment& moment = tongue.moments[i % 2][n];
                sixteenth::flow(tongue.ice[n % 2].get(), tongue.ice[1 - n % 2].get(), moment.front.get(),
                                127000, tongue.stream);
                if (!mended_)
                    CHECK(cudaLaunchHostFunc(tongue.stream, addUp, &moment));
            }
            tongue.flown[i % 2].record(tongue.stream);
        }
    }
    double result() override {
        double sum = 0;
        for (const Tongue& tongue : tongues_) {
            sum += sumOf(tongue.ice[0].get(), values); // waits for all
            for (const auto& step : tongue.moments)
                for (const Moment& moment : step)
                    sum += moment.way + (mended_ ? wayOf(moment) : 0); // the last two steps
        }
        return sum;
    }

private:
    static constexpr int moments = 8;
    static constexpr size_t values = sixteenth::iceValues;
    struct Moment {
        Pinned<float> front = pinned<float>(sixteenth::frontValues);
        double way = 0;
    };
    struct Tongue {
        OnDevice<float> ice[2] = {onDevice<float>(values), onDevice<float>(values)};
        Moment moments[2][Glacier::moments];
        Event flown[2];
        Stream stream;
    };
    static double wayOf(const Moment& moment) {
        return std::accumulate(moment.front.get(), moment.front.get() + sixteenth::frontValues, 0.0);
    }
    static void CUDART_CB addUp(void* given) {
        Moment& moment = *static_cast<Moment*>(given);
        moment.way += wayOf(moment);
    }
    bool mended_;
    Tongue tongues_[4];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> sixteenthPairs() {
    const std::vector<std::string> shared = {"stretched"}, waits = {"host-sync", "host-late"};
    return {
        {"archive_of_strips_in_vectors", {"pageable"}, {"pageable"}, make<Orbit>, false, shared},
        {"board_waits_for_last_pass", {"event-order"}, {"event-order"}, make<Boards>, false, shared},
        {"gains_set_without_stream", {"null-stream"}, {"null-stream"}, make<Hall>, false, shared},
        {"points_in_one_pinned_buffer", waits, {"host-sync"}, make<Lidar>, false, shared},
        {"front_added_by_host_functions", {"callback"}, {"callback"}, make<Glacier>, false, shared},
    };
}
