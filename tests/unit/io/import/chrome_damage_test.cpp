// What damaged traces cost: each fault what it touches.
#include "chrome_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::io {
namespace {

using namespace testing_import;
using testing::AllOf;
using testing::HasSubstr;

// The texts stay as they are.
// clang-format off

TEST(ChromeJson, FilesThatEndTooEarly) {
    const std::string whole = kernel("1", "1") + ",\n" + kernel("3", "1");
    for (const std::string& text :
         {"{\"traceEvents\": [" + whole, "{\"traceEvents\": [" + whole + ",", "{\"traceEvents\": [" + whole + "]"}) {
        const Trace trace = read(text);
        EXPECT_EQ(trace.size(), 2u) << text;
        EXPECT_EQ(defectOf(trace, DefectCode::TruncatedFile).count, 1u) << text;
    }
    const Trace list = read("[" + whole + ",\n"); // the format lets writers leave out the end of a list
    EXPECT_EQ(list.size(), 2u);
    EXPECT_EQ(defectOf(list, DefectCode::OpenEnd).count, 1u);
    const Trace cut = read("[" + whole + ",\n" + kernel("5", "1").substr(0, 60));
    EXPECT_EQ(cut.size(), 2u);
    EXPECT_EQ(defectOf(cut, DefectCode::TruncatedFile).count, 1u);
    EXPECT_EQ(cut.counts(), (RecordCounts{3, 2, 1}));
}

TEST(ChromeJson, AListNeedsNoEndButItsEventsDo) {
    const std::string list = "[" + kernel("1", "1") + ",\n" + kernel("3", "1");
    for (const char* end : {"", ",", ",\n", "\n"}) {
        const Trace trace = read(list + end);
        ASSERT_EQ(trace.defects().size(), 1u);
        EXPECT_EQ(trace.defects()[0].code, DefectCode::OpenEnd);
        EXPECT_EQ(trace.defects()[0].severity(), Severity::Notice);
        EXPECT_THAT(trace.defects()[0].detail, HasSubstr("which this format allows"));
    }
    EXPECT_EQ(defectOf(read(list + ", {\"ph\": \"X\", \"na"), DefectCode::TruncatedFile).count, 1u);
    EXPECT_TRUE(read(list + "]\n").defects().empty());
}

TEST(ChromeJson, WhatStandsBehindTheEndIsToldAndCounted) {
    const std::string two = kernel("1", "1") + "," + kernel("3", "1"), whole = object(two);
    const struct {
        std::string file;
        DefectCode code;
        std::uint64_t count;
        std::string_view what;
    } files[] = {
        {whole + " oops", DefectCode::DamagedChunk, 1, "text after the end"},
        {whole + "{\"a\": 1}", DefectCode::DamagedChunk, 1, "text after the end"},
        {"[" + two + "]]", DefectCode::DamagedChunk, 1, "text after the end"},
        {whole + "\n" + whole, DefectCode::ChunkOrder, 2, "a second document"},
        {whole + whole + "[" + two, DefectCode::ChunkOrder, 4, "a second document"},
        {"{\"traceEvents\": [" + two + "], \"traceEvents\": [" + two + "," + two + "], \"x\": 1}",
         DefectCode::ChunkOrder, 4, "a second list"},
    };
    for (const auto& file : files) {
        const Trace trace = read(file.file);
        EXPECT_EQ(trace.size(), 2u) << file.file;
        ASSERT_EQ(trace.defects().size(), 1u) << file.file;
        const Defect& defect = trace.defects()[0];
        EXPECT_EQ(defect.code, file.code);
        EXPECT_EQ(defect.count, file.count);
        EXPECT_EQ(defect.severity(), Severity::DataLoss);
        EXPECT_THAT(defect.detail, AllOf(HasSubstr(file.what), HasSubstr("the first at byte")));
        EXPECT_EQ(trace.counts(), (RecordCounts{2 + file.count, 2, file.count}));
    }
    EXPECT_TRUE(read(whole + " \n\n").defects().empty());
}

TEST(ChromeJson, ZerosInPlaceOfTextAreToldHoweverTheyFit) {
    std::string events;
    for (int i = 1; i < 40; ++i)
        events += (i == 1 ? "" : ",\n") + kernel(std::to_string(10 * i), "5", "some kernel");
    const std::string whole = object(events);
    for (std::size_t at = 1'000; at < 1'300; ++at) { // from any place of an event to any other one
        std::string text = whole;
        text.replace(at, 2'048, std::string(2'048, '\0'));
        const Trace trace = read(text);
        EXPECT_GT(trace.size(), 20u) << at;
        const Defect defect = defectOf(trace, DefectCode::DamagedChunk);
        EXPECT_EQ(defect.count, 1u) << at;
        EXPECT_EQ(defect.classes, kAllClasses);
        EXPECT_THAT(defect.detail, HasSubstr("zero bytes"));
        EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    }
}

