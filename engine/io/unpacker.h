// Decompresses a gzip or zstd stream piece by piece, on a thread of its own. Private to io.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace olab::io {

/// Decompresses a gzip or zstd stream piece by piece.
class Unpacker {
public:
    virtual ~Unpacker() = default;
    /// Decompresses from the front of `packed`, which it shortens, into `into`. @returns bytes written
    virtual std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) = 0;
    /// The next input cannot be decompressed.
    bool isBroken() const { return m_broken; }
    /// Why, once it is broken: "its gzip checksum is wrong". Possibly only this program cannot decompress it.
    const std::string& failure() const { return m_failure; }
    /// Not empty: the file is intact, and this decompresses it by hand.
    const std::string& remedy() const { return m_remedy; }
    /// Between two members: the input may end here.
    virtual bool mayEnd() const = 0;
    virtual std::string_view name() const = 0; ///< "gzip"

protected:
    bool m_broken = false;
    std::string m_failure, m_remedy;
};

/// The unpacker for data with this start; null if it is not compressed.
std::unique_ptr<Unpacker> unpackerFor(std::span<const std::byte> head);

/// Decompresses on its own thread, some megabytes ahead of the reader: decompression is slower than any
/// reader and cannot be parallelized, so it must never wait for one. If no thread is available, the reader
/// decompresses.
class UnpackAhead {
public:
    /// `make` fills a buffer with the next bytes and returns how many, 0 at the end; it is called on the
    /// other thread, if there is one, and should throw soon after `stop` is requested, as `cancel` does, too.
    using Make = std::function<std::size_t(std::span<std::byte> room, std::stop_token stop)>;
    UnpackAhead(Make make, const std::stop_token& cancel);
    ~UnpackAhead();
    UnpackAhead(const UnpackAhead&) = delete;
    UnpackAhead& operator=(const UnpackAhead&) = delete;

    /// The next bytes; 0 at the end. @throws what `make` threw, after everything that came before
    std::size_t read(std::span<std::byte> into);
    /// read() has returned everything.
    bool hasEnded() const { return m_ended; }

private:
    struct Piece {
        std::vector<std::byte> bytes;
        std::size_t size = 0;
        bool isLast = false;
    };
    void work(const std::stop_token& stop);
    bool makePiece(const std::stop_token& stop);
    void fill(Piece& piece, const std::stop_token& stop);
    bool waitForRoom(const std::stop_token& stop);
    void handOn();
    void waitForPiece();
    void giveBack();

    Make m_make;
    std::stop_token m_cancelled;
    std::array<Piece, 8> m_pieces; ///< a ring
    std::size_t m_given = 0;       ///< bytes of the piece that is read
    bool m_ended = false;
    std::mutex m_mutex;
    std::condition_variable_any m_news;
    std::size_t m_filled = 0, m_read = 0; ///< pieces
    std::exception_ptr m_failure;         ///< set after the last piece
    std::jthread m_thread;                ///< after what it uses
    std::stop_callback<std::function<void()>> m_cancel;
};

} // namespace olab::io
