// Takes gzip or zstd off a stream of bytes, piece by piece. Private to io.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace olab {

class Unpacker {
public:
    virtual ~Unpacker() = default;
    /// Unpacks from the front of `packed`, which it shortens, into `into`. @returns bytes made
    virtual std::size_t unpack(std::span<const std::byte>& packed, std::span<std::byte> into) = 0;
    /// What comes next cannot be unpacked.
    bool isBroken() const { return m_broken; }
    /// Between two members: the input may end here.
    virtual bool mayEnd() const = 0;
    virtual std::string_view name() const = 0; ///< "gzip"

protected:
    bool m_broken = false;
};

/// The one for what begins so; none when nothing is around it.
std::unique_ptr<Unpacker> unpackerFor(std::span<const std::byte> head);

} // namespace olab
