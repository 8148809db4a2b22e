#include <olab/experiment/held_experiment.h>
#include <olab/io/formats.h>

#include <olab/trace/container.h>

#include "export/exporters.h"
#include "import/chrome_json.h"
#include "import/nsys_sqlite.h"
#include "import/nvprof_csv.h"
#include "import/nvprof_sqlite.h"
#include "import/sqlite_database.h"
#include "olab_format.h"

namespace olab {
namespace {

void exportOlab(const std::filesystem::path& path, const RecordingData& data, const RunControl& control) {
    writeOlab(path, data.trace, data.experiment ? &*data.experiment : nullptr, data.toolEffect, {},
              data.bookmarks, data.label, {data.runs, data.times, data.interventions}, control);
}

bool sniffSqlite(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.starts_with(imports::SqliteDatabase::kMagic);
}

} // namespace

std::span<const Importer> importers() {
    static constexpr Importer kRows[] = {
        {"olab", "Overlap Lab recording", "*.olab", sniffContainer, readOlab},
        {"nsys", "Nsight Systems SQLite export", "*.sqlite", sniffSqlite, readNsys, isNsys},
        {"nvprof", "nvprof or Visual Profiler database", "*.nvvp *.nvprof *.prof", sniffSqlite, readNvprof,
         isNvprof},
        {"nvprof-csv", "nvprof GPU trace as text", "*.csv", sniffNvprofCsv, readNvprofCsv},
        {"json", "PyTorch, TensorFlow, JAX or Chrome trace", "*.json *.json.gz *.json.zst", sniffChromeJson,
         readChromeJson},
    };
    return kRows;
}

std::span<const Exporter> exporters() {
    static constexpr Exporter kRows[] = {
        {"olab", "Overlap Lab recording", "*.olab", exportOlab},
        {"kineto", "Chrome trace as PyTorch writes it", "*.json", exportKineto},
        {"csv", "table of activities", "*.csv", exportCsv},
    };
    return kRows;
}

} // namespace olab
