// The time of day as recordings say it.
#pragma once

#include <string>

namespace olab {

/// Now, in UTC: "2026-11-20T14:56:55Z". Safe from any thread.
std::string isoTimeUtc();

} // namespace olab
