// Whose a file is: what another tool wrote is never written over.
#pragma once

class QString;

namespace olab::ui {

/// A file of another tool, or a recording that one has packed. False where nothing is there or it cannot be
/// read.
bool isOfAnotherTool(const QString& path);

} // namespace olab::ui
