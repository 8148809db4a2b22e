// Reports of Nsight Systems (.nsys-rep, .qdrep): read by way of the SQLite export that the user's nsys makes.
#include "nsys_export.h"
#include "sqlite_database.h"

#include <olab/io/formats.h>
#include <olab/trace/temporary_folder.h>

#include <cstdlib>
#include <string_view>

namespace olab::io {

namespace imports::nsys_sqlite {
Importer row();
} // namespace imports::nsys_sqlite

namespace {

constexpr std::string_view kReportBegins = "NVIDIA Tegra Profiler Report";

bool sniffReport(std::span<const std::byte> head) {
    return std::string_view(reinterpret_cast<const char*>(head.data()), head.size())
        .starts_with(kReportBegins);
}

[[noreturn]] void refuseWithoutNsys(const std::filesystem::path& report) {
    const char* named = std::getenv("OLAB_NSYS");
    const std::string why = imports::refusesNsys() ? "OLAB_NSYS=none says not to run it"
                            : named && *named      ? "OLAB_NSYS names no program: " + std::string(named)
                                                   : "no nsys was found";
    throw Error(ErrorKind::Usage, "no-nsys",
                report.string() + " is a report of Nsight Systems, which is read by way of nsys, and " + why +
                    ".",
                "Install Nsight Systems, or set OLAB_NSYS to its nsys program. Or where it is installed: "
                "nsys export --type sqlite " +
                    report.filename().string() + ", and open the file that it writes.");
}

RecordingData readExport(const std::filesystem::path& file, RecordSink& records, const RunControl& control) {
    Source source(file, control);
    const Importer sqlite = imports::nsys_sqlite::row();
    if (!sqlite.sniff(source.head()) || !sqlite.confirm(source, control))
        throw Error(ErrorKind::Usage, "nsys-failed",
                    "The export of nsys, " + file.string() + ", is no trace: it has no tables of one.",
                    "Record the program with CUDA: nsys profile -t cuda,nvtx PROGRAM");
    RecordingData data = sqlite.read(source, records, control);
    data.format = "Nsight Systems report";
    return data;
}

RecordingData readReport(Source& source, RecordSink& records, const RunControl& control) {
    if (source.isPacked())
        throw Error(ErrorKind::Usage, "packed-report",
                    source.path().string() + " is a packed report of Nsight Systems, which nsys cannot read.",
                    "Unpack it and open what comes out.");
    if (const auto beside = imports::exportBeside(source.path()); !beside.empty())
        return readExport(beside, records, control);
    const auto nsys = imports::findNsys();
    if (!nsys)
        refuseWithoutNsys(source.path());
    const TemporaryFolder folder;
    const std::filesystem::path made = std::filesystem::absolute(folder.path()) / "export.sqlite";
    imports::exportReport(*nsys, source.path(), made, control);
    return readExport(made, records, control);
}

} // namespace

namespace imports::nsys_report {

Importer row() {
    return {"nsys-rep", "Nsight Systems report", "*.nsys-rep *.qdrep", sniffReport, readReport};
}

} // namespace imports::nsys_report

} // namespace olab::io
