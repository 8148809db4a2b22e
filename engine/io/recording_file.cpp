#include <olab/io/formats.h>
#include <olab/io/recording_file.h>

#include "olab_format.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace olab {
namespace {

constexpr std::size_t kHeadBytes = 4096; ///< enough for every format's signature

std::vector<std::byte> readHead(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error(ErrorKind::Usage, "cannot-read", path.string() + " is a folder.", "Name a file in it.");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(ErrorKind::Usage, "cannot-read",
                    "Cannot open " + path.string() + ": " + std::strerror(errno) + ".",
                    "Check the name and that you may read it.");
    std::vector<std::byte> head(kHeadBytes);
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

std::string knownFormats() {
    std::string text;
    for (const Importer& importer : importers())
        text += (text.empty() ? "" : ", ") + std::string(importer.name) + " (" +
                std::string(importer.pattern) + ")";
    return text;
}

} // namespace

RecordingData readRecording(const std::filesystem::path& path, const RunControl& control) {
    const std::vector<std::byte> head = readHead(path);
    for (const Importer& importer : importers())
        if (importer.sniff(head))
            return importer.read(path, control);
    throw Error(ErrorKind::Usage, "unknown-format",
                path.string() + (head.empty() ? " is empty." : " is in no format known here."),
                "These can be read: " + knownFormats() + ".");
}

void writeRecording(const std::filesystem::path& path, const Trace& trace, const Experiment* experiment,
                    const std::optional<ToolEffect>& toolEffect, const RunControl& control,
                    std::string_view reportJson, std::span<const Bookmark> bookmarks, const RunLabel& label) {
    writeOlab(path, trace, experiment, toolEffect, reportJson, bookmarks, label, control);
}

} // namespace olab
