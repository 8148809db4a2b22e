// The importer and exporter tables: file dialogs, `olab convert` and sniffing follow from their rows. A new
// importer is one file and one row.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

#include <functional>
#include <span>

namespace olab {

struct Importer {
    std::string_view id, name, pattern; ///< "olab", "Overlap Lab recording", "*.olab"
    bool (*sniff)(std::span<const std::byte> head);
    /// Hands all records to the sink, and gives what else the file says; the trace of that stays empty.
    /// Damage is a RefusedRecord, not an Error. @throws Error when there is nothing to be read at all
    RecordingData (*read)(Source&, RecordSink&, const RunControl&);
    /// Where the first bytes are those of several formats: whether it is this one. @throws Error as read
    bool (*confirm)(Source&, const RunControl&) = nullptr;
};
struct Exporter {
    std::string_view id, name, pattern;
    void (*write)(const std::filesystem::path&, const RecordingData&, const RunControl&);
};
std::span<const Importer> importers();
/// What `importers` make of a file, the first that knows its first bytes. @throws Error as readRecording()
RecordingData readRecording(const std::filesystem::path& path, std::span<const Importer> importers,
                            const RunControl& control);
std::span<const Exporter> exporters();

} // namespace olab
