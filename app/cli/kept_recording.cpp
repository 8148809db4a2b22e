#include "kept_recording.h"

#include "command.h"

#include <olab/run/runner.h>
#include <olab/trace/output_file.h>

#include <cstdio>
#include <unistd.h>

namespace olab::cli {

KeptRecording::KeptRecording(const Arguments& arguments)
    : m_file(arguments.value("--output")) {
    if (!arguments.has("--output"))
        return;
    checkWritable(m_file);
    m_toStandardOutput = isStandardOutput(m_file);
    if (m_toStandardOutput && arguments.has("--json"))
        throw Error(ErrorKind::Usage, "one-output",
                    "The recording and the report cannot both go to standard output.",
                    "Leave out --json, or name a file after -o.");
    if (m_toStandardOutput && ::isatty(STDOUT_FILENO) == 1)
        throw Error(ErrorKind::Usage, "terminal", "A recording is not written to a terminal.",
                    "Name a file after -o, or send standard output somewhere else.");
}

void KeptRecording::save(const recording::Recording& recording, const RunControl& control) {
    if (m_file.empty())
        return;
    try {
        recording::saveRecording(recording, m_file, control);
        m_savedTo = m_file;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        m_failed = error;
    }
}

void KeptRecording::printReport(const Printed& report) const {
    if (!m_toStandardOutput)
        return print(report);
    const std::string& text = report.text();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int KeptRecording::finish(int exitCode) const {
    if (!m_failed)
        return exitCode;
    say(run::RunnerError{m_failed->kind(), m_failed->code(), m_failed->what(), m_failed->hint()});
    return exitCode != 0 ? exitCode : m_failed->exitCode();
}

} // namespace olab::cli
