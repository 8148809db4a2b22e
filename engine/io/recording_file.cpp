#include <olab/io/formats.h>
#include <olab/io/recording_file.h>

#include "olab_format.h"

#include <olab/trace/input_file.h>

namespace olab {
namespace {

constexpr std::uint64_t kMostOfPipe = std::uint64_t{16} << 30; // kept in TMPDIR while it is read

std::string knownFormats() {
    std::string text;
    for (const Importer& importer : importers())
        text += (text.empty() ? "" : ", ") + std::string(importer.name) + " (" +
                std::string(importer.pattern) + ")";
    return text;
}

/// What is wrong with what a pipe held is said of the pipe.
RecordingData readWith(const Importer& importer, InputFile& input, const RunControl& control) {
    const std::filesystem::path whole = input.whole(kMostOfPipe, control);
    try {
        return importer.read(whole, control);
    } catch (const Error& error) {
        std::string message = error.what();
        if (const auto at = message.find(whole.string()); whole != input.path() && at != message.npos)
            message.replace(at, whole.string().size(), input.path().string());
        throw Error(error.kind(), error.code(), message, error.hint());
    }
}

} // namespace

RecordingData readRecording(const std::filesystem::path& path, const RunControl& control) {
    InputFile input(path, control);
    for (const Importer& importer : importers())
        if (importer.sniff(input.head()))
            return readWith(importer, input, control);
    throw Error(ErrorKind::Usage, "unknown-format",
                path.string() + (input.head().empty() ? " is empty." : " is in no format known here."),
                "These can be read: " + knownFormats() + ".");
}

void writeRecording(const std::filesystem::path& path, const Trace& trace, const Experiment* experiment,
                    const std::optional<ToolEffect>& toolEffect, const RunControl& control,
                    std::string_view reportJson, std::span<const Bookmark> bookmarks, const RunLabel& label,
                    const JobRuns& runs) {
    writeOlab(path, trace, experiment, toolEffect, reportJson, bookmarks, label, runs, control);
}

} // namespace olab
