// Turns a CUPTI result into an Error that says what to do.
#pragma once

#include "records.h"

#include <string>

namespace olab::cupti {

/// `what` completes "CUPTI could not ...". @throws Error NoDevice: no-permission, no-tracing,
/// out-of-host-memory, cupti-failed
void checkCupti(CUptiResult result, const std::string& what);

} // namespace olab::cupti
