// The measured numbers against the counting contract itself: random traces, written as a profiler would write
// them, counted by tests/data/reference_overlap.py and by us, compared to the nanosecond.
#include "made_trace.h"
#include "test_places.h"

#include <olab/trace/lanes_of.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace olab::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kTraces = 60;

struct Row {
    ActivityClass cls{};
    Ns begin = 0, end = 0;
    std::uint32_t device = 0, stream = 0;
    std::int64_t bytes = 0;
    bool unified = false;
};

// Few distinct times, so that intervals touch, coincide and are empty often; devices and streams on both
// sides of 10, so that sorting numbers as text and as numbers differ.
std::vector<Row> randomRows(std::mt19937& random) {
    const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    const unsigned horizon = std::array{20u, 300u, 50'000u}[below(3)];
    const unsigned devices = 1 + below(3);
    std::vector<Row> rows(below(250) + 1);
    for (Row& r : rows) {
        r.cls = static_cast<ActivityClass>(below(kDeviceClassCount));
        r.begin = 1'712'181'077'123'456'789 + below(horizon);
        r.end = r.begin + below(2 + horizon / 8);
        r.device = std::array{0u, 9u, 10u}[below(devices)];
        r.stream = 5 + below(9);
        r.bytes = r.cls == Kernel ? 0 : below(1u << 30);
        r.unified = r.cls != Kernel && below(6) == 0;
    }
    return rows;
}

struct Recorded {
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    analysis::Report report;
};

Recorded recorded(const std::vector<Row>& rows) {
    TraceBuilder builder;
    for (const Row& row : rows) {
        ActivityRecord r;
        r.cls = row.cls, r.begin = row.begin, r.end = row.end, r.bytes = row.bytes;
        r.device = row.device, r.context = 1, r.stream = row.stream;
        r.flags = row.unified ? kFlagUnified : 0;
        builder.add(r);
    }
    Recorded result;
    result.trace = builder.finish();
    result.lanes = lanesOf(result.trace);
    result.report = analysis::analyze({result.trace, *result.lanes});
    return result;
}

std::string micro(Ns time) {
    std::string digits = std::to_string(time % 1000);
    digits.insert(0, 3 - digits.size(), '0');
    return std::to_string(time / 1000) + "." + digits;
}

std::string_view kinetoName(ActivityClass c) {
    static constexpr std::array<std::string_view, kDeviceClassCount> kNames{"fma",
                                                                            "Memcpy HtoD (Pinned -> Device)",
                                                                            "Memcpy DtoH (Device -> Pinned)",
                                                                            "Memcpy DtoD (Device -> Device)",
                                                                            "Memcpy PtoP (Device -> Device)",
                                                                            "Memset (Device)",
                                                                            "Memcpy HtoH (Host -> Host)"};
    return kNames[static_cast<std::size_t>(c)];
}

std::string kinetoJson(const std::vector<Row>& rows) {
    std::string text = "{\"schemaVersion\": 1, \"traceEvents\": [";
    for (const Row& r : rows) {
        const char* category = r.cls == Kernel ? "kernel" : r.cls == Memset ? "gpu_memset" : "gpu_memcpy";
        text += std::string(&r == rows.data() ? "\n" : ",\n") + R"({"ph": "X", "cat": ")" + category +
                R"(", "name": ")" + std::string(kinetoName(r.cls)) + R"(", "pid": 0, "tid": 1, "ts": )" +
                micro(r.begin) + R"(, "dur": )" + micro(r.end - r.begin) + R"(, "args": {"device": )" +
                std::to_string(r.device) + R"(, "stream": )" + std::to_string(r.stream) + R"(, "bytes": )" +
                std::to_string(r.bytes) + "}}";
    }
    return text + "]}";
}

std::string pairName(const std::pair<ActivityClass, ActivityClass>& pair) {
    return std::string(className(pair.first)) + "&" + std::string(className(pair.second));
}

Json numbersOf(const analysis::ClassNumbers& n) {
    return {{"count", n.count},
            {"busy_ns", n.busy},
            {"sum_ns", n.sum},
            {"concurrent_ns", n.concurrent},
            {"zero_duration", n.zeroDuration},
            {"bytes", n.bytes},
            {"streams", n.streams}};
}

