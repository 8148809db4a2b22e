// The bytes of a file as an importer reads them: those of a regular file or a pipe, without the gzip (also of
// several members) or zstd around them. Progress is told by the bytes given; all of it can be cancelled, and
// is bounded: a small file that unpacks to very much is refused.
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

namespace olab {

class UnpackAhead;
class Unpacker;

/// How much may come out of what is packed: in all, and as a multiple of what went in once it is over `free`.
struct UnpackLimits {
    std::uint64_t most = std::uint64_t{64} << 30, free = std::uint64_t{1} << 30, times = 200;
};

class Source {
public:
    /// Opens it and unpacks the first bytes. `control` must outlive this. @throws Error "cannot-read", or
    /// when cancelled
    explicit Source(const std::filesystem::path& path, const RunControl& control, UnpackLimits limits = {});
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// The first 4 KiB that it holds, or all there is: what importers know their format by.
    std::span<const std::byte> head() const { return m_head; }
    /// The next bytes, from the first one on; 0 at the end. @throws Error "cannot-read" (damaged, too much),
    /// or when cancelled
    std::size_t read(std::span<std::byte> into);
    /// A regular file with all of it, for readers that need one: the file itself where nothing is around it.
    /// Not to be mixed with read(). @throws Error as read()
    std::filesystem::path file();
    /// As it was given, for messages.
    const std::filesystem::path& path() const { return m_input.path(); }
    /// Not a pipe.
    bool canBeReadAgain() const { return m_input.size().has_value(); }
    /// It is packed: then bytes come at the pace of one thread that unpacks them.
    bool isPacked() const { return m_unpacker != nullptr; }
    /// True when what was packed ends too early or is damaged; what came before can be used.
    bool isDamaged() const;
    /// What is wrong with it then: "its gzip checksum is wrong ..."; and whether it only ends too early.
    struct Damage {
        std::string what;
        bool isCut = false;
        std::string remedy; ///< not empty: the file is sound, and this unpacks it
    };
    Damage damage() const;
    /// "gzip", "zstd"; empty: nothing is around it.
    std::string_view packing() const;

private:
    std::size_t readNext(std::span<std::byte> into, const RunControl& control);
    std::size_t readAhead(std::span<std::byte> into);
    void tell() const;
    void keepAll();
    const RunControl& m_control;
    UnpackLimits m_limits;
    InputFile m_input;
    std::unique_ptr<Unpacker> m_unpacker; ///< none where nothing is around it
    std::vector<std::byte> m_head, m_block;
    std::span<const std::byte> m_packed;    ///< of the block, still to be unpacked
    std::atomic<std::uint64_t> m_taken = 0; ///< bytes of the input
    std::uint64_t m_made = 0;               ///< bytes that came out
    std::size_t m_given = 0;                ///< of the head, to read()
    bool m_inputEnded = false;
    std::unique_ptr<ScratchFile> m_all;
    std::unique_ptr<UnpackAhead> m_ahead; ///< last: its thread uses the others; there once all is read
};

} // namespace olab
