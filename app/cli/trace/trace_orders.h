// `olab trace --on`, `--off` and `--list`: programs that run already and wait for it.
#pragma once

#include "arguments.h"

#include <optional>

namespace olab::cli {

/// Does what is asked of them, if something is. @returns the exit code; nothing: it is about a program to
/// start
std::optional<int> runTraceOrders(const Arguments& arguments);

} // namespace olab::cli
