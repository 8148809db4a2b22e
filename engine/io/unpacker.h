// Decompresses a gzip or zstd stream piece by piece. Private to io.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace olab::io {

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

} // namespace olab::io
