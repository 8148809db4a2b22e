// The bytes of a file as an importer reads them: those of a regular file or a pipe, after decompressing gzip
// (also several members) or zstd. Progress is reported by bytes delivered. Everything can be cancelled and is
// bounded: a small file that decompresses to a huge one is refused.
#pragma once

#include <olab/trace/input_file.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace olab::io {

class UnpackAhead;
class Unpacker;

/// Limits for decompressed data: in total, and as a multiple of the input once it exceeds `free`.
struct UnpackLimits {
    std::uint64_t most = std::uint64_t{64} << 30, free = std::uint64_t{1} << 30, times = 200;
};

class Source {
public:
    /// Opens it and decompresses the first bytes. `control` must outlive this. @throws Error "cannot-read",
    /// or when cancelled
    explicit Source(const std::filesystem::path& path, const RunControl& control, UnpackLimits limits = {});
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// The first 4 KiB, or everything if it is shorter: importers recognise their format by them.
    std::span<const std::byte> head() const { return m_head; }
    /// The next bytes, from the first one on; 0 at the end. @throws Error "cannot-read" (damaged, too much),
    /// or when cancelled
    std::size_t read(std::span<std::byte> into);
    /// A regular file with the whole content, for readers that need one: the file itself if it is not
    /// compressed. Not to be mixed with read(). @throws Error as read()
    std::filesystem::path file();
    /// The path as given, for messages.
    const std::filesystem::path& path() const { return m_input.path(); }
    /// Not a pipe.
    bool canBeReadAgain() const { return m_input.size().has_value(); }
    /// It is compressed: bytes then arrive at the speed of one decompressing thread.
    bool isPacked() const { return m_unpacker != nullptr; }
    /// True if the compressed data ends too early or is damaged; what came before can be used.
    bool isDamaged() const;
    /// The problem in that case: "its gzip checksum is wrong ..."; and whether it only ends too early.
    struct Damage {
        std::string what;
        bool isCut = false;
        std::string remedy; ///< not empty: the file is intact, and this command decompresses it
    };
    Damage damage() const;
    /// "gzip", "zstd"; empty: it is not compressed.
    std::string_view packing() const;

private:
    std::size_t readNext(std::span<std::byte> into, const RunControl& control);
    std::size_t readAhead(std::span<std::byte> into);
    void tell() const;
    void keepAll();
    const RunControl& m_control;
    UnpackLimits m_limits;
    InputFile m_input;
    std::unique_ptr<Unpacker> m_unpacker; ///< none if it is not compressed
    std::vector<std::byte> m_head, m_block;
    std::span<const std::byte> m_packed;    ///< of the block, not yet decompressed
    std::atomic<std::uint64_t> m_taken = 0; ///< bytes of the input
    std::uint64_t m_made = 0;               ///< bytes that came out
    std::size_t m_given = 0;                ///< bytes of the head already given to read()
    bool m_inputEnded = false;
    std::unique_ptr<ScratchFile> m_all;
    std::unique_ptr<UnpackAhead> m_ahead; ///< last: its thread uses the others; exists once all is read
};

} // namespace olab::io
