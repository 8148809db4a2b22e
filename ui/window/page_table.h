// Which pages there are below the timeline, and what each has to do with the rest of the window.
#pragma once

#include "window/pages.h"

namespace olab::ui {

struct WindowParts;

/// To `parts`, which must outlive them, in the order of their tabs.
void addPages(const WindowParts& parts);

} // namespace olab::ui
