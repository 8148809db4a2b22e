// The importer and exporter tables: file dialogs, `olab convert` and sniffing follow from their rows.
#pragma once

#include <olab/io/recording_file.h>

#include <functional>
#include <span>

namespace olab {

struct Importer {
    std::string_view id, name, pattern; ///< "olab", "Overlap Lab recording", "*.olab"
    bool (*sniff)(std::span<const std::byte> head);
    RecordingData (*read)(const std::filesystem::path&, const RunControl&);
};
struct Exporter {
    std::string_view id, name, pattern;
    void (*write)(const std::filesystem::path&, const RecordingData&, const RunControl&);
};
std::span<const Importer> importers();
std::span<const Exporter> exporters();

} // namespace olab
