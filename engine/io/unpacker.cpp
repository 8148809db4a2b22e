#include "unpacker.h"

#include <olab/trace/side_by_side.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

namespace olab::io {
namespace {

constexpr std::array kGzip{std::byte{0x1f}, std::byte{0x8b}, std::byte{8}};
constexpr std::array kZstd{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f}, std::byte{0xfd}};
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30; // zlib counts in unsigned int

/// Decompresses into its own buffer: how much of a damaged member or frame a library outputs depends on the
/// buffer size, and must not depend on the reader.
class InOwnRoom : public Unpacker {
public:
    std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) final {
        if (m_ready.empty() && !m_failed)
            m_ready = std::span(m_room).first(fill(packed, m_room));
        const std::size_t given = std::min(m_ready.size(), into.size());
        if (given > 0) // a bytewise copy would take a quarter of the decompression time
            std::memcpy(into.data(), m_ready.data(), given);
        m_ready = m_ready.subspan(given);
        m_broken = m_failed && m_ready.empty();
        return given;
    }
    bool mayEnd() const final { return m_between && m_ready.empty(); }

protected:
    /// Returns the bytes written to `room`; removes the consumed input from `packed`.
    virtual std::size_t fill(std::span<const std::byte>& packed, std::span<std::byte> room) = 0;
    bool m_between = true; ///< two members or frames
    bool m_failed = false;

private:
    std::vector<std::byte> m_room{std::vector<std::byte>(std::size_t{256} << 10)};
    std::span<const std::byte> m_ready; ///< of m_room, not given yet
};

/// RFC 1952: members follow one another (bgzip, `cat a.gz b.gz`); zeros after the last one are padding.
class Gunzip final : public InOwnRoom {
public:
    std::string_view name() const override { return "gzip"; }
    Gunzip() {
        constexpr int kGzipOnly = 16;
        if (::inflateInit2(&m_stream, MAX_WBITS + kGzipOnly) != Z_OK)
            throw std::bad_alloc();
    }
    ~Gunzip() override { ::inflateEnd(&m_stream); }

private:
    std::size_t fill(std::span<const std::byte>& packed, std::span<std::byte> room) override {
        if (m_between)
            packed = skippedPadding(packed);
        if (packed.empty())
            return 0;
        if (m_between && ::inflateReset(&m_stream) != Z_OK)
            throw std::bad_alloc();
        const auto in = packed.first(std::min(packed.size(), kMostAtOnce));
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(room.data());
        m_stream.avail_out = static_cast<uInt>(room.size());
        const int result = ::inflate(&m_stream, Z_NO_FLUSH);
        packed = packed.subspan(in.size() - m_stream.avail_in);
        m_between = result == Z_STREAM_END;
        m_failed = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        if (m_failed)
            m_failure = reasonOf(m_stream.msg ? m_stream.msg : "");
        return room.size() - m_stream.avail_out;
    }
    /// zlib distinguishes them only by these words (inflate.c).
    static std::string reasonOf(std::string_view message) {
        if (message == "incorrect data check" || message == "incorrect length check")
            return "its gzip checksum is wrong: what it holds is damaged";
        if (message == "incorrect header check")
            return "what follows the end of its gzip data is not gzip";
        return "its gzip data is damaged";
    }
    static std::span<const std::byte> skippedPadding(std::span<const std::byte> packed) {
        const auto next = std::ranges::find_if(packed, [](std::byte b) { return b != std::byte{0}; });
        return packed.subspan(static_cast<std::size_t>(next - packed.begin()));
    }
    z_stream m_stream{};
};

/// RFC 8878: frames follow one another.
class Unzstd final : public InOwnRoom {
    std::string_view name() const override { return "zstd"; }
    std::size_t fill(std::span<const std::byte>& packed, std::span<std::byte> room) override {
        if (!m_stream || (packed.empty() && m_between))
            return 0;
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t left = ::ZSTD_decompressStream(m_stream.get(), &out, &in);
        m_failed = ::ZSTD_isError(left) != 0;
        if (m_failed)
            setReason(::ZSTD_getErrorCode(left));
        m_between = !m_failed && left == 0;
        packed = packed.subspan(in.pos);
        return out.pos;
    }
    void setReason(ZSTD_ErrorCode code) {
        switch (code) {
        case ZSTD_error_frameParameter_windowTooLarge:
            m_failure = "its zstd window is larger than 128 MiB, more than is unpacked here";
            m_remedy = "Unpack it and open what comes out: zstd -d --long=31 FILE";
            break;
        case ZSTD_error_dictionary_wrong:
            m_failure = "it was packed by zstd with a dictionary";
            m_remedy = "Unpack it and open what comes out: zstd -d -D DICTIONARY FILE";
            break;
        case ZSTD_error_checksum_wrong:
            m_failure = "its zstd checksum is wrong: what it holds is damaged";
            break;
        case ZSTD_error_prefix_unknown:
            m_failure = "what follows the end of its zstd data is not zstd";
            break;
        default:
            m_failure = "its zstd data is damaged";
        }
    }
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> m_stream{::ZSTD_createDStream()};
};

