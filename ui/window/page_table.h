// Which pages there are below the timeline, and what each has to do with the rest of the window.
#pragma once

#include "window/pages.h"

namespace olab::ui {

struct WindowParts;

/// In the order of their tabs. `parts` must outlive them.
std::vector<Page> makePages(const WindowParts& parts);

} // namespace olab::ui
