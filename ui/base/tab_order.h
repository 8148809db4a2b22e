// Where controls that are made late come in the order of Tab. GUI thread.
#pragma once

class QWidget;

namespace olab::ui {

/// All that Tab reaches inside `container` comes right after it, in the order it was made: else what is built
/// anew for each recording would come after everything else.
void keepTabOrderIn(QWidget& container);

} // namespace olab::ui
