// Frames as an X server presents them: painted by the widget, handed over and shown.
#pragma once

#include <olab/view/view_data.h>

namespace olab::bench {

/// Prints nothing but why where there is no X server.
void benchWindow(const view::ViewDataPtr& shown);

} // namespace olab::bench
