#include "lanes_recording.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace olab::bench {
namespace {

constexpr Ns kStart = 1'760'000'000'000'000'000;
constexpr std::size_t kDevices = 2, kStreams = 5, kBatch = 5'000; // activities between two pauses

/// What comes next on one stream.
struct Source {
    std::uint32_t device, stream;
    Ns free = kStart;
    ActivityRecord next;
};

ActivityClass classOn(std::uint32_t stream, std::uint64_t random) {
    using enum ActivityClass;
    constexpr std::array kMixed{Kernel, MemcpyH2D, MemcpyD2H, Memset};
    return stream < 2 ? Kernel : stream == 2 ? MemcpyH2D : stream == 3 ? MemcpyD2H : kMixed[random % 4];
}

Ns lengthOf(ActivityClass cls, std::uint64_t random) {
    const Ns plain = cls == ActivityClass::Kernel   ? 2'000 + static_cast<Ns>(random % 12'000)
                     : cls == ActivityClass::Memset ? 800 + static_cast<Ns>(random % 400)
                                                    : 3'000 + static_cast<Ns>(random % 15'000);
    return random % 97 == 0 ? plain * 20 : plain; // a few long ones
}

std::string mangled(const std::string& name) {
    return "_ZN7cutlass" + std::to_string(name.size()) + name + "IfEEvPT_";
}

class Maker {
public:
    explicit Maker(RecordSink& sink) {
        for (std::uint32_t device = 0; device < kDevices; ++device)
            for (std::uint32_t stream = 0; stream < kStreams; ++stream) {
                Source& source = m_sources.emplace_back(Source{device, stream, kStart, {}});
                advance(source);
            }
        for (std::size_t i = 0; i < 32; ++i)
            m_names.push_back(
                sink.intern(mangled("gemm_kernel_" + std::to_string(i) + std::string(i % 7 * 5, 'x'))));
    }
    /// The earliest of what all streams have next.
    const ActivityRecord& take() {
        if (++m_given % kBatch == 0) // all streams wait for the host
            m_pauseUntil = m_latest + 300'000;
        const auto first =
            std::ranges::min_element(m_sources, {}, [](const Source& source) { return source.next.begin; });
        m_record = first->next;
        m_latest = std::max(m_latest, m_record.end);
        advance(*first);
        return m_record;
    }

private:
    void advance(Source& source) {
        const std::uint64_t random = m_random();
        ActivityRecord& r = source.next;
        r.cls = classOn(source.stream, random >> 50);
        r.begin = std::max(source.free, m_pauseUntil) + static_cast<Ns>((random >> 20) % 4'000);
        r.end = r.begin + lengthOf(r.cls, random >> 8);
        // An engine that copies does one thing at a time.
        if (isCopyClass(r.cls)) {
            Ns& engine = m_copyFree[source.device][r.cls == ActivityClass::MemcpyH2D ? 0 : 1];
            r.begin = std::max(r.begin, engine);
            engine = r.end = r.begin + lengthOf(r.cls, random >> 8);
        }
        source.free = r.end;
        r.device = source.device, r.context = 1 + source.device, r.stream = 13 + source.stream;
        r.correlation = ++m_correlation;
        const bool kernel = r.cls == ActivityClass::Kernel;
        r.bytes = kernel ? 0 : 1 << 20;
        r.source = r.target = kernel ? MemoryKind::Unknown : MemoryKind::Pinned;
        r.name = kernel && !m_names.empty() ? m_names[(random >> 30) % m_names.size()] : TextId{};
    }

    std::mt19937_64 m_random{7};
    std::vector<TextId> m_names;
    std::vector<Source> m_sources;
    std::array<std::array<Ns, 2>, kDevices> m_copyFree{};
    Ns m_latest = kStart, m_pauseUntil = kStart;
    std::uint32_t m_correlation = 0;
    std::size_t m_given = 0;
    ActivityRecord m_record;
};

} // namespace

void giveSixteenLanes(RecordSink& sink, std::size_t count) {
    sink.add(ProvenanceRecord{SourceKind::Simulated, "olab_bench_ui", "", ""});
    for (std::uint32_t device = 0; device < kDevices; ++device)
        sink.add(DeviceRecord{device, "bench", "", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0});
    Maker maker(sink);
    for (std::size_t i = 0; i < count; ++i)
        sink.add(maker.take());
}

} // namespace olab::bench
