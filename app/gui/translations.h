// The window's language.
#pragma once

class QCoreApplication;

namespace olab::gui {

/// Installs the translations of the person's language, where there are any: ours from
/// share/overlap-lab/translations (overlap-lab_de.qm), and Qt's own for its dialogs. Else the window speaks
/// English, as its sources do.
void useTranslations(QCoreApplication& application);

} // namespace olab::gui
