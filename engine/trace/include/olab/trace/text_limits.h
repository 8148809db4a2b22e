// How long the texts of a recording may be, and how many facts it may hold. Files come from anywhere: without
// limits, a file of one megabyte that refers to one long text a million times would need the memory of a
// million copies, and seconds to compare them. What exceeds a limit is cut or left out, and reported as a
// defect. All limits are far above what any recording needs.
#pragma once

#include <cstddef>
#include <string_view>

namespace olab {

inline constexpr std::size_t kMaxTextBytes =
    16 * 1024; ///< of names and values; known kernel names stay under 8 KiB
inline constexpr std::size_t kMaxFactBytes = 256; ///< of names of devices and tools, keys, details of defects
inline constexpr std::size_t kMaxEnvironment = 256; ///< entries; a recording has about 20
inline constexpr std::size_t kMaxDefectKinds =
    256; ///< with their own detail; the rest is counted without one

/// At most the first `most` bytes of a text, never half a UTF-8 character.
std::string_view cutText(std::string_view text, std::size_t most);

} // namespace olab
