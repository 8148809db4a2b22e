// The device models that are built in (resources/models): a new one is a file there.
#pragma once

#include <span>
#include <string_view>

namespace olab::experiment {

std::span<const std::string_view> deviceModelNames(); ///< the default first; static storage

} // namespace olab::experiment
