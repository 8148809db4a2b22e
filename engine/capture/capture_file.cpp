#include "capture_file.h"

#include <olab/trace/container.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <sys/stat.h>

namespace olab::capture {

CaptureFile::CaptureFile(std::filesystem::path path, std::chrono::milliseconds last,
                         std::function<void(const std::string& why)> failed)
    : m_path(std::move(path))
    , m_last(last)
    , m_failed(std::move(failed))
    , m_part(std::make_unique<Part>(m_path, nullptr)) {
    m_part->file.commit();
    noteFile();
}

/// Does not close a descriptor that now belongs to something else.
CaptureFile::~CaptureFile() {
    if (!m_isOurs)
        (void)m_part.release();
}

void CaptureFile::noteFile() {
    struct stat is {};
    if (::fstat(descriptor(), &is) == 0)
        m_device = is.st_dev, m_inode = is.st_ino;
}

void CaptureFile::expectOurs() {
    struct stat is {};
    m_isOurs = m_isOurs && ::fstat(m_part->file.descriptor(), &is) == 0 && is.st_dev == m_device &&
               is.st_ino == m_inode;
    if (!m_isOurs)
        throw Error(ErrorKind::Usage, "file-closed", "The program closed the file of its recording.",
                    "It closes what it did not open: record a program that does not.");
}

TextId CaptureFile::intern(std::string_view text) {
    const TextId id = m_part->records.intern(text);
    if (m_last.count() > 0 && id.value == m_texts.size())
        m_texts.emplace_back(text);
    return id;
}

std::uint64_t CaptureFile::bytes() const {
    struct stat is {};
    return ::fstat(descriptor(), &is) == 0 ? static_cast<std::uint64_t>(is.st_size) : 0;
}

void CaptureFile::flush() {
    write([this] {
        expectOurs();
        m_part->records.flush();
        if (m_last.count() > 0)
            dropOld(Clock::now());
    });
}

void CaptureFile::finish() {
    flush();
    m_part->container.finish();
}

/// Acts once the file spans twice the time to keep.
void CaptureFile::dropOld(Clock::time_point now) {
    m_marks.push_back({now, bytes()});
    if (now - m_marks.front().at < 2 * m_last)
        return;
    const auto kept = std::ranges::find_if(m_marks, [&](const Mark& m) { return now - m.at <= m_last; });
    auto part = std::make_unique<Part>(m_path, m_part.get());
    for (const std::string& text : m_texts) // in the same order, so ids stay the same
        (void)part->records.intern(text);
    for (const Fact& fact : m_facts)
        std::visit([&part](const auto& record) { part->records.add(record); }, fact);
    part->records.flush();
    struct stat is {};
    const bool known = ::fstat(part->file.descriptor(), &is) == 0;
    const std::uint64_t facts = known ? static_cast<std::uint64_t>(is.st_size) : 0, from = kept->bytes;
    copyChunks(m_path, from, part->container);
    part->file.commit();
    m_part = std::move(part);
    noteFile();
    m_marks.erase(m_marks.begin(), kept);
    for (Mark& mark : m_marks)
        mark.bytes = mark.bytes - from + facts;
}

} // namespace olab::capture
