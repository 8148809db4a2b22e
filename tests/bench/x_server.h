// The X server a window is shown by, as far as timing needs it.
#pragma once

namespace olab::bench {

/// Whether this program's windows are shown by an X server that it can wait for.
bool hasXServer();
/// Returns when the server has done all it was asked to.
void waitForXServer();

} // namespace olab::bench
