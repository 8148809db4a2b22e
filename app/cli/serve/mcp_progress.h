// notifications/progress, to a client that asked for them with its question.
#pragma once

#include "paged_json.h"

#include <functional>
#include <string>
#include <string_view>

namespace olab::cli {

using SendLine = std::function<void(const std::string& line)>;

/// For RunControl::progress; empty: the parameters of the question have no token. Tells only of more than
/// before, at most a few times a second; any thread may call it.
std::function<void(double share, std::string_view what)> progressNotices(const Asked& parameters,
                                                                         SendLine send);

} // namespace olab::cli
