// The pointer to a run in the window, for those who only pass it on.
#pragma once

#include <memory>

namespace olab::view {

class Run;
using RunPtr = std::shared_ptr<const Run>;

} // namespace olab::view