TEST(ChromeJson, AMissingQuoteBelowArgsCostsOneEvent) { // not all to the next place where it fits by chance
    const std::string broken =
        R"j({"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 2, "ts": 1, "dur": 1, "args": {"p": ["C:\"]}})j";
    const Trace trace = read(object(broken + "," + kernel("1", "1") + "," + kernel("3", "1") + "," + broken +
                                    "," + kernel("5", "1")));
    EXPECT_EQ(trace.counts(), (RecordCounts{5, 3, 2}));
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, 2u);
}

TEST(ChromeJson, EventsWithoutAPhaseAreRefused) {
    const std::string whole = kernel("1", "1"), key = R"("ph": "X")";
    for (const char* phase : {R"("ph": 5)", R"("ph": null)", R"("qh": "X")", R"("ph": "XX")", R"("ph": "")"}) {
        std::string broken = whole;
        broken.replace(broken.find(key), key.size(), phase);
        const Trace trace = read(object(whole + "," + broken + "," + broken + "," + whole));
        EXPECT_EQ(trace.counts(), (RecordCounts{4, 2, 2})) << phase;
        ASSERT_EQ(trace.defects().size(), 1u);
        EXPECT_EQ(trace.defects()[0].classes, maskOf(ActivityClass::Kernel));
        EXPECT_THAT(trace.defects()[0].text(), AllOf(HasSubstr("without a phase"), HasSubstr("first at byte")));
    }
    EXPECT_EQ(defectOf(read(object(whole + ",{\"name\": \"k\"}")), DefectCode::BadRecord).classes, kAllClasses);
}

TEST(ChromeJson, ACommaAtEitherEndAndFillersAreNothing) {
    const Trace trace = read("[,{}," + kernel("1", "1") + ",{},]");
    EXPECT_EQ(trace.size(), 1u);
    EXPECT_TRUE(trace.defects().empty());
}

TEST(ChromeJson, CommasThatAreMissingOrTooManyAreToldAndCostNothing) {
    const std::string one = kernel("1", "1"), two = kernel("3", "1");
    const std::pair<std::string, std::size_t> lists[] = { // and where the wrong one is told
        {one + ",," + two, one.size() + 2},     {one + " , \n, " + two, one.size() + 6}, {one + " " + two, one.size() + 1},
        {one + two, one.size()},                {",," + one + "," + two, 2},             {one + "," + two + ",,", 0},
        {one + two + two + ",," + one, one.size()}};
    for (const auto& [list, place] : lists) {
        const Trace trace = read("[" + list + "]");
        EXPECT_EQ(trace.counts().refused, 0u) << list;
        EXPECT_EQ(trace.counts().kept, list.size() > 2 * one.size() + 9 ? 4u : 2u);
        ASSERT_EQ(trace.defects().size(), 1u) << list;
        EXPECT_EQ(trace.defects()[0].code, DefectCode::DamagedChunk);
        EXPECT_EQ(trace.defects()[0].classes, kAllClasses);
        const std::size_t at = 1 + (place > 0 ? place : list.size());
        EXPECT_THAT(trace.defects()[0].detail, testing::EndsWith("the first at byte " + std::to_string(at)));
    }
}

TEST(ChromeJson, ValuesBetweenEventsCostThemselvesOnly) {
    const std::string one = kernel("1", "1"), flipped = "[" + one.substr(1);
    for (const std::string& value : {std::string("null"), std::string("5"), std::string("\"x\""), std::string("[]"),
                                     std::string("[{\"ph\": \"X\"}]"), std::string("nul"), flipped}) {
        const ClassMask classes = value == flipped ? maskOf(ActivityClass::Kernel) : kAllClasses;
        for (const std::string& list : {one + "," + value + "," + one, value + "," + one + "," + one + ",",
                                        one + "," + one + "," + value, one + ", " + value + one}) {
            const Trace trace = read(object(list));
            EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1})) << list;
            ASSERT_EQ(trace.defects().size(), 1u) << list;
            EXPECT_EQ(trace.defects()[0].code, DefectCode::BadRecord);
            EXPECT_EQ(trace.defects()[0].classes, classes) << list;
        }
    }
    EXPECT_EQ(read(object(one + ",1,null," + one)).counts(), (RecordCounts{4, 2, 2}));
    EXPECT_EQ(read(object(one + ",\"dur\": 5}," + one)).counts(), (RecordCounts{3, 2, 1})) << "the rest of an event";
}

