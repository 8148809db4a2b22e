// Any bytes as an .olab file: either an Error or a trace that counts what it refused, and that comes back
// equal when it is written and read again. The fuzzer cannot find checksums, so the first byte of the input
// says whether they are put right first.
#include <olab/trace/container.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace olab;

constexpr std::size_t kHeader = 16;
constexpr char kMarker[] = "\xf7"
                           "chunk\0\x9c";

// A file in memory, named by its descriptor.
class MemoryFile {
public:
    MemoryFile()
        : m_descriptor(memfd_create("olab", 0)) {}
    ~MemoryFile() { ::close(m_descriptor); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }
    void put(std::span<const std::byte> bytes) const {
        if (::write(m_descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            std::abort();
    }

private:
    int m_descriptor;
};

std::uint32_t numberAt(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

void putNumber(std::span<std::byte> bytes, std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

void mendChecksums(std::span<std::byte> file) {
    if (file.size() < kHeader)
        return;
    const bool first = numberAt(file, 8) == 1;
    putNumber(file, 12, first ? 0 : crc32c(file.first(12)));
    const std::size_t numbers = first ? 8 : 12, head = 8 + numbers + 4;
    for (std::size_t at = kHeader; at + head <= file.size(); ++at) {
        if (std::memcmp(file.data() + at, kMarker, 8) != 0)
            continue;
        const std::size_t length = numberAt(file, at + 12);
        if (length <= file.size() - at - head)
            putNumber(file, at + head - 4,
                      crc32c(file.subspan(at + head, length), crc32c(file.subspan(at + 8, numbers))));
    }
}

void require(bool holds) {
    if (!holds)
        std::abort();
}

Trace read(const MemoryFile& file) {
    TraceBuilder builder;
    std::vector<RefusedRecord> damage;
    const auto take = [&builder](Chunk&& chunk) {
        if (chunk.type == ChunkType::Records)
            readRecords(chunk.payload, builder);
    };
    readContainer(file.path(), take, damage);
    for (const RefusedRecord& d : damage)
        builder.add(d);
    return builder.finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    std::vector<std::byte> content(bytes.begin(), bytes.end());
    if (data[0] % 4 != 0)
        mendChecksums(content);
    MemoryFile file;
    file.put(content);
    try {
        const Trace trace = read(file);
        require(trace.counts().read == trace.counts().kept + trace.counts().refused);
        require(trace.counts().kept == trace.size());
        TraceBuilder again;
        trace.replay(again);
        require(again.finish() == trace);
        LaneSet::of(trace);
    } catch (const Error& e) {
        require(!e.hint().empty());
    }
    return 0;
}
