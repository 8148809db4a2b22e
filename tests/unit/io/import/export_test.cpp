// What is exported for others is read again with the same numbers.
#include "chrome_text.h"

#include <olab/trace/limits.h>

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::io {
namespace {

using namespace testing_import;
using testing::HasSubstr;
using testing::StartsWith;

std::string exported(std::string_view format, const Trace& trace) {
    const TextFile file("", std::string(format));
    for (const Exporter& row : exporters())
        if (row.id == format)
            row.write(file.path(), RecordingData{trace, nullptr, std::nullopt}, {});
    std::ifstream in(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Two devices, copies of all kinds, kernels that cross in their stream, migrations, things without numbers.
Trace recording() {
    TraceBuilder builder;
    builder.add(
        DeviceRecord{0, "GPU \"zero\"", "uuid", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0});
    std::uint32_t correlation = 0;
    const auto add = [&](ActivityClass cls, Ns begin, Ns end, std::uint32_t stream) {
        ActivityRecord r;
        r.cls = cls, r.begin = 1'760'000'000'000'000'000 + begin, r.end = 1'760'000'000'000'000'000 + end;
        r.correlation = ++correlation;
        r.bytes = isCopyClass(cls) ? 1000 + begin : 0;
        if (isDeviceClass(cls))
            r.device = stream % 2, r.context = 1, r.stream = stream;
        else
            r.thread = stream;
        r.source = MemoryKind::Pinned, r.target = MemoryKind::Device;
        if (cls == ActivityClass::Kernel) {
            r.geometry = KernelGeometry{{132, 2, 1}, {256, 1, 1}, 32, 1024, 512};
            r.source = r.target = MemoryKind::Unknown;
        }
        r.channel = stream,
        r.channelType = cls == ActivityClass::Memset ? ChannelType::AsyncCopy : ChannelType::Unknown;
        if (cls == ActivityClass::MemcpyD2H)
            r.flags = kFlagUnified;
        r.name = builder.intern(cls == ActivityClass::Kernel ? "void k<int>(\"a\\b\n\xff\")" : "");
        builder.add(r);
    };
    for (std::size_t c = 0; c < kClassCount; ++c)
        for (Ns i = 0; i < 20; ++i)
            add(static_cast<ActivityClass>(c), 7 * i * i, 7 * i * i + 40 * i,
                static_cast<std::uint32_t>(13 + c % 4));
    add(ActivityClass::Kernel, 5, 5, kNoNumber);
    return builder.finish();
}

TEST(Export, KinetoComesBackWithTheSameNumbers) {
    const Trace before = recording(), after = read(exported("kineto", before));
    const auto x = numbersOf(before), y = numbersOf(after);
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t d = 0; d < x.size(); ++d) {
        EXPECT_EQ(x[d].id, y[d].id);
        EXPECT_EQ(x[d].name, y[d].name);
        EXPECT_EQ(std::tie(x[d].first, x[d].last, x[d].idle, x[d].busyAny),
                  std::tie(y[d].first, y[d].last, y[d].idle, y[d].busyAny));
        EXPECT_EQ(x[d].pairs, y[d].pairs);
        EXPECT_EQ(x[d].enginePairs, y[d].enginePairs);
        EXPECT_EQ(x[d].derived.uvmCount, y[d].derived.uvmCount);
        EXPECT_EQ(x[d].derived.kernelAndCopyHdExclUvm, y[d].derived.kernelAndCopyHdExclUvm);
        for (const auto& [cls, numbers] : x[d].classes) {
            const analysis::ClassNumbers& other = y[d].classes.at(cls);
            EXPECT_EQ(std::tie(numbers.count, numbers.busy, numbers.sum, numbers.concurrent,
                               numbers.zeroDuration, numbers.bytes, numbers.streams),
                      std::tie(other.count, other.busy, other.sum, other.concurrent, other.zeroDuration,
                               other.bytes, other.streams));
        }
        for (const auto& [engine, numbers] : x[d].engines)
            EXPECT_EQ(numbers.channels, y[d].engines.at(engine).channels);
    }
    EXPECT_EQ(before.counts(), after.counts());
    for (const Defect& defect : after.defects())
        EXPECT_EQ(defect.code, DefectCode::TextEncoding) << "a name that was recorded so";
}

TEST(Export, KinetoRowsNest) {
    const std::string text = exported("kineto", recording());
    EXPECT_THAT(text, HasSubstr("\"ts\": 1.000"));
    EXPECT_THAT(text, HasSubstr("Memcpy HtoD (Pinned -> Device)"));
    const Trace again = read(text);
    EXPECT_EQ(again.provenance().source, SourceKind::Imported);
}

TEST(Export, KinetoSaysWhichRecordAStreamWaitsFor) {
    TraceBuilder builder;
    const auto add = [&](ActivityClass cls, Ns begin, std::uint32_t correlation, std::uint32_t stream) {
        ActivityRecord r;
        r.cls = cls, r.begin = begin, r.end = begin + 5, r.correlation = correlation;
        if (isDeviceClass(cls))
            r.device = 0, r.context = 1, r.stream = stream;
        r.name = builder.intern(isDeviceClass(cls) ? "k" : "cudaCall");
        builder.add(r);
    };
    builder.add(ContextRecord{1, 0});
    for (std::uint32_t correlation = 1; correlation <= 6; ++correlation)
        add(ActivityClass::Api, 10 * correlation, correlation, kNoNumber);
    add(ActivityClass::Kernel, 100, 1, 7), add(ActivityClass::Kernel, 200, 6, 8);
    for (const std::uint32_t recording : {2u, 3u}) // of one event
        builder.add(StreamCallRecord{StreamCallKind::EventRecord, recording, 1, 7, 40, recording});
    builder.add(StreamCallRecord{StreamCallKind::StreamWait, 4, 1, 8, 40, 2});
    builder.add(StreamCallRecord{StreamCallKind::StreamWait, 5, 1, 8, 41, 0}); // for what is not known
    const Trace before = builder.finish(), after = read(exported("kineto", before));
    EXPECT_EQ(before.counts(), after.counts());
    ASSERT_EQ(after.streamCalls().size(), 3u) << "the record that nothing waits for is not written";
    const auto called = [](const Trace& trace, std::size_t i) {
        const StreamCall& call = trace.streamCalls()[i];
        return std::tuple(call.kind, trace.correlation(call.api), trace.queue(call.queue).number, call.event);
    };
    EXPECT_EQ(called(after, 0), called(before, 0));
    EXPECT_EQ(called(after, 1), called(before, 2));
    EXPECT_EQ(called(after, 2), called(before, 3));
    EXPECT_EQ(after.streamCalls()[0].recording, after.streamCalls()[1].recording);
    EXPECT_EQ(after.streamCalls()[2].recording, 0u);
}

TEST(Export, CsvHasOneLineForEachActivity) {
    const Trace trace = recording();
    const std::string text = exported("csv", trace);
    EXPECT_TRUE(text.starts_with("class,name,begin_ns"));
    EXPECT_THAT(text, HasSubstr("\"void k<int>(\"\"a\\b\n"));
    EXPECT_THAT(text, HasSubstr("memcpy_h2d,,1760000000000000007,1760000000000000047,40,"));
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')),
              1 + trace.size() + countOf(trace, ActivityClass::Kernel)); // whose names have one
}

/// The first fields of the line of one kernel of that name.
std::string csvOfName(const std::string& name) {
    TraceBuilder builder;
    ActivityRecord r;
    r.cls = ActivityClass::Kernel, r.begin = -7, r.end = 3;
    r.device = 0, r.context = 1, r.stream = 2;
    r.name = builder.intern(name);
    builder.add(r);
    const std::string text = exported("csv", builder.finish());
    return text.substr(text.find('\n') + 1);
}

TEST(Export, NamesInCsvAreNoFormulas) {
    EXPECT_THAT(csvOfName("=cmd|' /C calc'!A0"), StartsWith("kernel,'=cmd|' /C calc'!A0,-7,3,10,"))
        << "and numbers stay numbers";
    EXPECT_THAT(csvOfName("=HYPERLINK(\"http://x\",\"k\")"),
                StartsWith("kernel,\"'=HYPERLINK(\"\"http://x\"\",\"\"k\"\")\",-7,"));
    for (const char* begin :
         {"+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0", "\t"})
        EXPECT_THAT(csvOfName(std::string(begin) + "1"),
                    StartsWith("kernel,'" + std::string(begin) + "1,-7,"));
    EXPECT_THAT(csvOfName("\r=1"), StartsWith("kernel,'\\x0d=1,"));
    EXPECT_THAT(csvOfName("\n=1"), StartsWith("kernel,\"'\n=1\","));
    EXPECT_THAT(csvOfName("a=b+c"), StartsWith("kernel,a=b+c,"));
    EXPECT_THAT(csvOfName("k\xc3\xa9"), StartsWith("kernel,k\xc3\xa9,")) << "letters stay what they are";
}

TEST(Export, NamesInCsvDoNotActOnTheOrderOfReading) {
    EXPECT_THAT(csvOfName("k\xe2\x80\xae"
                          "fdp"),
                StartsWith("kernel,k<U+202E>fdp,"));
    EXPECT_THAT(csvOfName("\xe2\x81\xa6x\xe2\x81\xa9"), StartsWith("kernel,<U+2066>x<U+2069>,"));
    EXPECT_THAT(csvOfName("\xe2\x80\xaa=1"), StartsWith("kernel,<U+202A>=1,"));
}

TEST(Export, ANameOfAnyBytesIsReadAsUtf8) {
    TraceBuilder builder;
    ActivityRecord kernel;
    kernel.cls = ActivityClass::Kernel, kernel.device = 0, kernel.stream = 7;
    kernel.begin = 10, kernel.end = 20;
    kernel.name = builder.intern("k\xff\x1b\xc3\xbc\x7f");
    builder.add(kernel);
    const Trace trace = builder.finish();
    EXPECT_THAT(exported("kineto", trace), HasSubstr("\"name\": \"k\xef\xbf\xbd\\u001b\xc3\xbc\x7f\""));
    EXPECT_THAT(exported("csv", trace), HasSubstr("\nkernel,k\\xff\\x1b\xc3\xbc\\x7f,10,20,"))
        << "a terminal obeys nothing in it";
}

TEST(Export, DefectsComeBackFromEveryFormatThatHasAPlaceForThem) {
    TraceBuilder builder;
    builder.add(DeviceRecord{0, {}, {}});
    ActivityRecord kernel;
    kernel.cls = ActivityClass::Kernel, kernel.device = 0, kernel.stream = 7;
    kernel.begin = 10, kernel.end = 20;
    builder.add(kernel);
    for (const DefectRow& row : defectTable()) {
        builder.add(RefusedRecord{row.code, 3, maskOf(ActivityClass::Kernel), "\"of\" \\it", true});
        builder.add(RefusedRecord{row.code, 1ull << 40, 0, "", false});
    }
    for (std::size_t i = 0; i < 2 * kMaxDefectKinds; ++i)
        builder.addDefect(DefectCode::BadChunk, 1, kAllClasses, "number " + std::to_string(i));
    const Trace before = builder.finish();
    for (const Exporter& row : exporters())
        if (row.keeps != Keeps::Activities) {
            const Trace after = read(exported(row.id, before));
            EXPECT_EQ(after.counts(), before.counts()) << row.id;
            EXPECT_TRUE(std::ranges::equal(after.defects(), before.defects())) << row.id;
        }
}

TEST(Export, ADefectThatOnlyANewerVersionKnowsIsOne) {
    const Trace trace =
        read(object(kernel("1", "2"), R"("overlapLabDefects": [{"code": "of-tomorrow", "count": 2,
        "countsAsRead": true, "classes": 4294967295, "detail": "why"}, 5, {"code": "open-end"}], )"));
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord), (Defect{DefectCode::BadRecord, 2, kAllClasses, "why"}));
    EXPECT_EQ(defectOf(trace, DefectCode::OpenEnd).count, 1u);
    EXPECT_EQ(trace.counts().refused, 2u);
}

TEST(Export, AnEmptyTrace) {
    EXPECT_EQ(read(exported("kineto", TraceBuilder().finish())).size(), 0u);
}

} // namespace
} // namespace olab::io
