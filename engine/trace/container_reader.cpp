#include "container_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace olab::container_detail {
namespace {

using trace_detail::getLittle;

constexpr std::uint64_t kScanBlock = 64 * 1024;
constexpr std::uint64_t kFreeReread = 256u << 20; // allowance for real damage, besides four times the file

} // namespace

std::optional<std::uint64_t> RegularFile::size() const {
    struct stat s {};
    if (::fstat(m_descriptor, &s) != 0 || !S_ISREG(s.st_mode))
        return std::nullopt;
    return static_cast<std::uint64_t>(s.st_size);
}

bool RegularFile::readAt(std::uint64_t at, std::span<std::byte> into) const {
    while (!into.empty()) {
        const ssize_t got = ::pread(m_descriptor, into.data(), into.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        into = into.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
    return true;
}

bool RegularFile::isBeingWritten() const {
    if (::flock(m_descriptor, LOCK_SH | LOCK_NB) != 0)
        return errno == EWOULDBLOCK;
    ::flock(m_descriptor, LOCK_UN);
    return false;
}

ContainerReader::ContainerReader(const std::filesystem::path& path, const RunControl& control)
    : m_control(&control)
    , m_file(path) {
    if (!m_file.isOpen())
        throw Error(ErrorKind::Usage, "cannot-open",
                    "Cannot open " + path.string() + ": " + std::generic_category().message(errno) + ".",
                    "Check the path and that you may read it.");
    const auto size = m_file.size();
    if (!size)
        throw Error(ErrorKind::Usage, "cannot-open",
                    "Cannot read " + path.string() + ": it is no regular file.", "Save it to disk first.");
    m_size = *size;
    checkHeader(path);
}

void ContainerReader::checkHeader(const std::filesystem::path& path) {
    std::array<std::byte, kHeaderSize> head{};
    const auto there =
        std::span(head).first(static_cast<std::size_t>(std::min<std::uint64_t>(m_size, kHeaderSize)));
    if (!m_file.readAt(0, there) || !sniffContainer(there))
        throw Error(ErrorKind::Usage, "not-olab", path.string() + " is not an .olab file.",
                    "Give a file written by Overlap Lab.");
    if (there.size() < kHeaderSize) {
        m_truncatedAt = m_size;
        return;
    }
    const auto numbers = std::span(head).subspan(kMagic.size());
    const auto version = getLittle<std::uint32_t>(numbers),
               check = getLittle<std::uint32_t>(numbers.subspan(4));
    const bool sound = version == 1 ? check == 0 : check == crc32c(std::span(head).first(kHeaderSize - 4));
    if (sound && version > kContainerVersion)
        throw Error(ErrorKind::Usage, "newer-version",
                    path.string() + " is of format version " + std::to_string(version) +
                        "; this program reads versions up to " + std::to_string(kContainerVersion) + ".",
                    "Open it with a newer Overlap Lab.");
    m_headerDamaged = !sound || version == 0;
    m_version = m_headerDamaged ? guessVersion() : version;
}

// The first chunk that is intact under one of the layouts determines the layout.
std::uint32_t ContainerReader::guessVersion() {
    std::vector<std::byte> payload;
    for (std::uint64_t at = kHeaderSize; at < m_size; at = findMarker(at + 1))
        for (m_version = kContainerVersion; m_version > 0; --m_version) {
            const auto h = headerAt(at);
            if (h && fits(at, *h) && readChunk(at, *h, payload))
                return m_version;
            if (h && fits(at, *h) && (m_reread += h->length) > 4 * m_size + kFreeReread)
                return kContainerVersion; // forged: readAll() gives up as well
        }
    return kContainerVersion;
}

std::optional<ChunkHeader> headerAt(const RegularFile& file, std::uint64_t at, std::uint64_t size,
                                    std::uint32_t version) {
    std::array<std::byte, chunkHeaderSize(kContainerVersion)> bytes{};
    const auto head = std::span(bytes).first(chunkHeaderSize(version));
    if (at > size || size - at < head.size() || !file.readAt(at, head) ||
        !std::equal(kMarker.begin(), kMarker.end(), head.begin()))
        return std::nullopt;
    const auto number = [&](std::size_t i) {
        return getLittle<std::uint32_t>(head.subspan(kMarker.size() + 4 * i));
    };
    const ChunkHeader h = version == 1 ? ChunkHeader{number(0), number(1), 0, number(2)}
                                       : ChunkHeader{number(0), number(1), number(2), number(3)};
    return h.length <= kMaxPayload ? std::optional(h) : std::nullopt;
}

std::optional<ChunkHeader> ContainerReader::headerAt(std::uint64_t at) {
    return container_detail::headerAt(m_file, at, m_size, m_version);
}

bool ContainerReader::readChunk(std::uint64_t at, const ChunkHeader& h, std::vector<std::byte>& payload) {
    payload.resize(h.length);
    return m_file.readAt(at + chunkHeader(), payload) && checksum(m_version, h, payload) == h.crc;
}

// The lock before the size: an active writer may have written more by then, never less.
FileEnd ContainerReader::readOn(const TakeChunk& take, const RunControl& control) {
    m_control = &control;
    m_open = m_file.isBeingWritten();
    m_size = std::max(m_at, m_file.size().value_or(0));
    Chunk chunk; // if `take` does not move the payload, the next chunk reuses its memory
    while (m_at < m_size && !m_gaveUp) {
        control.throwIfCancelled();
        control.report(static_cast<double>(m_at) / static_cast<double>(m_size), "reading the file");
        const auto header = headerAt(m_at);
        if (header && fits(m_at, *header) && readChunk(m_at, *header, chunk.payload)) {
            m_at += chunkHeader() + header->length;
            deliver(*header, chunk, take);
        } else if (m_open && isStillToCome(m_at, header))
            break;
        else
            m_at = afterDamage(m_at, header);
    }
    if (m_ended)
        return FileEnd::Closed;
    return m_open ? FileEnd::Open : FileEnd::Lost;
}

/// Whether `at` may be the beginning of a chunk whose rest is not written yet.
bool ContainerReader::isStillToCome(std::uint64_t at, const std::optional<ChunkHeader>& h) {
    if (m_size - at < chunkHeader())
        return true;
    if (!h || (fits(at, *h) && at + chunkHeader() + h->length < m_size))
        return false;
    return findMarker(at + 1) == m_size; // otherwise its length is damaged, and what follows can be read
}

void ContainerReader::deliver(const ChunkHeader& h, Chunk& chunk, const TakeChunk& take) {
    if (m_version > 1 && !m_sequence.take(h.sequence))
        return;
    chunk.type = static_cast<ChunkType>(h.type);
    switch (chunk.type) {
    case ChunkType::Records:
    case ChunkType::Experiment:
    case ChunkType::Environment:
    case ChunkType::Report:
    case ChunkType::Bookmarks:
    case ChunkType::Label:
    case ChunkType::RawCupti:
        return take(std::move(chunk));
    }
    h.type == kEndChunk ? void(m_ended = true) : void(++m_unknown);
}

void ContainerReader::noteDamage(std::uint64_t at) {
    m_firstDamage = m_damaged == 0 ? at : m_firstDamage;
    ++m_damaged;
}

// Where to continue if there is no intact chunk at `at`; counts it as damage or as truncation.
std::uint64_t ContainerReader::afterDamage(std::uint64_t at, const std::optional<ChunkHeader>& h) {
    std::uint64_t next = m_size;
    if (h && fits(at, *h) && isBoundary(at + chunkHeader() + h->length))
        next = at + chunkHeader() + h->length; // only the payload is damaged
    else {
        next = findMarker(at + 1);
        // Forged markers, each claiming the rest of the file, would cause repeated reading.
        m_reread += h && fits(at, *h) ? h->length : 0;
        m_gaveUp = m_reread > 4 * m_size + kFreeReread;
        const bool cutShort = m_size - at < chunkHeader() || (h && !fits(at, *h));
        if (next == m_size && cutShort && !m_gaveUp) {
            m_truncatedAt = at;
            return next;
        }
    }
    noteDamage(at);
    return next;
}

std::uint64_t ContainerReader::findMarker(std::uint64_t from) {
    std::vector<std::byte> block;
    while (from < m_size) {
        m_control->throwIfCancelled();
        block.resize(static_cast<std::size_t>(std::min(kScanBlock, m_size - from)));
        if (!m_file.readAt(from, block))
            return m_size;
        const auto hit = std::search(block.begin(), block.end(), kMarker.begin(), kMarker.end());
        if (hit != block.end()) {
            m_reread += static_cast<std::uint64_t>(block.end() - hit);
            return from + static_cast<std::uint64_t>(hit - block.begin());
        }
        if (from + block.size() == m_size)
            return m_size;
        from += block.size() - (kMarker.size() - 1); // a marker may span two blocks
    }
    return m_size;
}

void ContainerReader::tell(std::vector<RefusedRecord>& defects) const {
    if (m_headerDamaged)
        defects.push_back({DefectCode::DamagedChunk, 1, kAllClasses, "the header of the file", false});
    if (m_damaged > 0)
        defects.push_back(
            {DefectCode::DamagedChunk, m_damaged, kAllClasses,
             "first at byte " + std::to_string(m_firstDamage) + (m_gaveUp ? "; too damaged to read on" : ""),
             false});
    if (m_version == 1)
        defects.push_back({DefectCode::OldFormat, 1, 0, {}, false});
    tellOrder(defects);
    if (m_unknown > 0)
        defects.push_back({DefectCode::UnknownChunk, m_unknown, kAllClasses, {}, false});
    tellEnd(defects);
}

void ContainerReader::tellOrder(std::vector<RefusedRecord>& defects) const {
    // Each damaged part represents at least one missing chunk.
    const std::uint64_t missing = m_sequence.missing() > m_damaged ? m_sequence.missing() - m_damaged : 0;
    for (const auto& [count, what] : {std::pair{missing, "missing"},
                                      {m_sequence.moved(), "in the wrong place"},
                                      {m_sequence.repeated(), "repeated, left out"}})
        if (count > 0)
            defects.push_back({DefectCode::ChunkOrder, count, kAllClasses, what, false});
}

void ContainerReader::tellEnd(std::vector<RefusedRecord>& defects) const {
    if (m_open && !m_ended)
        defects.push_back({DefectCode::OpenEnd, 1, 0, {}, false});
    else if (m_truncatedAt > 0)
        defects.push_back({DefectCode::TruncatedFile, 1, kAllClasses,
                           "the last chunk begins at byte " + std::to_string(m_truncatedAt), false});
    else if (m_version > 1 && !m_ended && !m_gaveUp)
        defects.push_back({DefectCode::TruncatedFile, 1, kAllClasses,
                           "its end is missing: the program that wrote it was stopped", false});
}

} // namespace olab::container_detail

namespace olab {

using container_detail::ContainerReader;

void readContainer(const std::filesystem::path& path, const std::function<void(Chunk&&)>& take,
                   std::vector<RefusedRecord>& defects, const RunControl& control) {
    ContainerReader reader(path, control);
    reader.readOn(take, control);
    reader.tell(defects);
}

struct ContainerFollower::State : ContainerReader {
    using ContainerReader::ContainerReader;
};

ContainerFollower::ContainerFollower(const std::filesystem::path& path)
    : m_state(std::make_unique<State>(path, RunControl())) {}
ContainerFollower::~ContainerFollower() = default;

FileEnd ContainerFollower::readOn(const std::function<void(Chunk&&)>& take, const RunControl& control) {
    return m_state->readOn(take, control);
}

std::vector<RefusedRecord> ContainerFollower::defects() const {
    std::vector<RefusedRecord> defects;
    m_state->tell(defects);
    return defects;
}

} // namespace olab
