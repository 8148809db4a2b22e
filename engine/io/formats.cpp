#include <olab/experiment/held_experiment.h>
#include <olab/io/formats.h>

#include <olab/trace/container.h>

#include "format_rows.h"
#include "olab_format.h"

namespace olab::io {
namespace {

void exportOlab(const std::filesystem::path& path, const RecordingData& data, const RunControl& control) {
    writeOlab(path, data.trace, data.experiment ? &*data.experiment : nullptr, data.toolEffect, {},
              data.bookmarks, data.label, {data.runs, data.times, data.interventions}, control);
}

std::vector<Importer> ownAndForeign() {
    std::vector<Importer> rows{{"olab", "Overlap Lab recording", "*.olab", sniffContainer, readOlab}};
    for (const Importer& foreign : importerRows())
        rows.push_back(foreign);
    return rows;
}

std::vector<Exporter> ownAndOthers() {
    std::vector<Exporter> rows{{"olab", "Overlap Lab recording", "*.olab", exportOlab, Keeps::Everything}};
    for (const Exporter& other : exporterRows())
        rows.push_back(other);
    return rows;
}

} // namespace

std::span<const Importer> importers() {
    static const std::vector<Importer> kRows = ownAndForeign();
    return kRows;
}

std::span<const Exporter> exporters() {
    static const std::vector<Exporter> kRows = ownAndOthers();
    return kRows;
}

} // namespace olab::io
