// The pointer to what is shown, for those who only pass it on.
#pragma once

#include <memory>

namespace olab::view {

struct ViewData;
using ViewDataPtr = std::shared_ptr<const ViewData>;

} // namespace olab::view
