#include <olab/trace/container_end.h>

#include "container_reader.h"

#include <array>
#include <sys/file.h>
#include <sys/mman.h>

namespace olab {
namespace {

using namespace container_detail;
using trace_detail::getLittle;
using trace_detail::putLittle;

constexpr std::size_t kHead = chunkHeaderSize(kContainerVersion);

class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return m_number; }
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_number); }

private:
    int m_number;
};

/// Nothing if there is no whole chunk.
std::optional<ChunkHeader> chunkAt(const RegularFile& file, std::uint64_t at, std::uint64_t size) {
    std::array<std::byte, kHead> head{};
    if (at + kHead > size || !file.readAt(at, head) ||
        !std::equal(kMarker.begin(), kMarker.end(), head.begin()))
        return std::nullopt;
    const auto number = [&](std::size_t i) {
        return getLittle<std::uint32_t>(std::span(head).subspan(kMarker.size() + 4 * i));
    };
    const ChunkHeader h{number(0), number(1), number(2), number(3)};
    const bool isWhole = h.length <= kMaxPayload && h.length <= size - at - kHead;
    return isWhole ? std::optional(h) : std::nullopt;
}

void putChunk(std::vector<std::byte>& out, std::uint32_t type, std::uint32_t sequence,
              std::span<const std::byte> payload) {
    ChunkHeader h{type, static_cast<std::uint32_t>(payload.size()), sequence, 0};
    h.crc = checksum(kContainerVersion, h, payload);
    out.insert(out.end(), kMarker.begin(), kMarker.end());
    for (const std::uint32_t number : {h.type, h.length, h.sequence, h.crc})
        putLittle(out, number);
    out.insert(out.end(), payload.begin(), payload.end());
}

/// What a file has between its header and its end that holds only this.
std::vector<std::byte> payloadOf(const RefusedRecord& record) {
    const Descriptor memory(::memfd_create("olab", MFD_CLOEXEC));
    if (memory.number() < 0)
        return {};
    OutputFile there(memory.path());
    ContainerWriter container(there);
    RecordWriter records(container);
    records.add(record);
    records.flush();
    const RegularFile file(memory.path());
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
    std::vector<std::byte> rest;
    putChunk(rest, static_cast<std::uint32_t>(ChunkType::Records), chunks, payloadOf(end));
    putChunk(rest, kEndChunk, chunks + 1, {});
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
