// Any bytes as a record chunk: whatever is read is written and read again as the same.
#include "fuzz.h"

#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

using namespace olab;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto payload = fuzz::bytesOf(data, size);
    static const std::filesystem::path path = fuzz::scratchFile("records.olab");
    TraceBuilder direct, throughFile;
    {
        ContainerWriter file(path);
        RecordWriter writer(file);
        readRecords(payload, writer);
        writer.flush();
    }
    readRecords(payload, direct);
    std::vector<RefusedRecord> damage;
    readContainer(
        path, [&](Chunk&& chunk) { readRecords(chunk.payload, throughFile); }, damage);
    require(damage.empty());
    const Trace trace = direct.finish();
    require(trace == throughFile.finish());
    require(trace.counts().read == trace.counts().kept + trace.counts().refused);
    return 0;
}
