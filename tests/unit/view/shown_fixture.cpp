#include "shown_fixture.h"

#include <olab/trace/trace_builder.h>

#include <algorithm>

namespace olab::test {

namespace {

std::vector<std::string>& texts() {
    static std::vector<std::string> all{std::string()};
    return all;
}

} // namespace

TextId textId(std::string_view text) {
    const auto known = std::ranges::find(texts(), text);
    const auto id = static_cast<std::uint32_t>(known - texts().begin());
    if (known == texts().end())
        texts().emplace_back(text);
    return {id};
}

ActivityRecord deviceWork(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream) {
    ActivityRecord r;
    r.cls = cls;
    r.begin = begin;
    r.end = end;
    r.device = 0;
    r.context = 1;
    r.stream = stream;
    r.bytes = cls == ActivityClass::Kernel ? 0 : 16 << 20;
    r.source = MemoryKind::Pinned;
    r.target = MemoryKind::Device;
    if (cls == ActivityClass::Kernel) {
        r.name = textId("spin");
        r.geometry = KernelGeometry{{64, 1, 1}, {256, 1, 1}, 32, 0, 0};
    }
    return r;
}

view::ViewDataPtr shownOf(const std::vector<ActivityRecord>& records) {
    TraceBuilder builder;
    for (const std::string& text : texts())
        builder.intern(text); // a fresh sink gives the ids that textId() gave
    builder.add(DeviceRecord{.device = 0, .name = "Test GPU", .uuid = {}, .smCount = 132});
    builder.add(ContextRecord{1, 0, 7});
    builder.add(ProvenanceRecord{SourceKind::Simulated, "test", "1", {}});
    for (const ActivityRecord& record : records)
        builder.add(record);
    return std::make_shared<const view::ViewData>(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "test", true));
}

view::ViewDataPtr randomShown(std::uint32_t seed, int activities) {
    std::mt19937 random(seed);
    const auto upTo = [&](Ns limit) { return std::uniform_int_distribution<Ns>(0, limit)(random); };
    const ActivityClass classes[] = {ActivityClass::Kernel, ActivityClass::Memset, ActivityClass::MemcpyH2D,
                                     ActivityClass::MemcpyD2H, ActivityClass::MemcpyD2D};
    constexpr Ns kOrigin = 1'700'000'000'000'000'000; // as large as real times are
    std::vector<ActivityRecord> records;
    std::array<Ns, 8> free{};
    for (int i = 0; i < activities; ++i) {
        const auto stream = static_cast<std::uint32_t>(upTo(7));
        const Ns length = upTo(3) == 0 ? upTo(1) : upTo(3) == 0 ? upTo(1'000'000) : upTo(20'000);
        Ns& next = free[stream];
        next += upTo(30'000);
        records.push_back(deviceWork(classes[upTo(4)], kOrigin + next, kOrigin + next + length, stream + 13));
        next += length;
    }
    ActivityRecord api;
    api.cls = ActivityClass::Api;
    api.thread = 4711;
    api.name = textId("cudaDeviceSynchronize");
    api.begin = kOrigin;
    api.end = kOrigin + 5'000'000;
    records.push_back(api);
    return shownOf(records);
}

view::ViewDataPtr smallShown() {
    using enum ActivityClass;
    return shownOf(
        {deviceWork(MemcpyH2D, 1'000'000, 1'100'000, 13), deviceWork(Memset, 1'150'000, 1'250'000, 13),
         deviceWork(Kernel, 1'300'000, 1'400'000, 14), deviceWork(MemcpyD2H, 1'450'000, 1'550'000, 14)});
}

} // namespace olab::test
