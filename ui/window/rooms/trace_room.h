// Experiment > Trace a program: its dialog, what it was asked for last time, what the program does while it
// runs, and the recordings that come of it. Owned by the window. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QStringList>

#include <memory>

namespace olab::recording {
class LastSeconds;
}

namespace olab::ui {

class Session;
class TraceDialog;
class WatchPage;
struct WindowParts;

class TraceRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit TraceRoom(const WindowParts& parts);
    /// The dialog; while a program runs what it does, and from there the dialog.
    void open();
    TraceDialog& dialog();
    WatchPage& page();
    bool isLooking() const { return m_isLooking; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectSession();
    void showDialog();
    void begun();
    void look();
    void lookAt(const QString& file);
    void stopLooking();
    void programChanged();
    void programEnded();
    void jobEnded();
    void openRecordings();
    void keepSeen(const view::ViewDataPtr& seen);
    bool mayClose();
    void restore();
    void keep() const;
    const WindowParts& m_parts;
    Session& m_session;
    TraceDialog* m_dialog = nullptr;                   ///< null: nobody has asked for it
    WatchPage* m_page = nullptr;                       ///< null until something runs
    std::shared_ptr<recording::LastSeconds> m_seconds; ///< what was looked at last
    bool m_isLooking = false, m_wantsLook = false;     ///< wanted: once nothing else runs
    QStringList m_toOpen;                              ///< once nothing else runs
};

} // namespace olab::ui
