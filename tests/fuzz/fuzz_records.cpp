// Any bytes as a record chunk: whatever is read is written and read again as the same.
#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace olab;

void require(bool holds) {
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto payload = std::as_bytes(std::span(data, size));
    const std::string path = "/tmp/olab_fuzz_records." + std::to_string(getpid());
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
    ::unlink(path.c_str());
    require(damage.empty());
    const Trace trace = direct.finish();
    require(trace == throughFile.finish());
    require(trace.counts().read == trace.counts().kept + trace.counts().refused);
    return 0;
}
