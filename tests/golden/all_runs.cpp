#include "all_runs.h"

#include "../shared_traces.h"
#include "recordings.h"

#include <fstream>

namespace olab::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::vector<fs::path> allFiles() {
    std::vector<fs::path> files;
    for (const std::string& name : test::recordingNames())
        files.push_back(test::recordingFile(name));
    std::ifstream list(sharedTraces() / "expected.json");
    const Json shared = list ? Json::parse(list) : Json::object();
    for (const auto& [name, entry] : shared.items()) // its keys are the files
        files.push_back(sharedTraces() / name);
    return files;
}

} // namespace

const std::vector<Run>& allRuns() {
    static const auto all = [] {
        std::vector<Run> found;
        for (const fs::path& file : allFiles())
            try {
                const recording::RecordingPtr r = recording::openRecording(file);
                Json report = Json::parse(recording::documentOf(*r).text());
                if (!report["bounds"]["serial_ns"].is_null())
                    found.push_back({r, std::move(report), file.filename().string()});
            } catch (const Error&) { // what no importer knows has no numbers
            }
        return found;
    }();
    return all;
}

} // namespace olab::test
