#include "wide_recording.h"

#include <array>

namespace olab::bench {
namespace {

constexpr Ns kStart = 1'760'000'000'000'000'000;
constexpr std::array kClasses{ActivityClass::MemcpyH2D, ActivityClass::Memset, ActivityClass::Kernel,
                              ActivityClass::MemcpyD2H};
constexpr Ns kBetween = 600; ///< one call of a thread and the next

std::uint64_t randomOf(std::uint64_t i) {
    std::uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u;
    r ^= r >> 29;
    return r * 0xbf58476d1ce4e5b9u;
}

/// Op `i` of the run and its call; ops of all devices take turns, and those of a device's streams.
class Maker {
public:
    Maker(Width width, RecordSink& sink)
        : m_width(width)
        , m_launch(sink.intern("cudaLaunchKernel"))
        , m_copy(sink.intern("cudaMemcpyAsync"))
        , m_kernel(sink.intern("_Z4stepPfi")) {}
    const ActivityRecord& call(std::uint64_t i) {
        place(i);
        m_call.cls = ActivityClass::Api;
        m_call.begin = m_issued;
        m_call.end = m_issued + 400;
        m_call.thread = 100 + m_device;
        m_call.correlation = static_cast<std::uint32_t>(i + 1);
        m_call.name = m_cls == ActivityClass::Kernel ? m_launch : m_copy;
        return m_call;
    }
    const ActivityRecord& work(std::uint64_t i) {
        ActivityRecord& r = m_work;
        const std::uint64_t random = randomOf(i);
        const bool kernel = m_cls == ActivityClass::Kernel;
        r.cls = m_cls;
        r.begin = m_issued + 3'000 + static_cast<Ns>(random >> 54);
        r.end = r.begin + 1'500 + static_cast<Ns>((random >> 30) & 2047);
        r.device = m_device, r.context = 1 + m_device, r.stream = m_stream;
        r.correlation = static_cast<std::uint32_t>(i + 1);
        r.bytes = kernel ? 0 : 1 << (10 + random % 8);
        r.source = r.target = kernel ? MemoryKind::Unknown : MemoryKind::Pinned;
        r.name = kernel ? m_kernel : TextId{};
        r.geometry.reset();
        if (kernel)
            r.geometry =
                KernelGeometry{{66 + static_cast<std::uint32_t>(random % 4), 1, 1}, {256, 1, 1}, 32, 0, 0};
        return r;
    }

private:
    void place(std::uint64_t i) {
        const std::uint64_t turn = i / m_width.devices;
        m_device = static_cast<std::uint32_t>(i % m_width.devices);
        m_stream = 13 + static_cast<std::uint32_t>(turn % m_width.streams);
        m_cls = kClasses[(turn / m_width.streams + turn) % kClasses.size()];
        m_issued = kStart + static_cast<Ns>(turn) * kBetween + m_device;
    }
    Width m_width;
    TextId m_launch, m_copy, m_kernel;
    std::uint32_t m_device = 0, m_stream = 0;
    ActivityClass m_cls{};
    Ns m_issued = 0;
    ActivityRecord m_work, m_call;
};

} // namespace

void giveWideRecording(RecordSink& sink, std::size_t count, Width width) {
    for (std::uint32_t d = 0; d < width.devices; ++d)
        sink.add(DeviceRecord{d, "bench", "", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0});
    Maker maker(width, sink);
    for (std::uint64_t i = 0; i < count / 2; ++i) {
        sink.add(maker.call(i));
        sink.add(maker.work(i));
    }
}

} // namespace olab::bench