// A device as the contract prints it.
Json contractJson(const analysis::DeviceReport& d) {
    Json json;
    for (const auto& [cls, numbers] : d.classes)
        json["classes"][std::string(className(cls))] = numbersOf(numbers);
    for (const auto& [pair, overlap] : d.pairs)
        json["pairs"][pairName(pair)] = overlap;
    const analysis::DerivedNumbers& n = d.derived;
    json["derived"] = {{"copy_busy_ns", n.copyBusy},
                       {"kernel&copy", n.kernelAndCopy},
                       {"copy_hd_busy_ns", n.copyHdBusy},
                       {"kernel&copy_hd", n.kernelAndCopyHd},
                       {"copy_hd_excl_uvm_busy_ns", n.copyHdExclUvmBusy},
                       {"kernel&copy_hd_excl_uvm", n.kernelAndCopyHdExclUvm},
                       {"uvm_count", n.uvmCount},
                       {"uvm_busy_ns", n.uvmBusy}};
    json["first_ns"] = d.first, json["last_ns"] = d.last, json["span_ns"] = d.span;
    json["busy_any_ns"] = d.busyAny, json["idle_ns"] = d.idle;
    return json;
}

Json contractJson(const analysis::Report& report) {
    Json json = Json::object();
    for (const analysis::DeviceReport& d : report.devices)
        json[d.id] = contractJson(d);
    return json;
}

const std::string kScript = std::string(OLAB_SOURCE_DIR) + "/tests/data/reference_overlap.py";

class Contract : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("python3 -c pass > /dev/null 2>&1") != 0)
            GTEST_SKIP() << "python3 is not here, so the counting contract cannot be asked";
        m_dir = std::filesystem::path(testing::TempDir()) / ("olab_contract_" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_dir);
    }
    void TearDown() override { std::filesystem::remove_all(m_dir); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(m_dir / name) << text;
        return (m_dir / name).string();
    }
    Json ask(const std::string& command) const {
        const std::string out = (m_dir / "out.json").string();
        const int status = std::system((command + " > '" + out + "'").c_str());
        EXPECT_EQ(status, 0) << command;
        std::ifstream in(out);
        return Json::parse(in);
    }
    std::filesystem::path m_dir;
};

TEST_F(Contract, RandomProfilerTracesCountTheSame) {
    std::mt19937 random(20'251'120);
    std::vector<Json> ours;
    std::string command = "python3 '" + kScript + "'";
    for (int n = 0; n < kTraces; ++n) {
        std::vector<Row> rows = randomRows(random);
        for (Row& r : rows)
            r.unified = false; // this format does not say
        ours.push_back(contractJson(recorded(rows).report));
        command += " '" + write("trace" + std::to_string(n) + ".json", kinetoJson(rows)) + "'";
    }
    const Json theirs = ask(command);
    ASSERT_EQ(theirs.size(), ours.size());
    for (std::size_t n = 0; n < ours.size(); ++n)
        EXPECT_EQ(theirs[n]["devices"].dump(1), ours[n].dump(1)) << "trace " << n; // text: order counts too
}

TEST_F(Contract, UnifiedMemoryMigrationsCountTheSame) {
    std::mt19937 random(7);
    Json questions = Json::array();
    std::vector<Json> ours;
    for (int n = 0; n < kTraces; ++n) {
        std::vector<Row> rows = randomRows(random);
        Json question = Json::object();
        for (Row& r : rows) {
            r.device = 3;
            question[std::string(className(r.cls))].push_back({r.begin, r.end, r.stream, r.bytes, r.unified});
        }
        questions.push_back(question);
        ours.push_back(contractJson(recorded(rows).report.devices.at(0)));
    }
    const std::string file = write("questions.json", questions.dump());
    const std::string code =
        "import sys, json; sys.path.insert(0, sys.argv[1]); import reference_overlap as r; "
        "print(json.dumps([r.measure(q) for q in json.load(open(sys.argv[2]))]))";
    const Json theirs =
        ask("python3 -B -c '" + code + "' '" + std::string(OLAB_SOURCE_DIR) + "/tests/data' '" + file + "'");
    ASSERT_EQ(theirs.size(), ours.size());
    bool anyUnified = false;
    for (std::size_t n = 0; n < ours.size(); ++n) {
        EXPECT_EQ(theirs[n].dump(1), ours[n].dump(1)) << "case " << n;
        anyUnified |= ours[n]["derived"]["uvm_busy_ns"] > 0;
    }
    EXPECT_TRUE(anyUnified);
}

} // namespace
} // namespace olab::test
