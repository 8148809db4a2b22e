#include "window/display.h"

#include "base/page_parts.h"
#include "experiment/experiment_panel.h"
#include "results/inspector.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/runs.h"
#include "window/runs/summary.h"
#include "window/window_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/view/view_data.h>

#include <QMainWindow>
#include <QStatusBar>

namespace olab::ui {

InspectorSide::InspectorSide(const WindowParts& parts)
    : m_parts(parts)
    , m_inspector(new Inspector) {
    auto* column = columnIn(this);
    column->addWidget(m_inspector, 1);
    connect(&parts.timeline.canvas(), &TimelineCanvas::selectionChanged, this, &InspectorSide::showSelection);
    connect(&parts.runs, &Runs::accounted, this,
            &InspectorSide::showSelection); // waits are the account's now
    connect(m_inspector, &Inspector::activityChosen, this, [this](quint32 index) {
        m_parts.timeline.canvas().select(index);
        m_parts.timeline.canvas().bringIntoView(index);
    });
}

void InspectorSide::showCurrent() {
    m_inspector->showActivity(m_parts.runs.current(), {});
}

void InspectorSide::showSelection() {
    const view::Selection& selection = m_parts.timeline.canvas().selection();
    const view::ViewDataPtr& shown = m_parts.runs.current();
    if (selection.picked() == view::Selection::Picked::Range && selection.range())
        m_inspector->showRange(shown, *selection.range());
    else if (selection.picked() == view::Selection::Picked::Gap && selection.gap())
        m_inspector->showGap(shown, *selection.gap());
    else
        m_inspector->showActivity(shown, selection.activity());
}

namespace {

constexpr int kMessageMs = 5000;

} // namespace

Display::Display(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_status(new StatusLine) {
    QStatusBar& bar = *parts.window.statusBar();
    bar.setSizeGripEnabled(false);
    bar.addWidget(m_status, 1);
    connect(&parts.files, &Files::nothingToSave, &bar,
            [&bar](const QString& text) { bar.showMessage(text, kMessageMs); });
    connect(&parts.centre, &QStackedWidget::currentChanged, m_status, [this] { // it is of another run
        m_status->setVisible(!m_parts.centre.isIn(Room::Live) && !m_parts.centre.isIn(Room::Sweep) &&
                             !m_parts.centre.isIn(Room::Watch) && !m_parts.centre.isIn(Room::Recordings) &&
                             !m_parts.centre.isIn(Room::Compare));
    });
    showWhatRuns();
    connectParts();
    showTitle();
}

void Display::showWhatRuns() {
    auto* busy = new BusyLine(m_parts.panel);
    m_parts.window.statusBar()->addPermanentWidget(busy);
    Session& session = m_parts.session;
    connect(&session, &Session::started, busy, &BusyLine::start);
    connect(&session, &Session::progressed, busy, &BusyLine::setProgress);
    connect(&session, &Session::ended, busy, [busy, &session] {
        if (!session.busy())
            busy->end();
    });
    connect(busy, &BusyLine::cancelRequested, &m_parts.jobs, &Jobs::cancel);
}

void Display::connectParts() {
    connect(&m_parts.session, &Session::ready, this, [this](const view::ViewDataPtr& ready) {
        const bool behind = m_parts.files.arrived(ready);
        behind ? m_parts.runs.addUnseen(ready) : m_parts.runs.add(ready);
    });
    connect(&m_parts.runs, &Runs::shownChanged, this, &Display::showCurrent);
    connect(&m_parts.runs, &Runs::currentRefined, this, &Display::showRefined);
    connect(&m_parts.runs, &Runs::labelChanged, this, [this](const view::RunPtr& run) {
        if (!m_parts.runs.current() || run != m_parts.runs.current()->run)
            return;
        showTitle();
        m_parts.inspector.showSelection();
    });
}

void Display::showTitle() {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    setTitle(m_parts.window, shown ? tr("%1 - Overlap Lab").arg(cutText(titleText(*shown), kLongestLine - 20))
                                   : tr("Overlap Lab"));
}

/// Another run, or none: as when the window was opened.
void Display::showCurrent() {
    const view::ViewDataPtr now = m_parts.runs.current();
    if (now) {
        m_parts.messages.notice().hide(); // it was about what was shown before
        m_parts.jobs.takeSettingsOf(*now->recording);
    }
    m_parts.summary.setShown(now);
    m_parts.timeline.setShown(now);
    m_parts.timeline.canvas().accountChanged();
    m_parts.pages.setShown(now);
    m_status->setShown(now);
    m_parts.inspector.showCurrent();
    showTitle();
    if (now)
        emit shown();
    else
        m_parts.gallery.enter();
}

/// What did not change is left alone: selection, view, what is folded or scrolled.
void Display::showRefined(const view::ViewDataPtr& before) {
    const view::ViewDataPtr after = m_parts.runs.current();
    TimelineCanvas& canvas = m_parts.timeline.canvas();
    if (!isSameRun(*before->recording, *after->recording)) { // the median of several
        const Interval view = canvas.viewport().visible();
        const bool whole = canvas.viewport().isFit();
        showCurrent();
        return whole ? void() : canvas.showRange(view);
    }
    const bool judged = judgementDiffers(*before->recording, *after->recording);
    m_parts.timeline.refine(after);
    m_parts.timeline.accountFound();
    m_parts.summary.refine(before, after, judged);
    m_parts.pages.refine(after, judged);
    m_status->setShown(after);
    m_parts.inspector.showSelection();
}

} // namespace olab::ui
