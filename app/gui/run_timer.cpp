#include "run_timer.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>

#include <cstdio>

namespace olab::gui {

namespace {

constexpr int kPauseMs = 1500; // as a person would look at least: the next child gets ready

} // namespace

RunTimer::RunTimer(int count, bool changing, ui::Session& session, ui::MainWindow& window)
    : m_count(count)
    , m_changing(changing)
    , m_session(session)
    , m_window(window) {
    connect(&session, &ui::Session::progressed, this, [this](double, const QString& what) { step(what); });
    connect(&window, &ui::MainWindow::recordingShown, this, [this] { m_wantsPaint = true; });
    connect(&session, &ui::Session::refined, this,
            [this](const view::ViewDataPtr&, const view::ViewDataPtr& after) {
                if (after->recording->report.toolEffect)
                    complete(QString::number(after->recording->report.toolEffect->ratio(), 'f', 3));
            });
    connect(&session, &ui::Session::notRefined, this,
            [this](const view::ViewDataPtr&, const QString& why) { complete(why); });
    connect(&window, &ui::MainWindow::errorShown, this, [](int code) { QCoreApplication::exit(code); });
    QCoreApplication::instance()->installEventFilter(this);
}

void RunTimer::start() {
    QTimer::singleShot(kPauseMs, this, &RunTimer::next);
}

void RunTimer::next() {
    if (m_number++ == m_count)
        return QCoreApplication::exit(0);
    if (m_changing) {
        experiment::HeldExperiment experiment = m_window.form().experiment();
        experiment::setNumber(experiment, "kernel.us", experiment::optionNumber(experiment, "kernel.us") + 1);
        m_window.form().setExperiment(experiment);
    }
    m_complete = false;
    m_lastStep.clear();
    std::printf("run %d\n", m_number);
    m_clock.start();
    m_window.run();
}

void RunTimer::step(const QString& what) {
    if (what == m_lastStep)
        return;
    m_lastStep = what;
    std::printf("  %7.1f ms  %s\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6, qPrintable(what));
}

bool RunTimer::eventFilter(QObject* watched, QEvent* event) {
    const bool isVerdict = watched->parent() && watched->parent()->inherits("olab::ui::VerdictStrip");
    if (m_wantsPaint && isVerdict && event->type() == QEvent::Paint) {
        m_wantsPaint = false;
        QTimer::singleShot(0, this, &RunTimer::painted); // all that is painted with it is on the screen then
    }
    return false;
}

void RunTimer::painted() {
    std::printf("  %7.1f ms  verdict on the screen\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
    std::fflush(stdout);
    if (m_session.refining())
        return;
    const auto& effect = m_window.shown()->recording->report.toolEffect;
    if (!m_complete)
        complete(effect ? QStringLiteral("%1, %2")
                              .arg(effect->ratio(), 0, 'f', 3)
                              .arg(ui::fromText("measured with " + effect->measuredWith))
                        : QStringLiteral("none is measured"));
}

void RunTimer::complete(const QString& effect) {
    m_complete = true;
    std::printf("  %7.1f ms  tool effect: %s\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6,
                qPrintable(effect));
    std::fflush(stdout);
    QTimer::singleShot(kPauseMs, this, &RunTimer::next);
}

} // namespace olab::gui
