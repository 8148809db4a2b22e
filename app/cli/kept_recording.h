// What `olab run` keeps: -o OUT.olab. Whether it can be written is known before the run; when it fails after
// all, the run is still told and judged, and the exit code says so.
#pragma once

#include "arguments.h"
#include "printed.h"

#include <olab/recording/recording.h>

#include <optional>

namespace olab::cli {

class KeptRecording {
public:
    /// @throws Error for what cannot be written, before anything runs
    explicit KeptRecording(const Arguments& arguments);
    /// Writes it, if that was asked for. What goes wrong is kept for finish().
    void save(const recording::Recording& recording, const RunControl& control);
    /// The file it was written to; empty: none.
    const std::filesystem::path& savedTo() const { return m_savedTo; }
    /// The report: to standard output, unless the recording went there.
    void printReport(const Printed& report) const;
    /// Last of all: says what went wrong. @returns the exit code; a worse one stays
    int finish(int exitCode) const;

private:
    std::filesystem::path m_file; ///< empty: nothing is kept
    std::filesystem::path m_savedTo;
    bool m_toStandardOutput = false;
    std::optional<Error> m_failed;
};

} // namespace olab::cli