TEST(ChromeJson, ABrokenEventCostsOneEvent) {
    const std::string broken[] = {
        R"j({"ph": "X", "cat": "cpu_op", "name": "a "quoted" b", "pid": 1, "tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "C:\", "pid": 1, "tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "x", "args": {"dims": [[1, 2}, "ts": 1, "dur": 1})j"};
    for (const std::string& event : broken) {
        const Trace trace = read(object(kernel("1", "1") + ",\n" + event + ",\n" + kernel("3", "1")));
        EXPECT_EQ(countOf(trace, ActivityClass::Kernel), 2u) << event;
        const Defect defect = defectOf(trace, DefectCode::BadRecord);
        EXPECT_EQ(defect.count, 1u) << event;
        EXPECT_EQ(defect.classes, maskOf(ActivityClass::Nvtx)) << event; // nothing else is in doubt
        EXPECT_THAT(defect.detail, HasSubstr("the first at byte"));
        EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1}));
    }
}

TEST(ChromeJson, ABrokenCopyLeavesKernelsAlone) {
    const Trace trace = read(object(kernel("1", "1") + R"j(,
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy "HtoD"", "pid": 0, "tid": 7, "ts": 4, "dur": 1},)j" + kernel("5", "1")));
    const ClassMask touched = defectOf(trace, DefectCode::BadRecord).classes;
    EXPECT_NE(touched & maskOf(ActivityClass::MemcpyH2D), 0u);
    EXPECT_EQ(touched & maskOf(ActivityClass::Kernel), 0u);
}

TEST(ChromeJson, ValuesThatAreNone) {
    const Trace trace = read(object(R"j(
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 4, "dur": 1,
 "args": {"device": 0, "stream": 7, "bytes": N/A, "bandwidth": inf, "x": -Infinity, "y": NaN, "z": 007}},)j" +
        kernel("NaN", "1") + "," + kernel("N/A", "1") + "," + kernel("null", "1")));
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace[0].bytes, 0);
    EXPECT_EQ(trace.counts(), (RecordCounts{4, 1, 3}));
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, 2u) << "null says that there is none";
}

TEST(ChromeJson, TimesThatAreNone) {
    const Trace trace = read(object(kernel("0", "0") + "," + kernel("0.000", "0.000") + "," + kernel("5", "-1") + "," +
                                    kernel("1e300", "1") + "," + kernel("7", "null") + "," + kernel("8", "0")));
    EXPECT_EQ(trace.size(), 1u); // one of no length is one
    EXPECT_EQ(defectOf(trace, DefectCode::NoTimestamp).count, 2u);
    EXPECT_EQ(defectOf(trace, DefectCode::EndBeforeStart).count, 1u);
    EXPECT_EQ(trace.counts(), (RecordCounts{6, 1, 5}));
}

