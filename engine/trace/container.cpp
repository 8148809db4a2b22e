#include <olab/trace/container.h>

#include "container_format.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <system_error>
#include <unistd.h>

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

std::vector<std::byte> chunkBytes(std::uint32_t type, std::uint32_t sequence,
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

bool isWritable(const std::filesystem::path& path) {
    std::error_code ignored;
    return !std::filesystem::exists(path, ignored) || ::access(path.c_str(), W_OK) == 0;
}

} // namespace

// The header is written beside the file and renamed into place: whoever is killed here leaves no file, or one
// that can be read.
ContainerWriter::ContainerWriter(const std::filesystem::path& path)
    : m_path(path)
    , m_exceptions(std::uncaught_exceptions()) {
    const std::filesystem::path fresh = path.string() + "." + std::to_string(getpid()) + ".new";
    const auto head = fileHeader();
    m_file = isWritable(path) ? std::fopen(fresh.c_str(), "wbe") : nullptr;
    if (m_file)
        std::setvbuf(m_file, nullptr, _IONBF, 0); // each append is one write: a kill loses at most one chunk
    if (m_file && std::fwrite(head.data(), 1, head.size(), m_file) == head.size() &&
        std::rename(fresh.c_str(), path.c_str()) == 0)
        return;
    const std::string why = std::generic_category().message(errno);
    if (m_file) {
        std::fclose(m_file);
        ::unlink(fresh.c_str());
    }
    throw Error(ErrorKind::Usage, "cannot-write", "Cannot write " + path.string() + ": " + why + ".",
                "Check that the folder exists, that you may write there and that the disk is not full.");
}

ContainerWriter::~ContainerWriter() {
    try {
        if (std::uncaught_exceptions() == m_exceptions) // else what was being written is not all there
            finish();
    } catch (const Error&) { // the reader will say that the end is missing
    }
    std::fclose(m_file);
}

void ContainerWriter::append(ChunkType type, std::span<const std::byte> payload) {
    if (payload.size() > kMaxPayload)
        throw Error(ErrorKind::Internal, "chunk-too-large", "A chunk of more than 1 GiB cannot be written.",
                    "Record a shorter run.");
    if (m_finished)
        throw Error(ErrorKind::Internal, "file-finished", m_path.string() + " is finished already.",
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

void ContainerWriter::write(std::uint32_t type, std::span<const std::byte> payload) {
    const auto chunk = chunkBytes(type, m_sequence, payload);
    const off_t before = ftello(m_file);
    if (std::fwrite(chunk.data(), 1, chunk.size(), m_file) == chunk.size() && std::fflush(m_file) == 0) {
        ++m_sequence;
        return;
    }
    const std::string why = std::generic_category().message(errno);
    if (before >= 0 && ftruncate(fileno(m_file), before) == 0)
        fseeko(m_file, before, SEEK_SET); // drop the half chunk; if that fails, readers skip it
    throw Error(ErrorKind::Usage, "cannot-write", "Cannot write " + m_path.string() + ": " + why + ".",
                "Free some space on the disk; what was written so far can be opened.");
}

bool sniffContainer(std::span<const std::byte> head) {
    return head.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), head.begin());
}

} // namespace olab
