// File: header {magic[8], u32 version, u32 reserved}, then chunks {marker[8], u32 type, u32 length, u32
// CRC32C of type, length and payload, payload}. The marker lets a reader find the next chunk after damage in
// one pass.
#include <olab/trace/container.h>

#include "little_endian.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace olab {
namespace {

using trace_detail::getLittle;
using trace_detail::putLittle;

template <std::size_t N>
constexpr std::array<std::byte, N> bytesOf(const unsigned char (&values)[N]) {
    std::array<std::byte, N> bytes{};
    for (std::size_t i = 0; i < N; ++i)
        bytes[i] = std::byte{values[i]};
    return bytes;
}

// As PNG's: a transfer that changes line ends or drops the eighth bit breaks the magic and is seen at once.
constexpr auto kMagic = bytesOf({0x89, 'O', 'L', 'A', 'B', '\r', '\n', 0x1a});
constexpr auto kMarker = bytesOf({0xf7, 'c', 'h', 'u', 'n', 'k', 0x00, 0x9c});
constexpr std::size_t kHeaderSize = kMagic.size() + 8;
constexpr std::size_t kChunkHeaderSize = kMarker.size() + 12;
constexpr std::uint32_t kMaxPayload = 1u << 30; // a length above this is damage, not a chunk
constexpr std::uint64_t kScanBlock = 64 * 1024;
constexpr std::uint64_t kFreeReread = 256u << 20; // what honest damage may cost, besides four times the file

std::string systemText() {
    return std::generic_category().message(errno);
}

std::uint32_t checksum(std::uint32_t type, std::uint32_t length, std::span<const std::byte> payload) {
    std::vector<std::byte> head;
    putLittle(head, type);
    putLittle(head, length);
    return crc32c(payload, crc32c(head));
}

struct FileCloser {
    void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

struct ChunkHeader {
    std::uint32_t type = 0, length = 0, crc = 0;
};

class Reader {
public:
    Reader(const std::filesystem::path& path, const RunControl& control);
    void readAll(const std::function<void(Chunk&&)>& take);
    void tell(std::vector<RefusedRecord>& defects) const;

private:
    void checkHeader(const std::filesystem::path& path);
    bool readAt(std::uint64_t at, std::span<std::byte> into);
    std::optional<ChunkHeader> headerAt(std::uint64_t at);
    bool fits(std::uint64_t at, const ChunkHeader& h) const {
        return h.length <= m_size - at - kChunkHeaderSize;
    }
    bool isBoundary(std::uint64_t at) { return at == m_size || headerAt(at).has_value(); }
    std::uint64_t afterDamage(std::uint64_t at, const std::optional<ChunkHeader>& h);
    std::uint64_t findMarker(std::uint64_t from);

