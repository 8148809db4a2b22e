#include "sqlite_log.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <span>
#include <vector>

namespace olab::io::imports {
namespace {

constexpr std::size_t kLogHead = 32, kFrameHead = 24;
constexpr std::uint32_t kLogMagic = 0x377f0682; // 1 more: checksums of words with the highest byte first

std::uint32_t bigEndian(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

/// Two sums that continue from frame to frame.
struct LogSum {
    bool highestFirst = false;
    std::uint32_t a = 0, b = 0;
    void add(std::span<const unsigned char> bytes) {
        const auto word = [&](std::size_t at) {
            const std::uint32_t big = bigEndian(bytes.data() + at);
            return highestFirst ? big : __builtin_bswap32(big);
        };
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            a += word(at) + b;
            b += word(at + 4) + a;
        }
    }
    bool isAt(const unsigned char* at) const { return bigEndian(at) == a && bigEndian(at + 4) == b; }
};

class LogFrames {
public:
    explicit LogFrames(const std::filesystem::path& log)
        : m_file(log, std::ios::binary) {}
    /// False: what follows is unusable.
    bool readHead() {
        std::array<unsigned char, kLogHead> head{};
        const std::uint32_t magic = fill(head) == head.size() ? bigEndian(head.data()) : 0;
        const std::uint32_t size = bigEndian(head.data() + 8);
        if ((magic & ~1u) != kLogMagic || size < 512 || size > 65536 || (size & (size - 1)) != 0)
            return false;
        std::copy_n(head.begin() + 16, m_salt.size(), m_salt.begin());
        m_sum.highestFirst = (magic & 1) != 0;
        m_sum.add(std::span(head).first(24));
        m_frame.resize(kFrameHead + size);
        return m_sum.isAt(head.data() + 24);
    }
    /// False at the end.
    bool next() {
        const std::size_t got = fill(m_frame);
        if (got == 0)
            return false;
        m_isOfThisUse = got >= 16 && std::equal(m_salt.begin(), m_salt.end(), m_frame.begin() + 8);
        if (m_isSound && m_isOfThisUse) {
            m_sum.add(std::span(m_frame).first(8));
            m_sum.add(std::span(m_frame).subspan(kFrameHead));
        }
        m_isSound = m_isSound && m_isOfThisUse && got == m_frame.size() && m_sum.isAt(m_frame.data() + 16);
        return true;
    }
    bool isOfThisUse() const { return m_isOfThisUse; }
    bool endsTransaction() const { return m_isSound && bigEndian(m_frame.data() + 4) != 0; }

private:
    std::size_t fill(std::span<unsigned char> into) {
        m_file.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        return static_cast<std::size_t>(m_file.gcount());
    }
    std::ifstream m_file;
    std::array<unsigned char, 8> m_salt{}; ///< different each time the file is reused
    std::vector<unsigned char> m_frame;
    LogSum m_sum;
    bool m_isSound = true; ///< valid so far, with all before it
    bool m_isOfThisUse = false;
};

} // namespace

std::string unusedOfLog(const std::filesystem::path& log, const RunControl& control) {
    LogFrames frames(log);
    if (!frames.readHead())
        return "its log is damaged, and nothing of it was read";
    std::uint64_t unused = 0;
    while (frames.next()) {
        control.throwIfCancelled();
        unused = frames.endsTransaction() ? 0 : unused + (frames.isOfThisUse() ? 1 : 0);
    }
    if (unused == 0)
        return {};
    return "the end of its log was not read (" + std::to_string(unused) + (unused == 1 ? " page" : " pages") +
           "): it is damaged, or was never finished";
}

} // namespace olab::io::imports
