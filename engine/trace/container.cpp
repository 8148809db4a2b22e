#include <olab/trace/container.h>

#include "container_format.h"
#include "container_reader.h"
#include "descriptor.h"

#include <sys/file.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <iterator>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace olab {
namespace {

using namespace container_detail;
using trace_detail::putLittle;

std::vector<std::byte> fileHeader() {
    std::vector<std::byte> head(kMagic.begin(), kMagic.end());
    putLittle(head, kContainerVersion);
    putLittle(head, crc32c(head));
    return head;
}

} // namespace

std::vector<std::byte> container_detail::chunkBytes(std::uint32_t type, std::uint32_t sequence,
                                                    std::span<const std::byte> payload) {
    ChunkHeader h{type, static_cast<std::uint32_t>(payload.size()), sequence, 0};
    h.crc = checksum(kContainerVersion, h, payload);
    std::vector<std::byte> chunk;
    chunk.reserve(chunkHeaderSize(kContainerVersion) + payload.size());
    chunk.assign(kMarker.begin(), kMarker.end());
    for (const std::uint32_t number : {h.type, h.length, h.sequence, h.crc})
        putLittle(chunk, number);
    chunk.insert(chunk.end(), payload.begin(), payload.end());
    return chunk;
}

// The header is written before the file becomes visible: a process killed here leaves no file, or a readable
// one.
ContainerWriter::ContainerWriter(const std::filesystem::path& path)
    : m_own(std::make_unique<OutputFile>(path, OutputFile::Kind::Growing))
    , m_file(*m_own)
    , m_exceptions(std::uncaught_exceptions()) {
    m_file.write(fileHeader());
    m_file.commit();
}

ContainerWriter::ContainerWriter(OutputFile& file)
    : m_file(file)
    , m_exceptions(std::uncaught_exceptions()) {
    m_file.write(fileHeader());
}

ContainerWriter::~ContainerWriter() {
    try {
        if (std::uncaught_exceptions() == m_exceptions) // otherwise what was being written is incomplete
            finish();
    } catch (const Error&) { // the reader will report the missing end
    }
}

void ContainerWriter::append(ChunkType type, std::span<const std::byte> payload) {
    if (payload.size() > kMaxPayload)
        throw Error(ErrorKind::Internal, "chunk-too-large", "A chunk of more than 1 GiB cannot be written.",
                    "Record a shorter run.");
    if (m_finished)
        throw Error(ErrorKind::Internal, "file-finished", m_file.path().string() + " is finished already.",
                    "Report this as a bug.");
    write(static_cast<std::uint32_t>(type), payload);
}

void ContainerWriter::append(ChunkType type, std::string_view payload) {
    append(type, std::as_bytes(std::span(payload.data(), payload.size())));
}

void ContainerWriter::finish() {
    if (m_finished)
        return;
    write(kEndChunk, {});
    m_finished = true;
}

// One write each: a kill loses at most one chunk.
void ContainerWriter::write(std::uint32_t type, std::span<const std::byte> payload) {
    m_file.write(chunkBytes(type, m_sequence, payload));
    ++m_sequence;
}

bool sniffContainer(std::span<const std::byte> head) {
    return head.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), head.begin());
}

namespace {

using trace_detail::Descriptor;

constexpr std::size_t kHead = chunkHeaderSize(kContainerVersion);

/// Nothing if there is no complete chunk.
std::optional<ChunkHeader> chunkAt(const RegularFile& file, std::uint64_t at, std::uint64_t size) {
    const auto head = headerAt(file, at, size, kContainerVersion);
    return head && head->length <= size - at - kHead ? head : std::nullopt;
}

/// The payload that contains only this record.
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
        if (n <= 0) { // a full disk: restore the previous state
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

// CRC-32C (Castagnoli, the polynomial of iSCSI and of the SSE 4.2 instruction), reflected.

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78u;
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// Slice-by-8: table k holds the CRC of a byte followed by k zero bytes.
constexpr Tables makeTables() {
    Tables t{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
        t[0][byte] = crc;
    }
    for (std::size_t k = 1; k < t.size(); ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            t[k][byte] = (t[k - 1][byte] >> 8) ^ t[0][t[k - 1][byte] & 0xff];
    return t;
}
constexpr Tables kTables = makeTables();

std::uint32_t stepByte(std::uint32_t crc, std::byte b) {
    return (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(b)) & 0xff];
}

std::uint32_t stepEight(std::uint32_t crc, const std::byte* p) {
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        const std::uint32_t mixed = i < 4 ? (crc >> (8 * i)) & 0xff : 0;
        result ^= kTables[7 - i][mixed ^ std::to_integer<std::uint32_t>(p[i])];
    }
    return result;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crcHardware(std::span<const std::byte> data,
                                                            std::uint32_t crc) {
    std::uint64_t wide = crc;
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data.data() + i, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; i < data.size(); ++i)
        crc = _mm_crc32_u8(crc, std::to_integer<unsigned char>(data[i]));
    return crc;
}
#endif

} // namespace

std::uint32_t crc32cPortable(std::span<const std::byte> data, std::uint32_t seed) {
    std::uint32_t crc = ~seed;
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8)
        crc = stepEight(crc, data.data() + i);
    for (; i < data.size(); ++i)
        crc = stepByte(crc, data[i]);
    return ~crc;
}

std::uint32_t crc32c(std::span<const std::byte> data, std::uint32_t seed) {
#if defined(__x86_64__)
    static const bool hardware = __builtin_cpu_supports("sse4.2") != 0;
    if (hardware)
        return ~crcHardware(data, ~seed);
#endif
    return crc32cPortable(data, seed);
}

} // namespace olab
