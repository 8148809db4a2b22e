#include <olab/io/source.h>

#include "unpacker.h"

#include <algorithm>
#include <array>

namespace olab::io {
namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::uint64_t kMostOfPipe = std::uint64_t{16} << 30; // stored in TMPDIR while it is read

[[noreturn]] void refuseExpansion(const std::filesystem::path& path) {
    throw Error(ErrorKind::Usage, "cannot-read",
                "Cannot read " + path.string() + ": it unpacks to far more than a trace of its size holds.",
                "Unpack it yourself and open what comes out, if you trust it.");
}

} // namespace

Source::Source(const std::filesystem::path& path, const RunControl& control, UnpackLimits limits)
    : m_control(control)
    , m_limits(limits)
    , m_input(path, control)
    , m_unpacker(unpackerFor(m_input.head())) {
    if (!m_unpacker) {
        m_head.assign(m_input.head().begin(), m_input.head().end());
        return;
    }
    m_block.resize(kBlockBytes);
    m_head.resize(kHeadBytes);
    std::size_t size = 0;
    while (size < kHeadBytes) {
        const std::size_t got = readNext(std::span(m_head).subspan(size), m_control);
        if (got == 0)
            break;
        size += got;
    }
    m_head.resize(size);
}

Source::~Source() = default;

bool Source::isDamaged() const {
    if (m_ahead && !m_ahead->hasEnded()) // unread data does not matter
        return false;
    return m_unpacker &&
           (m_unpacker->isBroken() || (m_inputEnded && m_packed.empty() && !m_unpacker->mayEnd()));
}

Source::Damage Source::damage() const {
    if (!isDamaged())
        return {};
    if (m_unpacker->isBroken())
        return {m_unpacker->failure(), false, m_unpacker->remedy()};
    return {"its " + std::string(packing()) + " data ends too early", true, {}};
}

std::string_view Source::packing() const {
    return m_unpacker ? m_unpacker->name() : std::string_view();
}

std::size_t Source::readNext(std::span<std::byte> into, const RunControl& control) {
    while (!m_unpacker->isBroken()) {
        control.throwIfCancelled();
        if (m_packed.empty() && !m_inputEnded) {
            const std::size_t got = m_input.read(m_block, control);
            m_packed = std::span(m_block).first(got);
            m_taken += got;
            m_inputEnded = got == 0;
        }
        const std::size_t before = m_packed.size();
        const std::size_t made = m_unpacker->unpack(m_packed, into);
        m_made += made;
        if (m_made > m_limits.most || (m_made > m_limits.free && m_made / m_limits.times > m_taken))
            refuseExpansion(path());
        if (made > 0)
            return made;
        if (m_packed.size() == before && (m_inputEnded || before > 0)) // no input used, nothing made
            return 0;
    }
    return 0;
}

/// After the head: many files are only identified.
std::size_t Source::readAhead(std::span<std::byte> into) {
    const auto unpack = [this](std::span<std::byte> room, const std::stop_token& stop) {
        RunControl control; // progress is reported by the reader
        control.stop = stop;
        return readNext(room, control);
    };
    m_control.throwIfCancelled();
    if (!m_ahead)
        m_ahead = std::make_unique<UnpackAhead>(unpack, m_control.stop);
    return m_ahead->read(into);
}

void Source::tell() const {
    const auto size = m_input.size();
    m_control.report(size && *size > 0 ? static_cast<double>(m_taken.load()) / static_cast<double>(*size)
                                       : -1,
                     "reading the file");
}

std::size_t Source::read(std::span<std::byte> into) {
    tell();
    if (!m_unpacker) {
        const std::size_t got = m_input.read(into, m_control);
        m_taken += got;
        return got;
    }
    if (m_given == m_head.size())
        return readAhead(into);
    const auto next = std::span(m_head).subspan(m_given, std::min(into.size(), m_head.size() - m_given));
    std::ranges::copy(next, into.begin());
    m_given += next.size();
    return next.size();
}

std::filesystem::path Source::file() {
    if (!m_unpacker)
        return m_input.whole(kMostOfPipe, m_control);
    if (!m_all)
        keepAll();
    return m_all->path();
}

void Source::keepAll() {
    m_all = std::make_unique<ScratchFile>(path());
    std::vector<std::byte> block(kBlockBytes);
    while (const std::size_t got = read(block))
        m_all->append(std::span(block).first(got));
}

} // namespace olab::io
