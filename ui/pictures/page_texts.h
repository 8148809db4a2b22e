// The script and the style sheet of a page, built in.
#pragma once

#include <string_view>

namespace olab::ui {

extern const std::string_view kPageScript, kPageStyle;

} // namespace olab::ui
