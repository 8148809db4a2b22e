// What the tests of `olab trace` share: the real program and the real library, a made-up CUDA.
#pragma once

#include "cli_fixture.h"

#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

namespace olab::test {

class TraceCli : public Cli {
protected:
    /// `olab trace OPTIONS -- cuda_program WORDS`, in the folder of the test.
    static std::string traced(const std::string& options, const std::string& words) {
        return "OLAB_CUPTI='" STREAM_CUPTI "' '" OLAB_PROGRAM "' trace " + options + " -- " + program(words);
    }
    static std::string program(const std::string& words) { return "'" CUDA_PROGRAM "' " + words; }
    Result trace(const std::string& options, const std::string& words) const {
        return shell(traced(options, words));
    }
    Trace read(const std::string& name) const {
        TraceBuilder builder;
        std::vector<RefusedRecord> defects;
        readContainer(
            m_folder / name, [&](Chunk&& chunk) { readRecords(chunk.payload, builder); }, defects);
        for (const RefusedRecord& defect : defects)
            builder.add(defect);
        return builder.finish();
    }
    static const Defect* find(const Trace& trace, DefectCode code) {
        for (const Defect& defect : trace.defects())
            if (defect.code == code)
                return &defect;
        return nullptr;
    }
    /// Of calls and of device work.
    static std::size_t count(const Trace& trace, bool calls) {
        std::size_t found = 0;
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            found += (trace.cls(i) == ActivityClass::Api) == calls ? 1 : 0;
        return found;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_folder))
            if (entry.path().extension() == ".olab")
                names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

} // namespace olab::test
