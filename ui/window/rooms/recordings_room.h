// Many recordings in the window: a table of what is in a folder, from which recordings are opened, and the
// way back to it. Owned by the window. GUI thread.
#pragma once

#include "recordings/recordings_page.h"

#include <QObject>
#include <QWidget>

class QPushButton;

namespace olab::ui {

class ElidedLabel;
struct WindowParts;

/// The line above the timeline of a recording that stands in the table: back to the table, and the ones above
/// and below it there. GUI thread.
class WayBack final : public QWidget {
    Q_OBJECT
public:
    explicit WayBack(QWidget* parent = nullptr);
    void tell(const QString& text, bool hasPrevious, bool hasNext);

signals:
    void backRequested();
    void previousRequested();
    void nextRequested();

private:
    QPushButton *m_previous, *m_next;
    ElidedLabel* m_text;
};

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
    void showWay();
    QString shownFile() const; ///< empty: none, or it is in no file
    const WindowParts& m_parts;
    RecordingsPage* m_page = nullptr; ///< null until somebody wants it
};

} // namespace olab::ui
