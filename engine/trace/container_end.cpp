#include <olab/trace/container_end.h>

#include "container_reader.h"
#include "descriptor.h"

#include <algorithm>
#include <iterator>
#include <sys/file.h>
#include <sys/mman.h>

namespace olab {
namespace {

using namespace container_detail;
using trace_detail::Descriptor;

constexpr std::size_t kHead = chunkHeaderSize(kContainerVersion);

/// Nothing if there is no whole chunk.
std::optional<ChunkHeader> chunkAt(const RegularFile& file, std::uint64_t at, std::uint64_t size) {
    const auto head = headerAt(file, at, size, kContainerVersion);
    return head && head->length <= size - at - kHead ? head : std::nullopt;
}

/// What a file has between its header and its end that holds only this.
std::vector<std::byte> payloadOf(const RefusedRecord& record) {
    const Descriptor memory(::memfd_create("olab", MFD_CLOEXEC));
    if (memory.number() < 0)
        return {};
    const std::string path = "/proc/self/fd/" + std::to_string(memory.number());
    OutputFile there(path);
    ContainerWriter container(there);
    RecordWriter records(container);
    records.add(record);
    records.flush();
    const RegularFile file(path);
    const std::uint64_t size = file.size().value_or(0);
    const auto chunk = chunkAt(file, kHeaderSize, size);
    std::vector<std::byte> payload(chunk ? chunk->length : 0);
    if (!file.readAt(kHeaderSize + kHead, payload))
        payload.clear();
    return payload;
}

bool writeAt(int descriptor, std::uint64_t at, std::span<const std::byte> bytes) {
    const auto start = static_cast<off_t>(at);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n =
            ::pwrite(descriptor, bytes.data() + done, bytes.size() - done, start + static_cast<off_t>(done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) { // a full disk: as it was
            (void)!::ftruncate(descriptor, start);
            return false;
        }
        done += static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

bool endContainer(const std::filesystem::path& path, const RefusedRecord& end) {
    const Descriptor writable(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    const RegularFile file(path);
    const std::uint64_t size = file.isOpen() ? file.size().value_or(0) : 0;
    if (writable.number() < 0 || size < kHeaderSize || ::flock(writable.number(), LOCK_EX | LOCK_NB) != 0)
        return false;
    std::uint64_t at = kHeaderSize;
    std::uint32_t chunks = 0;
    while (const auto chunk = chunkAt(file, at, size)) {
        if (chunk->type == kEndChunk)
            return false;
        at += kHead + chunk->length;
        chunks = chunk->sequence + 1;
    }
    std::vector<std::byte> rest =
        chunkBytes(static_cast<std::uint32_t>(ChunkType::Records), chunks, payloadOf(end));
    std::ranges::copy(chunkBytes(kEndChunk, chunks + 1, {}), std::back_inserter(rest));
    return ::ftruncate(writable.number(), static_cast<off_t>(at)) == 0 &&
           writeAt(writable.number(), at, rest);
}

void copyChunks(const std::filesystem::path& from, std::uint64_t begin, ContainerWriter& to) {
    const RegularFile file(from);
    if (!file.isOpen())
        throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + from.string() + " again.",
                    "Leave a file alone while it is recorded into.");
    const std::uint64_t size = file.size().value_or(0);
    std::vector<std::byte> payload;
    while (const auto chunk = chunkAt(file, begin, size)) {
        payload.resize(chunk->length);
        if (chunk->type == kEndChunk || !file.readAt(begin + kHead, payload))
            return;
        to.append(static_cast<ChunkType>(chunk->type), payload);
        begin += kHead + chunk->length;
    }
}

} // namespace olab
