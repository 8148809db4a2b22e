// Bookmarks and notes of another tool's file, kept beside it when a person asks for that: an entry of the
// menu File. The file itself stays as it is. Owned by the window. GUI thread.
#pragma once

#include <QObject>

class QAction;
class QString;

namespace olab::ui {

struct WindowParts;

// Whose a file is: what another tool wrote is never written over.

/// A file of another tool, or a recording that one has packed. False where nothing is there or it cannot be
/// read.
bool isOfAnotherTool(const QString& path);

class SideNotesStore final : public QObject {
public:
    /// `parts` must outlive it.
    explicit SideNotesStore(const WindowParts& parts);
    /// Those of the recording that is shown.
    void keep();

private:
    void refresh();
    const WindowParts& m_parts;
    QAction* m_action = nullptr;
};

} // namespace olab::ui
