#include "unpack_ahead.h"

#include <olab/trace/helper_thread.h>

#include <algorithm>
#include <cstring>

namespace olab::io {
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
