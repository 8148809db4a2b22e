// Small records by hand, and a random but fixed recording with a bit of everything.
#pragma once

#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace olab::made {

inline ActivityRecord work(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream = 7) {
    ActivityRecord r;
    r.cls = cls, r.begin = begin, r.end = end;
    r.device = 0, r.context = 1, r.stream = stream;
    return r;
}

inline ActivityRecord call(ActivityClass cls, Ns begin, Ns end, std::uint32_t thread = 4711) {
    ActivityRecord r;
    r.cls = cls, r.begin = begin, r.end = end, r.thread = thread;
    return r;
}

/// An activity and its name, which only a sink knows as a number.
struct Named {
    ActivityRecord record;
    std::string name;
    friend bool operator==(const Named&, const Named&) = default;
};

using AnyRecord =
    std::variant<RankRecord, DeviceRecord, ContextRecord, StreamRecord, ActivityRecord, CorrelationRecord,
                 SoloRecord, WindowRecord, EnvironmentRecord, ProvenanceRecord, RefusedRecord, ProcessRecord,
                 ClockRecord, StreamCallRecord, Named>;

inline void giveOne(const auto& record, RecordSink& sink) {
    sink.add(record);
}
inline void giveOne(const Named& named, RecordSink& sink) {
    ActivityRecord record = named.record;
    record.name = sink.intern(named.name);
    sink.add(record);
}

inline void give(const std::vector<AnyRecord>& records, RecordSink& sink) {
    for (const AnyRecord& record : records)
        std::visit([&sink](const auto& r) { giveOne(r, sink); }, record);
}

/// Keeps what it is given, for comparing.
class Kept final : public RecordSink {
public:
    std::vector<AnyRecord> records;
    std::vector<std::string> texts{std::string()};
    TextId intern(std::string_view text) override {
        const auto known = std::ranges::find(texts, text);
        const auto id = static_cast<std::uint32_t>(known - texts.begin());
        if (known == texts.end())
            texts.emplace_back(text);
        return {id};
    }
    void add(const ProcessRecord& r) override { records.emplace_back(r); }
    void add(const ClockRecord& r) override { records.emplace_back(r); }
    void add(const RankRecord& r) override { records.emplace_back(r); }
    void add(const DeviceRecord& r) override { records.emplace_back(r); }
    void add(const ContextRecord& r) override { records.emplace_back(r); }
    void add(const StreamRecord& r) override { records.emplace_back(r); }
    void add(const ActivityRecord& r) override {
        if (r.name == TextId{})
            return void(records.emplace_back(r));
        Named named{r, texts[r.name.value]};
        named.record.name = {};
        records.emplace_back(named);
    }
    void add(const CorrelationRecord& r) override { records.emplace_back(r); }
    void add(const StreamCallRecord& r) override { records.emplace_back(r); }
    void add(const SoloRecord& r) override { records.emplace_back(r); }
    void add(const WindowRecord& r) override { records.emplace_back(r); }
    void add(const EnvironmentRecord& r) override { records.emplace_back(r); }
    void add(const ProvenanceRecord& r) override { records.emplace_back(r); }
    void add(const RefusedRecord& r) override { records.emplace_back(r); }
};

inline ActivityRecord randomActivity(std::mt19937& random, std::uint32_t correlation) {
    const auto upTo = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const auto cls = static_cast<ActivityClass>(upTo(kClassCount));
    const Ns begin = 1000 + upTo(5000);
    ActivityRecord r = isDeviceClass(cls)
                           ? work(cls, begin, begin + upTo(300), 7 + static_cast<unsigned>(upTo(4)))
                           : call(cls, begin, begin + upTo(300), 100 + static_cast<unsigned>(upTo(3)));
    r.bytes = upTo(1 << 20);
    r.correlation = correlation;
    r.flags = static_cast<std::uint8_t>(upTo(8));
    r.source = static_cast<MemoryKind>(upTo(8));
    r.target = static_cast<MemoryKind>(upTo(8));
    if (isDeviceClass(cls) && upTo(2) == 0) {
        r.device = upTo(3) == 0 ? kNoNumber : static_cast<std::uint32_t>(upTo(2));
        r.channel = static_cast<std::uint32_t>(upTo(5));
        r.channelType = static_cast<ChannelType>(upTo(4));
    }
    if (cls == ActivityClass::Kernel && upTo(2) == 0)
        r.geometry = KernelGeometry{{static_cast<unsigned>(upTo(100)), 2, 3}, {32, 4, 1}, 40, 512, 1024};
    return r;
}

inline StreamCallRecord randomStreamCall(std::mt19937& random, std::uint32_t correlation) {
    const auto upTo = [&random](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    StreamCallRecord r;
    r.kind = static_cast<StreamCallKind>(upTo(8)); // one of them is none
    r.correlation = correlation, r.context = upTo(9) == 0 ? 99 : 1;
    r.stream = upTo(5) == 0 ? kNoNumber : 7 + upTo(6); // also where no work is
    r.event = upTo(3) == 0 ? kNoNumber : upTo(20), r.recording = upTo(50);
    return r;
}

/// Good and bad activities, with facts; no two records that contradict each other, so any order means the
/// same.
inline std::vector<AnyRecord> randomRecords(unsigned seed, std::uint32_t count) {
    std::mt19937 random(seed);
    std::vector<AnyRecord> records{
        DeviceRecord{0, "GPU A", "uuid-a", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0},
        DeviceRecord{3, "GPU D", "uuid-d", 16, 1, 1024, 16, 65536, 64 << 10, 8ull << 30, 7, 5},
        ContextRecord{1, 0, 7},
        StreamRecord{1, 8, StreamKind::NonBlocking, -2},
        StreamRecord{1, 9, StreamKind::Blocking, 0},
        SoloRecord{1, ActivityClass::MemcpyH2D, 1 << 20, 45000, 20, 0, 0},
        SoloRecord{0, ActivityClass::Kernel, 0, 800000, 20, 1056, 264},
        WindowRecord{1000, 7000, true},
        WindowRecord{9000, 15000, false},
        EnvironmentRecord{"driver", "580.82"},
        EnvironmentRecord{"platform", ""},
        ProvenanceRecord{SourceKind::Simulated, "tests", "1", "2026-01-02T03:04:05Z"},
        RefusedRecord{DefectCode::DroppedRecords, 17, kAllClasses, "", false},
        RefusedRecord{DefectCode::UnknownKind, 3, maskOf(ActivityClass::Kernel), "kind 99", true},
    };
    for (std::uint32_t i = 1; i <= count; ++i) {
        ActivityRecord r = randomActivity(random, i);
        if (i % 37 == 0)
            std::swap(r.begin, r.end), r.begin += 1;
        if (i % 41 == 0)
            r.begin = r.end = 0;
        if (i % 3 == 0)
            records.emplace_back(CorrelationRecord{i, OpId{i / 3}});
        if (i % 5 == 0)
            records.emplace_back(randomStreamCall(random, i % 10 == 0 ? i : 2 * i));
        records.emplace_back(Named{r, "name" + std::to_string(random() % 20)});
    }
    return records;
}

inline Trace build(const std::vector<AnyRecord>& records) {
    TraceBuilder builder;
    give(records, builder);
    return builder.finish();
}

} // namespace olab::made
