// Frames as an X server presents them: painted by the widget, handed over and shown.
#pragma once

#include <olab/ui/shown.h>

namespace olab::bench {

/// Prints nothing but why where there is no X server.
void benchWindow(const ShownPtr& shown);

} // namespace olab::bench
