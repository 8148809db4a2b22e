// Dates and times as written in recordings.
#pragma once

#include <cstdint>
#include <string>

namespace olab {

/// Now, in UTC: "2026-11-20T14:56:55Z". Safe from any thread.
std::string isoTimeUtc();
/// From seconds since 1970; empty if it is not a valid calendar time.
std::string isoTimeUtc(std::int64_t seconds);

} // namespace olab
