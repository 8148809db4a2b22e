// Takes gzip or zstd off a stream of bytes, piece by piece. Private to io.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace olab {

class Unpacker {
public:
    virtual ~Unpacker() = default;
    /// Unpacks from the front of `packed`, which it shortens, into `into`. @returns bytes made
    virtual std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) = 0;
    /// What comes next cannot be unpacked.
    bool isBroken() const { return m_broken; }
    /// Why, once it is broken: "its gzip checksum is wrong". It may be that only this program does not unpack
    /// it.
    const std::string& failure() const { return m_failure; }
    /// Not empty: the file is sound, and so it can be unpacked by hand.
    const std::string& remedy() const { return m_remedy; }
    /// Between two members: the input may end here.
    virtual bool mayEnd() const = 0;
    virtual std::string_view name() const = 0; ///< "gzip"

protected:
    bool m_broken = false;
    std::string m_failure, m_remedy;
};

/// The one for what begins so; none when nothing is around it.
std::unique_ptr<Unpacker> unpackerFor(std::span<const std::byte> head);

} // namespace olab
