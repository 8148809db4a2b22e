// Any bytes as an .olab file: either an Error or a trace that counts what it refused, and that comes back
// equal when it is written and read again.
#include "fuzz.h"

#include <olab/trace/container.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

using namespace olab;
using fuzz::require;

namespace {

Trace read(const std::filesystem::path& path) {
    TraceBuilder builder;
    std::vector<RefusedRecord> damage;
    const auto take = [&builder](Chunk&& chunk) {
        if (chunk.type == ChunkType::Records)
            readRecords(chunk.payload, builder);
    };
    readContainer(path, take, damage);
    for (const RefusedRecord& d : damage)
        builder.add(d);
    return builder.finish();
}

void judge(const Trace& trace) {
    require(trace.counts().read == trace.counts().kept + trace.counts().refused);
    require(trace.counts().kept == trace.size());
    TraceBuilder again;
    trace.replay(again);
    require(again.finish() == trace);
    lanesOf(trace);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    fuzz::accepted([&] { judge(read(file.path())); });
    return 0;
}
