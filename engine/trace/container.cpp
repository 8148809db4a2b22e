#include <olab/trace/container.h>

#include "container_format.h"

#include <algorithm>
#include <exception>

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

} // namespace olab
