#include "recordings.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace olab::bench {
namespace {

constexpr Ns kStart = 1'760'000'000'000'000'000;
constexpr std::size_t kNames = 32;
constexpr std::array kClasses{ActivityClass::Kernel,    ActivityClass::Kernel,    ActivityClass::Kernel,
                              ActivityClass::Kernel,    ActivityClass::MemcpyH2D, ActivityClass::MemcpyD2H,
                              ActivityClass::MemcpyH2D, ActivityClass::Memset};

std::vector<TextId> kernelNames(RecordSink& sink) {
    std::vector<TextId> names;
    for (std::size_t i = 0; i < kNames; ++i)
        names.push_back(sink.intern("_ZN7cutlass6Kernel" + std::to_string(i) + std::string(20 + 3 * i, 'x')));
    return names;
}

// Changes the record of the activity before, so that making it costs little beside what is timed.
void fill(ActivityRecord& r, std::uint32_t i, const std::vector<TextId>& names) {
    const std::uint64_t random = i * 0x9e3779b97f4a7c15u;
    const auto stream = i % kClasses.size();
    r.cls = kClasses[stream];
    r.device = 0, r.context = 1, r.stream = static_cast<std::uint32_t>(13 + stream);
    r.begin = kStart + Ns{i} * 1000 + static_cast<Ns>(random >> 55);
    r.end = r.begin + 4000 + static_cast<Ns>((random >> 40) & 4095);
    r.correlation = i + 1;
    r.channel = static_cast<std::uint32_t>(stream);
    const bool kernel = r.cls == ActivityClass::Kernel;
    r.channelType = isCopyClass(r.cls) ? ChannelType::AsyncCopy : ChannelType::Compute;
    r.bytes = kernel ? 0 : 1 << 20;
    r.source = r.target = kernel ? MemoryKind::Unknown : MemoryKind::Pinned;
    r.geometry.reset();
    r.name = {};
    if (kernel) {
        r.name = names[(random >> 30) % names.size()];
        r.geometry = KernelGeometry{{132, 1, 1}, {256, 1, 1}, 32, 0, 0};
    }
}

} // namespace

void giveRecording(RecordSink& sink, std::size_t count, bool shuffled) {
    const auto names = kernelNames(sink);
    std::vector<std::uint32_t> order;
    if (shuffled) {
        order.resize(count);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937(1));
    }
    sink.add(DeviceRecord{0, "bench", "", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0});
    ActivityRecord record;
    for (std::uint32_t i = 0; i < count; ++i) {
        fill(record, shuffled ? order[i] : i, names);
        sink.add(record);
    }
}

} // namespace olab::bench
