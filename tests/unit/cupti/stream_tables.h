// What the CUPTI that streams knows of CUPTI's numbers: calls by name, records by size.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>

namespace olab::test {

/// Null: a call that it does not make.
const char* nameOf(bool driver, std::uint32_t cbid);
/// 0: none that it makes or is asked about.
std::size_t sizeOf(CUpti_ActivityKind kind);

} // namespace olab::test
