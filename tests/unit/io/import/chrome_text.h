// Traces written into the tests, read as files are.
#pragma once

#include <olab/analysis/analyze.h>
#include <olab/io/formats.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/output_file.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace olab::testing_import {

/// A file that is gone with this.
class TextFile {
public:
    explicit TextFile(std::string_view content, const std::string& name = "trace") {
        static std::atomic<int> number = 0;
        m_path = std::filesystem::temp_directory_path() /
                 ("olab_import_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + "_" + name);
        writeFile(m_path, content);
    }
    ~TextFile() { std::filesystem::remove(m_path); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

inline Trace read(std::string_view content) {
    const TextFile file(content);
    return io::readRecording(file.path()).trace;
}

inline std::vector<analysis::DeviceReport> numbersOf(const Trace& trace) {
    const auto lanes = lanesOf(trace);
    return analysis::measuredNumbers({trace, *lanes});
}

/// The defect of a code; count 0: there is none.
inline Defect defectOf(const Trace& trace, DefectCode code) {
    for (const Defect& defect : trace.defects())
        if (defect.code == code)
            return defect;
    return Defect{code, 0, 0, {}};
}

inline std::size_t countOf(const Trace& trace, ActivityClass cls) {
    std::size_t count = 0;
    for (const ActivityClass each : trace.classes())
        count += each == cls;
    return count;
}

/// A kernel of device 0, stream 7.
inline std::string kernel(std::string_view ts, std::string_view dur, std::string_view name = "k") {
    return R"({"ph": "X", "cat": "kernel", "name": ")" + std::string(name) +
           R"(", "pid": 0, "tid": 7, "ts": )" + std::string(ts) + ", \"dur\": " + std::string(dur) +
           R"(, "args": {"device": 0, "context": 1, "stream": 7, "correlation": 5, "grid": [2, 1, 1], "block": [64, 1, 1]}})";
}
inline std::string object(const std::string& events, const std::string& before = {}) {
    return "{" + before + "\"traceEvents\": [" + events + "]}";
}

} // namespace olab::testing_import
