// The file of agreements as CMake built it in. Private to the module.
#pragma once

#include <string_view>

namespace olab::comparison::detail {

std::string_view agreementLines();

} // namespace olab::comparison::detail
