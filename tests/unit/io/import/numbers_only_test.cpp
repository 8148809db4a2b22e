// What is read for the numbers alone keeps nothing of the host, and yet says the same numbers, counts and
// defects as all of it.
#include "chrome_text.h"

#include <olab/analysis/analyze.h>
#include <olab/io/report_json.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/limits.h>

#include <gtest/gtest.h>

namespace olab::testing_import {
namespace {

std::string call(std::string_view ts, std::string_view dur, int thread = 5) {
    return R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":)" +
           std::to_string(thread) + R"(,"ts":)" + std::string(ts) + R"(,"dur":)" + std::string(dur) +
           R"(,"args":{"correlation":1}})";
}

std::string fileOf(const std::vector<std::string>& events) {
    std::string text = R"({"traceEvents":[)";
    for (const std::string& event : events)
        text += event + ",\n";
    return text + "]}";
}

std::string numbersText(const Trace& trace, std::shared_ptr<const LaneSet> lanes) {
    return io::numbersToJson(analysis::measuredNumbers({trace, *lanes}), trace, "");
}

/// The trace that was read for numbers.
Trace expectSame(std::string_view text) {
    const TextFile file(text);
    const Trace all = io::readRecording(file.path()).trace;
    Trace numbers = io::readForNumbers(file.path()).trace;
    EXPECT_EQ(numbersText(numbers, lanesForNumbers(numbers)), numbersText(all, lanesOf(all)));
    EXPECT_EQ(numbersText(numbers, lanesOf(numbers)), numbersText(all, lanesForNumbers(all)));
    EXPECT_GT(numbers.counts().read, 0u);
    return numbers;
}

TEST(NumbersOnly, LeaveOutTheHostButCountIt) {
    const Trace trace =
        expectSame(fileOf({kernel("10", "5"), call("1", "2"), call("3", "2.5"), kernel("12", "9")}));
    EXPECT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.counts().kept, 4u);
}

std::string onDevice(int device, std::string_view category, std::string_view name, std::string_view ts) {
    return R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")" + std::string(name) +
           R"(","pid":0,"tid":7,"ts":)" + std::string(ts) + R"(,"dur":5,"args":{"device":)" +
           std::to_string(device) + R"(,"context":1,"stream":7,"correlation":1,"bytes":64}})";
}

TEST(NumbersOnly, OfSeveralDevices) {
    std::vector<std::string> events;
    for (int i = 0; i < 60; ++i)
        events.push_back(onDevice(i % 3, i % 4 == 0 ? "gpu_memset" : "kernel", "k", std::to_string(3 * i)));
    expectSame(fileOf(events));
}

TEST(NumbersOnly, OfCopiesThatNobodyKnows) { // only their streams know them
    const Trace trace =
        expectSame(fileOf({kernel("10", "5"), onDevice(0, "gpu_memcpy", "Memcpy to somewhere", "12"),
                           onDevice(1, "gpu_memcpy", "Memcpy to somewhere", "14")}));
    EXPECT_EQ(countOf(trace, ActivityClass::MemcpyOther), 2u);
}

TEST(NumbersOnly, RefuseWhatIsRefusedElse) {
    const Trace trace =
        expectSame(fileOf({kernel("10", "5"), call("0", "0"), call("3", "-2.5"), call("NaN", "1"),
                           kernel("30", "-1"), "{\"ph\":", call("8", "1")}));
    EXPECT_GT(trace.counts().refused, 2u);
}

TEST(NumbersOnly, RefuseWorkOfImpossibleGeometry) {
    std::string odd = kernel("30", "1");
    odd.replace(odd.find("[2, 1, 1]"), 9, "[2, 1e400, 1]");
    EXPECT_EQ(expectSame(fileOf({kernel("10", "5"), odd})).counts(), (RecordCounts{2, 1, 1}));
}

TEST(NumbersOnly, ToldOfNamesThatAreCut) {
    const std::string name(2 * kMaxTextBytes, 'x');
    const Trace trace = expectSame(fileOf({kernel("10", "5", name), call("1", "2")}));
    EXPECT_EQ(defectOf(trace, DefectCode::TextCut).count, 1u);
}

TEST(NumbersOnly, ReadEverythingWhereCountsDependOnIt) {
    const Trace apart = expectSame(fileOf({kernel("9000000000000000", "5"), call("-9000000000000000", "2")}));
    EXPECT_GT(apart.counts().refused, 0u) << "times centuries apart";
    std::vector<std::string> events{kernel("10", "5")};
    for (int thread = 0; thread < 66'000; ++thread)
        events.push_back(call("1", "2", thread));
    const Trace crowded = expectSame(fileOf(events));
    EXPECT_GT(crowded.counts().refused, 0u) << "more threads than a trace can hold";
}

} // namespace
} // namespace olab::testing_import
