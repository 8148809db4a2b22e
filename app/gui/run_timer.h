// How long a person waits: from F5 to the verdict on the screen, and to its tool effect. For the measurements
// of the program itself (overlap-lab --time-runs), also where there is no display.
#pragma once

#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QElapsedTimer>
#include <QObject>

namespace olab::gui {

class RunTimer final : public QObject {
    Q_OBJECT
public:
    /// `changing`: each run is of another experiment, whose tool effect is not known yet.
    RunTimer(int count, bool changing, ui::Session& session, ui::MainWindow& window);
    void start();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void next();
    void step(const QString& what);
    void painted();
    void complete(const QString& effect);
    int m_count, m_number = 0;
    bool m_changing, m_wantsPaint = false, m_complete = false;
    ui::Session& m_session;
    ui::MainWindow& m_window;
    QElapsedTimer m_clock;
    QString m_lastStep;
};

} // namespace olab::gui
