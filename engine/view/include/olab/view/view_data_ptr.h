// The pointer to the shown data, for code that only passes it on.
#pragma once

#include <memory>

namespace olab::view {

struct ViewData;
using ViewDataPtr = std::shared_ptr<const ViewData>;

// The pointer to a run in the window, for code that only passes it on.

class Run;
using RunPtr = std::shared_ptr<const Run>;

} // namespace olab::view