    const RunControl& m_control;
    File m_file;
    std::uint64_t m_size = 0;
    std::uint64_t m_damaged = 0, m_firstDamage = 0, m_reread = 0;
    std::uint64_t m_truncatedAt = 0; // 0: not truncated
    bool m_gaveUp = false;
};

Reader::Reader(const std::filesystem::path& path, const RunControl& control)
    : m_control(control)
    , m_file(std::fopen(path.c_str(), "rb")) {
    if (!m_file)
        throw Error(ErrorKind::Usage, "cannot-open",
                    "Cannot open " + path.string() + ": " + systemText() + ".",
                    "Check the path and that you may read it.");
    if (fseeko(m_file.get(), 0, SEEK_END) != 0 || ftello(m_file.get()) < 0)
        throw Error(ErrorKind::Usage, "cannot-open",
                    "Cannot read " + path.string() + ": it is no regular file.", "Save it to disk first.");
    m_size = static_cast<std::uint64_t>(ftello(m_file.get()));
    checkHeader(path);
}

void Reader::checkHeader(const std::filesystem::path& path) {
    std::array<std::byte, kHeaderSize> head{};
    if (!readAt(0, head) || !sniffContainer(head))
        throw Error(ErrorKind::Usage, "not-olab", path.string() + " is not an .olab file.",
                    "Give a file written by Overlap Lab.");
    const auto version = getLittle<std::uint32_t>(std::span(head).subspan(kMagic.size()));
    if (version > kContainerVersion)
        throw Error(ErrorKind::Usage, "newer-version",
                    path.string() + " is of format version " + std::to_string(version) +
                        "; this program reads versions up to " + std::to_string(kContainerVersion) + ".",
                    "Open it with a newer Overlap Lab.");
    if (version == 0)
        throw Error(ErrorKind::Usage, "not-olab", path.string() + " has a damaged header (format version 0).",
                    "Copy the file again from where it came from.");
}

bool Reader::readAt(std::uint64_t at, std::span<std::byte> into) {
    return fseeko(m_file.get(), static_cast<off_t>(at), SEEK_SET) == 0 &&
           std::fread(into.data(), 1, into.size(), m_file.get()) == into.size();
}

// Nothing if there is no whole header with a marker and a possible length at this place.
std::optional<ChunkHeader> Reader::headerAt(std::uint64_t at) {
    std::array<std::byte, kChunkHeaderSize> head{};
    if (m_size - at < kChunkHeaderSize || !readAt(at, head) ||
        !std::equal(kMarker.begin(), kMarker.end(), head.begin()))
        return std::nullopt;
    const auto numbers = std::span(head).subspan(kMarker.size());
    const ChunkHeader h{getLittle<std::uint32_t>(numbers), getLittle<std::uint32_t>(numbers.subspan(4)),
                        getLittle<std::uint32_t>(numbers.subspan(8))};
    return h.length <= kMaxPayload ? std::optional(h) : std::nullopt;
}

void Reader::readAll(const std::function<void(Chunk&&)>& take) {
    std::uint64_t at = kHeaderSize;
    while (at < m_size && !m_gaveUp) {
        m_control.throwIfCancelled();
        m_control.report(static_cast<double>(at) / static_cast<double>(m_size), "reading the file");
        const auto header = headerAt(at);
        if (header && fits(at, *header)) {
            Chunk chunk{static_cast<ChunkType>(header->type), std::vector<std::byte>(header->length)};
            if (readAt(at + kChunkHeaderSize, chunk.payload) &&
                checksum(header->type, header->length, chunk.payload) == header->crc) {
                take(std::move(chunk));
                at += kChunkHeaderSize + header->length;
                continue;
            }
        }
        at = afterDamage(at, header);
    }
}

// Where to go on after what stands at `at` turned out to be no whole chunk; counts it as damage or as
// truncation.
std::uint64_t Reader::afterDamage(std::uint64_t at, const std::optional<ChunkHeader>& h) {
    std::uint64_t next = m_size;
    if (h && fits(at, *h) && isBoundary(at + kChunkHeaderSize + h->length))
        next = at + kChunkHeaderSize + h->length; // only the payload is damaged
    else {
        next = findMarker(at + 1);
        // Forged markers, each claiming the rest of the file, would make it be read over and over.
        m_reread += h && fits(at, *h) ? h->length : 0;
        m_gaveUp = m_reread > 4 * m_size + kFreeReread;
        const bool cutShort = m_size - at < kChunkHeaderSize || (h && !fits(at, *h));
        if (next == m_size && cutShort && !m_gaveUp) {
            m_truncatedAt = at;
            return next;
        }
    }
    m_firstDamage = m_damaged == 0 ? at : m_firstDamage;
    ++m_damaged;
    return next;
}

std::uint64_t Reader::findMarker(std::uint64_t from) {
    std::vector<std::byte> block;
    while (from < m_size) {
        m_control.throwIfCancelled();
        block.resize(static_cast<std::size_t>(std::min(kScanBlock, m_size - from)));
        if (!readAt(from, block))
            return m_size;
        const auto hit = std::search(block.begin(), block.end(), kMarker.begin(), kMarker.end());
        if (hit != block.end()) {
            m_reread += static_cast<std::uint64_t>(block.end() - hit);
            return from + static_cast<std::uint64_t>(hit - block.begin());
        }
        if (from + block.size() == m_size)
            return m_size;
        from += block.size() - (kMarker.size() - 1); // a marker may lie across two blocks
    }
    return m_size;
}

void Reader::tell(std::vector<RefusedRecord>& defects) const {
    if (m_damaged > 0)
        defects.push_back(
            {DefectCode::DamagedChunk, m_damaged, kAllClasses,
             "first at byte " + std::to_string(m_firstDamage) + (m_gaveUp ? "; too damaged to read on" : ""),
             false});
    if (m_truncatedAt > 0)
        defects.push_back({DefectCode::TruncatedFile, 1, kAllClasses,
                           "the last chunk begins at byte " + std::to_string(m_truncatedAt), false});
}

} // namespace

ContainerWriter::ContainerWriter(const std::filesystem::path& path)
    : m_path(path) {
    std::vector<std::byte> head(kMagic.begin(), kMagic.end());
    putLittle(head, kContainerVersion);
    putLittle(head, std::uint32_t{0});
    File file(std::fopen(path.c_str(), "wb"));
    if (file)
        std::setvbuf(file.get(), nullptr, _IONBF,
                     0); // each append is one write, so a kill loses at most one chunk
    if (!file || std::fwrite(head.data(), 1, head.size(), file.get()) != head.size())
        throw Error(ErrorKind::Usage, "cannot-write",
                    "Cannot write " + path.string() + ": " + systemText() + ".",
                    "Check that the folder exists, that you may write there and that the disk is not full.");
    m_file = file.release();
}

ContainerWriter::~ContainerWriter() {
    std::fclose(m_file);
}

void ContainerWriter::append(ChunkType type, std::span<const std::byte> payload) {
    if (payload.size() > kMaxPayload)
        throw Error(ErrorKind::Internal, "chunk-too-large", "A chunk of more than 1 GiB cannot be written.",
                    "Record a shorter run.");
    const auto typeNumber = static_cast<std::uint32_t>(type);
    const auto length = static_cast<std::uint32_t>(payload.size());
    std::vector<std::byte> chunk;
    chunk.reserve(kChunkHeaderSize + payload.size());
    chunk.assign(kMarker.begin(), kMarker.end());
    putLittle(chunk, typeNumber);
    putLittle(chunk, length);
    putLittle(chunk, checksum(typeNumber, length, payload));
    chunk.insert(chunk.end(), payload.begin(), payload.end());
    const off_t before = ftello(m_file);
    if (std::fwrite(chunk.data(), 1, chunk.size(), m_file) == chunk.size() && std::fflush(m_file) == 0)
        return;
    const std::string why = systemText();
    if (before >= 0 && ftruncate(fileno(m_file), before) == 0)
        fseeko(m_file, before, SEEK_SET); // drop the half chunk; if that fails, readers skip it
    throw Error(ErrorKind::Internal, "cannot-write", "Cannot write " + m_path.string() + ": " + why + ".",
                "Free some space on the disk; what was written so far can be opened.");
}

void ContainerWriter::append(ChunkType type, std::string_view payload) {
    append(type, std::as_bytes(std::span(payload.data(), payload.size())));
}

void readContainer(const std::filesystem::path& path, const std::function<void(Chunk&&)>& take,
                   std::vector<RefusedRecord>& defects, const RunControl& control) {
    Reader reader(path, control);
    reader.readAll(take);
    reader.tell(defects);
}

bool sniffContainer(std::span<const std::byte> head) {
    return head.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), head.begin());
}

} // namespace olab
