// `olab trace --on HOST -- PROGRAM`: the program runs and is recorded on another machine, by the olab there;
// the recording comes back, and is told and judged here.
#pragma once

#include "arguments.h"
#include "traced_program.h"

#include <olab/trace/trace_request.h>

#include <filesystem>

namespace olab::cli {

/// False for what --on takes without a program: "12,34" and "all".
bool namesHost(const std::string& word);

/// `request`: of this machine, where the recording goes. @returns the exit code of the program. @throws Error
int traceElsewhere(const Arguments& arguments, const TraceRequest& request);

/// The other side of it: the olab over there says nothing itself and leaves what it has to say in a folder.
struct TraceErrand {
    std::filesystem::path folder; ///< empty: nobody sent it
    bool isSent() const { return !folder.empty(); }
    /// Of this process's environment, from which it takes it.
    static TraceErrand take();
    void report(const ProgramEnd& end) const;
};

} // namespace olab::cli