bool beginsWith(std::span<const std::byte> head, std::span<const std::byte> magic) {
    return head.size() >= magic.size() && std::ranges::equal(head.first(magic.size()), magic);
}

/// Skippable frames, which may come first (pzstd, seekable zstd): RFC 8878, 3.1.2.
bool beginsSkippable(std::span<const std::byte> head) {
    constexpr std::array kMagic{std::byte{0x2a}, std::byte{0x4d}, std::byte{0x18}};
    return head.size() >= 4 && (head[0] & std::byte{0xf0}) == std::byte{0x50} &&
           beginsWith(head.subspan(1), kMagic);
}

} // namespace

std::unique_ptr<Unpacker> unpackerFor(std::span<const std::byte> head) {
    if (beginsWith(head, kGzip))
        return std::make_unique<Gunzip>();
    if (beginsWith(head, kZstd) || beginsSkippable(head))
        return std::make_unique<Unzstd>();
    return nullptr;
}

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

} // namespace

UnpackAhead::UnpackAhead(Make make, const std::stop_token& cancel)
    : m_make(std::move(make))
    , m_cancelled(cancel)
    , m_thread(tryStart([this](const std::stop_token& stop) { work(stop); }))
    , m_cancel(cancel, [this] { m_thread.request_stop(); }) {}

UnpackAhead::~UnpackAhead() = default; // the thread is asked to stop and waited for

void UnpackAhead::work(const std::stop_token& stop) {
    while (waitForRoom(stop) && makePiece(stop)) {
    }
}

/// False: it was the last.
bool UnpackAhead::makePiece(const std::stop_token& stop) {
    Piece& piece = m_pieces[m_filled % m_pieces.size()];
    fill(piece, stop);
    const bool isLast = piece.isLast; // after the handover the other thread may reuse the piece
    handOn();
    return !isLast;
}

/// Stores a failure, which is thrown after everything before it was read.
void UnpackAhead::fill(Piece& piece, const std::stop_token& stop) {
    piece.bytes.resize(kPieceBytes);
    piece.size = 0;
    try {
        while (piece.size < kPieceBytes && !piece.isLast) {
            const std::size_t made = m_make(std::span(piece.bytes).subspan(piece.size), stop);
            piece.size += made;
            piece.isLast = made == 0;
        }
    } catch (...) {
        m_failure = std::current_exception();
        piece.isLast = true;
    }
}

bool UnpackAhead::waitForRoom(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    return m_news.wait(lock, stop, [this] { return m_filled - m_read < m_pieces.size(); });
}

void UnpackAhead::handOn() {
    {
        const std::lock_guard lock(m_mutex);
        ++m_filled;
    }
    m_news.notify_all();
}

/// Needs no check for cancellation: there will be room, and the other thread reports why it ends.
void UnpackAhead::waitForPiece() {
    if (!m_thread.joinable() && m_read == m_filled)
        makePiece(m_cancelled);
    std::unique_lock lock(m_mutex);
    m_news.wait(lock, [this] { return m_read < m_filled; });
}

void UnpackAhead::giveBack() {
    {
        const std::lock_guard lock(m_mutex);
        ++m_read;
    }
    m_given = 0;
    m_news.notify_all();
}

std::size_t UnpackAhead::read(std::span<std::byte> into) {
    while (!m_ended && !into.empty()) {
        waitForPiece();
        Piece& piece = m_pieces[m_read % m_pieces.size()];
        if (const std::size_t next = std::min(into.size(), piece.size - m_given); next > 0) {
            std::memcpy(into.data(), piece.bytes.data() + m_given, next);
            m_given += next;
            return next;
        }
        if (!piece.isLast) {
            giveBack();
            continue;
        }
        m_ended = true;
        if (m_failure)
            std::rethrow_exception(m_failure);
    }
    return 0;
}

} // namespace olab::io
