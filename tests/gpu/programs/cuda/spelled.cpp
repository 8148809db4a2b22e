// One mistake in many spellings: the host looks at a value in each step and goes on only then. See
// spelled_loops.py. Only the programs that ask are recorded.
#include "sixth.h"

namespace {

using namespace third;
using namespace sixth;

enum class Asked { Copied, StreamAwaited, EventAwaited, DeviceAwaited, Pageable, Polled, Waited };

/// Two milliseconds of kernels, a question, and a millisecond of the host.
class Asking : public Program {
public:
    Asking(bool mended, Asked how)
        : mended_(mended)
        , how_(how) {}
    void step(int i) override {
        mix(values_.get(), count, 30000, stream_);
        if (!mended_ || i % 50 == 0)
            ask();
        workOnHost(1000);
    }

private:
    static constexpr size_t count = 1 << 20;
    void copy() { toHost(host_.get(), values_.get(), 1, stream_); }
    void ask() {
        switch (how_) {
        case Asked::Copied: // by the NULL stream, so the other one is a blocking stream
            return CHECK(cudaMemcpy(&seen_, values_.get(), sizeof(float), cudaMemcpyDeviceToHost));
        case Asked::StreamAwaited:
            copy();
            return CHECK(cudaStreamSynchronize(stream_));
        case Asked::EventAwaited:
            copy();
            copied_.record(stream_);
            return copied_.await();
        case Asked::DeviceAwaited:
            copy();
            return CHECK(cudaDeviceSynchronize());
        case Asked::Pageable: // pageable
            CHECK(cudaMemcpyAsync(&seen_, values_.get(), sizeof(float), cudaMemcpyDeviceToHost, stream_));
            return CHECK(cudaStreamSynchronize(stream_));
        case Asked::Waited:
            return CHECK(cudaStreamSynchronize(stream_));
        case Asked::Polled:
            while (cudaStreamQuery(stream_) == cudaErrorNotReady) {
            }
            return;
        }
    }
    bool mended_;
    Asked how_;
    float seen_ = 0;
    Pinned<float> host_ = pinned<float>(1);
    OnDevice<float> values_ = onDevice<float>(count);
    Event copied_;
    Stream stream_{cudaStreamDefault};
};

Pair asking(const char* name, Asked how, const char* expected) {
    Pair pair{
        name, {expected}, {expected}, [how](bool mended) { return std::make_unique<Asking>(mended, how); }};
    pair.recordsMended = false;
    return pair;
}

} // namespace

std::vector<Pair> spelledPairs() {
    return {
        asking("copied", Asked::Copied, "readback"),
        asking("stream_awaited", Asked::StreamAwaited, "readback"),
        asking("event_awaited", Asked::EventAwaited, "readback"),
        asking("device_awaited", Asked::DeviceAwaited, "readback"),
        asking("pageable_value", Asked::Pageable, "readback"),
        asking("polled", Asked::Polled, "host-sync"),
        asking("waited", Asked::Waited, "host-sync"),
    };
}
