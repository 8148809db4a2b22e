// The pointer to what the search for a fix found, for those who only pass it on.
#pragma once

#include <memory>

namespace olab::comparison {
struct Fix;
} // namespace olab::comparison

namespace olab::ui {

using FixPtr = std::shared_ptr<const comparison::Fix>;

} // namespace olab::ui
