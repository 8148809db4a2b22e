#include "unpacker.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace olab {
namespace {

constexpr std::array kGzip{std::byte{0x1f}, std::byte{0x8b}, std::byte{8}};
constexpr std::array kZstd{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f}, std::byte{0xfd}};
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30; // zlib counts in unsigned int

/// RFC 1952: members follow one another (bgzip, `cat a.gz b.gz`); zeros behind the last one are padding.
class Gunzip final : public Unpacker {
public:
    Gunzip() {
        constexpr int kGzipOnly = 16;
        if (::inflateInit2(&m_stream, MAX_WBITS + kGzipOnly) != Z_OK)
            throw std::bad_alloc();
    }
    ~Gunzip() override { ::inflateEnd(&m_stream); }
    std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) override {
        if (m_between)
            packed = skippedPadding(packed);
        if (packed.empty() || m_broken)
            return 0;
        if (m_between && ::inflateReset(&m_stream) != Z_OK)
            throw std::bad_alloc();
        m_between = false;
        const auto in = packed.first(std::min(packed.size(), kMostAtOnce));
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(into.data());
        m_stream.avail_out = static_cast<uInt>(std::min(into.size(), kMostAtOnce));
        const uInt room = m_stream.avail_out;
        const int result = ::inflate(&m_stream, Z_NO_FLUSH);
        packed = packed.subspan(in.size() - m_stream.avail_in);
        m_between = result == Z_STREAM_END;
        m_broken = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        return room - m_stream.avail_out;
    }
    bool mayEnd() const override { return m_between; }

private:
    static std::span<const std::byte> skippedPadding(std::span<const std::byte> packed) {
        const auto next = std::ranges::find_if(packed, [](std::byte b) { return b != std::byte{0}; });
        return packed.subspan(static_cast<std::size_t>(next - packed.begin()));
    }
    z_stream m_stream{};
    bool m_between = true;
};

/// RFC 8878: frames follow one another. Unpacked into room of its own: how much of a damaged frame zstd gives
/// depends on the room it has, and must not depend on who reads.
class Unzstd final : public Unpacker {
public:
    std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) override {
        if (m_ready.empty())
            fill(packed);
        const std::size_t given = std::min(m_ready.size(), into.size());
        std::ranges::copy(m_ready.first(given), into.begin());
        m_ready = m_ready.subspan(given);
        m_broken = m_failed && m_ready.empty();
        return given;
    }
    bool mayEnd() const override { return m_between && m_ready.empty(); }

private:
    void fill(std::span<const std::byte>& packed) {
        if (m_failed || !m_stream || (packed.empty() && m_between))
            return;
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ZSTD_outBuffer out{m_room.data(), m_room.size(), 0};
        const std::size_t left = ::ZSTD_decompressStream(m_stream.get(), &out, &in);
        m_failed = ::ZSTD_isError(left) != 0;
        m_between = !m_failed && left == 0;
        packed = packed.subspan(in.pos);
        m_ready = std::span(m_room).first(out.pos);
    }
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> m_stream{::ZSTD_createDStream()};
    std::vector<std::byte> m_room{std::vector<std::byte>(::ZSTD_DStreamOutSize())};
    std::span<const std::byte> m_ready; ///< of m_room, not given yet
    bool m_between = true, m_failed = false;
};

bool beginsWith(std::span<const std::byte> head, std::span<const std::byte> magic) {
    return head.size() >= magic.size() && std::ranges::equal(head.first(magic.size()), magic);
}

} // namespace

std::unique_ptr<Unpacker> unpackerFor(std::span<const std::byte> head) {
    if (beginsWith(head, kGzip))
        return std::make_unique<Gunzip>();
    if (beginsWith(head, kZstd))
        return std::make_unique<Unzstd>();
    return nullptr;
}

} // namespace olab
