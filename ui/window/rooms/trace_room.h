// Experiment > Trace a program: its dialog, what it was asked for last time, and the recording that comes of
// it. Owned by the window. GUI thread.
#pragma once

#include <QObject>

namespace olab::ui {

class TraceDialog;
struct WindowParts;

class TraceRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit TraceRoom(const WindowParts& parts);
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool mayClose();
    void restore();
    void keep() const;
    const WindowParts& m_parts;
    TraceDialog* m_dialog = nullptr; ///< null: nobody has asked for it
};

} // namespace olab::ui
