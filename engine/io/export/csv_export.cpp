// One line per activity, one column per property.
#include "text_blocks.h"

#include <olab/io/formats.h>
#include <olab/trace/value_text.h>

namespace olab::io {
namespace {

using exported::TextBlocks;

std::string known(std::uint32_t number) {
    return number == kNoNumber ? std::string() : std::to_string(number);
}

std::string kindText(MemoryKind kind) {
    return kind == MemoryKind::Unknown ? std::string() : std::string(memoryKindName(kind));
}

/// 132x1x1
std::string sizes(const std::array<std::uint32_t, 3>& v) {
    return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

void writeActivity(TextBlocks& out, const Trace& trace, ActivityIndex i) {
    const Activity a = trace[i];
    const Queue& queue = trace.queue(a.queue);
    const bool isWork = isDeviceClass(a.cls);
    out << className(a.cls) << "," << csvText(trace.text(a.name)) << "," << a.begin << "," << a.end << ","
        << a.duration() << "," << (isWork ? known(trace.devices()[a.device].device) : "") << ","
        << (isWork ? known(queue.context) : "") << "," << (isWork ? known(queue.number) : "") << ","
        << (isWork ? "" : known(queue.number)) << "," << queue.process << ",";
    out << (a.correlation != 0 ? std::to_string(a.correlation) : "") << ","
        << (isWork ? std::to_string(a.bytes) : "") << "," << kindText(a.source) << "," << kindText(a.target)
        << "," << (a.flags & kFlagUnified ? "yes" : "") << ",";
    if (const KernelGeometry* g = trace.geometry(i))
        out << sizes(g->grid) << "," << sizes(g->block) << "," << g->registersPerThread << ","
            << g->staticShared << "," << g->dynamicShared << "\n";
    else
        out << ",,,,\n";
}

void exportCsv(const std::filesystem::path& path, const RecordingData& data, const RunControl& control) {
    control.throwIfCancelled();
    OutputFile file(path);
    TextBlocks out(file);
    out << "class,name,begin_ns,end_ns,duration_ns,device,context,stream,thread,process,correlation,bytes,"
           "source_memory,"
           "target_memory,unified_memory,grid,block,registers_per_thread,static_shared,dynamic_shared\n";
    for (ActivityIndex i = 0; i < data.trace.size(); ++i) {
        if (i % 4096 == 0)
            control.throwIfCancelled();
        writeActivity(out, data.trace, i);
        out.next();
    }
    out.flush();
    file.commit();
}

} // namespace

namespace exported::csv {

Exporter row() {
    return {"csv", "table of activities", "*.csv", exportCsv, Keeps::Activities};
}

} // namespace exported::csv

} // namespace olab::io