TEST(ChromeJson, TimesThatAreNoNumbersAreNoOpenRanges) {
    const auto host = [](std::string_view ts, std::string_view dur) {
        return R"j({"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 2, "ts": )j" + std::string(ts) +
               ", \"dur\": " + std::string(dur) + "}";
    };
    const auto detail = [&](const std::string& event) {
        const Trace trace = read(object(kernel("1", "1") + "," + event + "," + event));
        EXPECT_EQ(trace.counts(), (RecordCounts{3, 1, 2})) << event;
        EXPECT_EQ(trace.defects().size(), 1u) << event;
        EXPECT_EQ(trace.defects()[0].count, 2u);
        return std::string(defectRow(trace.defects()[0].code).id) + ": " + trace.defects()[0].detail;
    };
    for (const char* none : {"NaN", "Infinity", "-Infinity", "N/A", "\"x\""}) {
        for (const std::string& event : {host(none, "1"), kernel(none, "1")})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose time is not a JSON number")) << event;
        for (const std::string& event : {host("1", none), kernel("1", none)})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose duration is not a JSON number"));
    }
    for (const char* far : {"1e300", "99999999999999999999999", "-1e20"})
        for (const std::string& event : {host(far, "1"), kernel(far, "1")})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose time is out of range")) << event;
    EXPECT_THAT(detail(host("9223372036854775.8", "9e15")), HasSubstr("bad-record: events whose end is out of"));
    EXPECT_THAT(detail(host("1", "null")), HasSubstr("open-range: ranges without a duration"));
}

std::string workIn(std::string_view stream, std::string_view args = "\"correlation\": 1") {
    return R"j({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 1, "ts": 5, "dur": 1, "args": )j"
           R"j({"device": 0, "context": 1, "stream": )j" + std::string(stream) + ", " + std::string(args) + "}}";
}

/// HIP names streams by a handle, and Kineto writes it down since 2026.
TEST(ChromeJson, StreamsOfLargeIdsAreStreams) {
    const Trace trace = read(object(workIn("140000000000000") + "," + workIn("140000000004096") + "," +
                                    workIn("140000000000000") + "," + workIn("7") + "," + workIn("2147483657") + "," +
                                    workIn("\"0x7f54a0001000\"") + "," + workIn("18446744073709486080") + "," +
                                    workIn("-1")));
    std::vector<std::string> texts;
    for (const Queue& queue : trace.queues())
        texts.push_back(trace.queueText(queue));
    EXPECT_THAT(texts, testing::UnorderedElementsAre("stream 140000000000000", "stream 140000000004096", "stream 7",
                                                     "stream 2147483657", "stream 140001438339072",
                                                     "stream -65536", "unknown stream"));
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_THAT(numbersOf(trace).at(0).classes.at(ActivityClass::MemcpyH2D).streams, testing::Contains("140000000004096"));
}

TEST(ChromeJson, ImpossibleNumbersInArgumentsAreRefused) {
    for (const char* args : {R"("bytes": -1)", R"("bytes": 1e400)", R"("bytes": 9223372036854775808)",
                             R"("bytes": "1e400")", R"("bytes": "99999999999999999999")", R"("bytes": "5x")",
                             R"("bytes": "")", R"("bytes": "\u0035")", R"("bytes": true)", R"("bytes": [])",
                             R"("bytes": {"n": 5})", R"("bytes": -0.5)", R"("bytes": 0.5)", R"("bytes": NaN)",
                             R"("correlation": 1e400)", R"("correlation": 0.5)", R"("context": 1e300)",
                             R"("context": true)", R"("context": [1])"}) {
        const Trace trace = read(object(workIn("7", args) + "," + workIn("7", R"("bytes": 5)")));
        EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1})) << args;
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).classes, kCopyClasses);
    }
    for (const char* args : {"\"x\"", "[]", "5"})
        EXPECT_EQ(read(object(kernel("1", "1") + R"(,{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 1, "ts": 5, "dur": 1, "args": )" +
                              args + "}")).counts(), (RecordCounts{2, 1, 1})) << args;
    for (const char* args : {R"("bytes": null, "correlation": "N/A")", R"("bytes": "N/A", "correlation": null)",
                             R"("bytes": " 5.0 ", "correlation": "x")"})
        EXPECT_TRUE(read(object(workIn("7", args))).defects().empty()) << "unknown, or a number " << args;
}

