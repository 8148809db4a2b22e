// The time of day as recordings say it.
#pragma once

#include <cstdint>
#include <string>

namespace olab {

/// Now, in UTC: "2026-11-20T14:56:55Z". Safe from any thread.
std::string isoTimeUtc();
/// Of seconds since 1970; empty where that is no time of a calendar.
std::string isoTimeUtc(std::int64_t seconds);

} // namespace olab
