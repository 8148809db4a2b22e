// Real traces of other tools, recorded by others, against what the counting contract says of them: every
// number of every device. They are not part of the sources: OLAB_TRACES names their folder, else it is
// looked for beside the sources; without them the test says so and is skipped.
#include "shared_traces.h"
#include "test_places.h"

#include <olab/analysis/analyze.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_json.h>
#include <olab/trace/lanes_of.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <gtest/gtest.h>

namespace olab::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Json devicesOf(const Trace& trace) {
    const auto lanes = lanesOf(trace);
    const analysis::Report report = analysis::analyze({trace, *lanes});
    return Json::parse(io::reportToJson(report, {trace, nullptr, false, "", {}, {}}))["devices"];
}

/// "GeForce GTX 950 (0)", as nvprof writes it: the device is number 0 here.
std::string deviceNumber(const std::string& key) {
    const std::size_t open = key.rfind('(');
    return key.ends_with(')') && open != key.npos ? key.substr(open + 1, key.size() - open - 2) : key;
}

/// Every number that the contract gives must be there; what else the report says of a device is its own.
void compareAll(const Json& expected, const Json& ours, const std::string& where, bool namesBytes) {
    if (!expected.is_object()) {
        if (namesBytes || !where.ends_with("/bytes")) {
            EXPECT_EQ(ours, expected) << where;
        }
        return;
    }
    for (const auto& [key, value] : expected.items())
        if (ours.contains(key))
            compareAll(value, ours[key], where + "/" + key, namesBytes);
        else
            ADD_FAILURE() << where << " lacks " << key;
}

void compareDevices(const Json& expected, const Json& ours, const std::string& file,
                    const std::string& format) {
    EXPECT_EQ(expected.size(), ours.size()) << file;
    for (const auto& [key, device] : expected.items()) {
        const std::string number = deviceNumber(key);
        if (ours.contains(
                number)) // the contract reads no sizes from nvprof's text, they are there all the same
            compareAll(device, ours[number], file + " device " + number, format != "nvprofcsv");
        else
            ADD_FAILURE() << file << " lacks device " << number;
    }
}

/// What is read for the numbers alone must say the same as all of it, to the last count.
void compareNumbersAlone(const fs::path& file, const Trace& all) {
    const auto numbers = [](const Trace& trace) {
        const auto lanes = lanesOf(trace);
        return io::numbersToJson(analysis::measuredNumbers({trace, *lanes}), trace, "");
    };
    EXPECT_EQ(numbers(io::readForNumbers(file).trace), numbers(all)) << file;
}

std::string defectsOf(const Trace& trace) {
    std::string text;
    for (const Defect& defect : trace.defects())
        text += "\n    " + std::to_string(defect.count) + " " + defect.text();
    return text;
}

TEST(SharedTraces, EveryNumberIsThatOfTheContract) {
    std::ifstream file(sharedTraces() / "expected.json");
    if (!file)
        GTEST_SKIP() << "no traces in " << sharedTraces() << ": name their folder in OLAB_TRACES";
    int equal = 0, noImporter = 0, refused = 0;
    const Json all = Json::parse(file);
    for (const auto& [name, entry] : all.items()) {
        const bool isTrace =
            entry.contains("format") && entry["format"].is_string() && entry["format"] != "sqlite?";
        try {
            const Trace trace = io::readRecording(sharedTraces() / name).trace;
            EXPECT_TRUE(isTrace) << name;
            const RecordCounts counts = trace.counts();
            EXPECT_EQ(counts.read, counts.kept + counts.refused) << name;
            compareDevices(entry.value("devices", Json::object()), devicesOf(trace), name, entry["format"]);
            compareNumbersAlone(sharedTraces() / name, trace);
            ++equal;
            std::printf("%s: %llu records%s\n", name.c_str(), static_cast<unsigned long long>(counts.kept),
                        defectsOf(trace).c_str());
        } catch (const Error& error) {
            (isTrace ? noImporter : refused) += 1;
            std::printf("%s: %s %s\n", name.c_str(), error.what(), error.hint().c_str());
            EXPECT_TRUE(error.code() == "unknown-format" || error.code() == "no-nsys") << name;
        }
    }
    std::printf("%d files compared, %d refused that are no traces, %d skipped that no importer knows yet\n",
                equal, refused, noImporter);
    EXPECT_GT(equal, 0);
}

} // namespace
} // namespace olab::test