TEST(ChromeJson, DeviceWorkWithoutACategoryOrAStreamThatIsOneIsRefused) {
    const auto countsWith = [](const std::string& cat, const std::string& stream, const std::string& context) {
        const std::string event = R"j({"ph":"X","cat":)j" + cat + R"j(,"name":"k","pid":0,"tid":7,"ts":5,"dur":1,"args":{"stream":)j" +
                                  stream + ",\"context\":" + context + ",\"correlation\":3}}";
        const Trace trace = read(object(kernel("1", "1") + "," + event + "," + event)); // of the second a template knows
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, trace.counts().refused);
        EXPECT_TRUE(trace.counts().refused == 0 || (defectOf(trace, DefectCode::BadRecord).classes & maskOf(ActivityClass::Kernel)) != 0);
        return trace.counts();
    };
    const std::string kernels = "\"kernel\"";
    EXPECT_EQ(countsWith(kernels, "7", "1"), (RecordCounts{3, 3, 0}));
    EXPECT_EQ(countsWith(kernels, "-1", "\"0x7\""), (RecordCounts{3, 3, 0})) << "none, and a handle";
    for (const char* cat : {"null", "5", "[]", "{}", "true"})
        EXPECT_EQ(countsWith(cat, "7", "1"), (RecordCounts{3, 1, 2})) << cat;
    for (const char* id : {"null", "\"x\"", "\"\"", "true", "[]"}) {
        EXPECT_EQ(countsWith(kernels, id, "1"), (RecordCounts{3, 1, 2})) << id;
        EXPECT_EQ(countsWith(kernels, "7", id), (RecordCounts{3, 1, 2})) << id;
    }
}

TEST(ChromeJson, ToolsWhoseWorkIsNotReadAreKnown) {
    const auto toolOf = [](const std::string& event) { return read(object(event)).provenance().tool; };
    const auto process = [](const std::string& name) {
        return R"j({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": ")j" + name + "\"}}";
    };
    EXPECT_EQ(toolOf(process("Ascend Hardware")), "the Ascend profiler");
    EXPECT_EQ(toolOf(R"j({"ph": "X", "cat": "kernel_dispatch", "name": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 1})j"),
              "rocprofv3 of ROCm (by way of Perfetto)");
    EXPECT_EQ(toolOf(process("python")), "Chrome trace");
}

TEST(ChromeJson, TimesAsTextAndIdsBeyond64Bits) {
    const Trace trace = read(object(kernel("\" 12.5 \"", "\"1e1\"") + R"j(,
{"ph": "X", "cat": "cpu_op", "name": "c", "pid": 123456789012345678901, "tid": -4, "ts": 1, "dur": 1,
 "args": {"Comms Id": 10159970886766084423}})j"));
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[1].time(), (Interval{12500, 22500}));
}

TEST(ChromeJson, NamesWithBytesThatAreNoText) {
    const Trace trace = read(object(kernel("1", "1", "a\x01" "b\xff\xc3\xa9") + "," +
                                    kernel("3", "1", R"j(\u00e9 \ud83d\ude00 \ud800 C:\\d \"q\" \x)j")));
    EXPECT_EQ(trace.text(trace.nameOf(0)), "a\xef\xbf\xbd" "b\xef\xbf\xbd\xc3\xa9");
    EXPECT_EQ(trace.text(trace.nameOf(1)), "\xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd C:\\d \"q\" \\x");
}

TEST(ChromeJson, BytesThatAreNotUtf8AreToldWithWhatToDo) {
    const Trace trace = read(object(kernel("1", "1", "k\xe9rnel") + "," + kernel("3", "1", "\xc3\xa9") + "," +
                                    kernel("5", "1", "\xfc\xff")));
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0].code, DefectCode::TextEncoding);
    EXPECT_EQ(trace.defects()[0].count, 3u);
    EXPECT_EQ(trace.defects()[0].severity(), Severity::Notice);
    EXPECT_THAT(trace.defects()[0].text(), AllOf(HasSubstr("iconv"), HasSubstr("at byte 56")));
    EXPECT_EQ(trace.size(), 3u);
}

