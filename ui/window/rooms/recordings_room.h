// Many recordings in the window: a table of what is in a folder, from which recordings are opened, and the
// way back to it. Owned by the window. GUI thread.
#pragma once

#include "recordings/recordings_page.h"

#include <QObject>

namespace olab::ui {

class WayBack;
struct WindowParts;

class RecordingsRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit RecordingsRoom(const WindowParts& parts);
    /// Reads these folders and files as a table.
    void openPlaces(const QStringList& places);
    void showPage(); ///< the table, as it was left
    bool hasTable() const { return m_page != nullptr; }
    RecordingsPage& page();
    void step(int by); ///< opens the recording that stands so far below the one that is shown

signals:
    void shown(); ///< a table is on the screen, with all its rows

private:
    void open(const QStringList& files);
    void openAsOne(const QStringList& files);
    void save();
    void back();
    void showWay();
    QString shownFile() const; ///< empty: none, or it is in no file
    const WindowParts& m_parts;
    RecordingsPage* m_page = nullptr; ///< null until somebody wants it
};

} // namespace olab::ui
