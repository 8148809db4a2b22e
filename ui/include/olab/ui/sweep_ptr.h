// What the window asks of a sweep, and what is told of it; for code that only passes them on.
#pragma once

#include <memory>

namespace olab::ui {

struct SweepJob;
struct SweepNews;
using SweepJobPtr = std::shared_ptr<const SweepJob>;
using SweepNewsPtr = std::shared_ptr<const SweepNews>;

} // namespace olab::ui