TEST(ChromeJson, OfKeysThatComeTwiceTheLastCounts) {
    EXPECT_EQ(read(object(R"j({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "ts": 2, "dur": 1})j"))[0].begin, 2000);
    const std::string twice = R"j({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": null, "ts": 2, "dur": 1})j";
    const Trace trace = read(object(twice + "," + twice)); // of the second a template holds the word itself
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[1].begin, 2000);
}

// clang-format on

TEST(ChromeJson, EscapesInKeysAndKnownWordsAreRead) {
    const auto copy = [](const char* event) {
        return read(object(std::string(event) + "," + kernel("9", "1")));
    };
    const auto valuesOf = [](const Trace& trace) {
        const Activity a = trace[0];
        return std::tuple(a.cls, a.begin, a.bytes, trace.queue(a.queue).number, trace.source(0),
                          trace.target(0));
    };
    const char* const plain =
        R"j({"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":1,"ts":4,"dur":1,"args":{"stream":8,"bytes":5}})j";
    for (const auto& [word, escaped] : {std::pair{"cat\"", "\\u0063at\""},
                                        {"gpu_memcpy", "gpu_memcp\\u0079"},
                                        {"ph\"", "p\\u0068\""},
                                        {"X", "\\u0058"},
                                        {"args", "ar\\u0067s"},
                                        {"stream", "\\u0073tream"},
                                        {"bytes", "b\\u0079tes"},
                                        {">", "\\u003e"},
                                        {"HtoD", "\\u0048toD"}}) {
        std::string event = plain;
        event.replace(event.find(word), std::string_view(word).size(), escaped);
        const Trace trace = copy(event.c_str());
        ASSERT_EQ(trace.size(), 2u) << event;
        EXPECT_TRUE(trace.defects().empty()) << event;
        EXPECT_EQ(valuesOf(trace), valuesOf(copy(plain))) << event;
    }
    EXPECT_EQ(read(R"j({"trace\u0045vents": [)j" + kernel("1", "1") + "]}").size(), 1u);
    EXPECT_EQ(defectOf(read(object(R"j({"ph":"X","cat":"kerne\u006c","ts":1 2},)j" + kernel("1", "1"))),
                       DefectCode::BadRecord)
                  .classes,
              maskOf(ActivityClass::Kernel));
}

TEST(ChromeJson, DeepNestingCostsNothing) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    const std::string begin =
        R"j({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1, "args": {"x": )j";
    EXPECT_EQ(read(object(begin + deep + "}}")).size(), 1u);
}

TEST(ChromeJson, ByteOrderMarksAndDamageBeforeTheEvents) {
    EXPECT_EQ(read("\xef\xbb\xbf \n" + object(kernel("1", "1"))).size(), 1u);
    EXPECT_EQ(read(object(kernel("1", "1"), R"j("bad": "a "quote" in it", )j")).size(), 1u);
}

TEST(ChromeJson, JsonThatIsNoTraceIsRefusedWithWhatToDo) {
    for (const char* text :
         {"{}", "{\"a\": 1}", "{\"spans\": [{\"name\": \"x\"}]}", "{\"a\" 1}", "[1, 2]", "[{\"a\": 1}]"}) {
        try {
            read(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "unknown-format");
            EXPECT_THAT(error.hint(), HasSubstr("traceEvents"));
        }
    }
    EXPECT_EQ(read("[]").size(), 0u);
}

TEST(ChromeJson, WordsInThePlaceOfNumbersAreNone) { // the fuzzer's: a template holds them itself
    std::string events;
    for (int i = 0; i < 3; ++i)
        events += (i == 0 ? "" : ",") +
                  std::string("{\"ph\": \"i\", \"name\": \"n\", \"pid\": x, \"tid\": \xff, \"ts\": 5}");
    EXPECT_EQ(read(object(events)).size(), 3u);
}

} // namespace
} // namespace olab::io
