// The importer and exporter tables: file dialogs, `olab convert` and sniffing follow from their rows. A new
// importer is one file and one row.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

#include <functional>
#include <span>

namespace olab::io {

struct Importer {
    std::string_view id, name, pattern; ///< "olab", "Overlap Lab recording", "*.olab"
    bool (*sniff)(std::span<const std::byte> head);
    /// Passes all records to the sink and returns what else the file says, with an empty trace. Damage is a
    /// RefusedRecord, not an Error. @throws Error if nothing at all can be read
    RecordingData (*read)(Source&, RecordSink&, const RunControl&);
    /// If the first bytes match several formats: whether it is this one. @throws Error as read
    bool (*confirm)(Source&, const RunControl&) = nullptr;
};
/// What a format has a place for. Defects: also those of the trace; Everything: also the plan and other runs.
enum class Keeps { Activities, Defects, Everything };
struct Exporter {
    std::string_view id, name, pattern;
    void (*write)(const std::filesystem::path&, const RecordingData&, const RunControl&);
    Keeps keeps;
};
std::span<const Importer> importers();
/// Reads a file with the first of `importers` that recognises its first bytes. @throws Error as
/// readRecording()
RecordingData readRecording(const std::filesystem::path& path, std::span<const Importer> importers,
                            const RunControl& control);
std::span<const Exporter> exporters();

} // namespace olab::io
