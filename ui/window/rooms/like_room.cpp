#include "window/rooms/like_room.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/experiment/recorded_work.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QMainWindow>
#include <QMenu>

#include <limits>

namespace olab::ui {

LikeRoom::LikeRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    QMenu& menu = parts.menus.menu(MenuId::Experiment);
    m_action = addEntry(menu, tr("&Recreate as experiment"), this, [this] { make(); });
    m_action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    m_action->setEnabled(false);
    setTip(*m_action, tr("Runs the work of the recording that is shown again, or of the range between the "
                         "rulers: as it was recorded, then with any option changed"));
    connect(&parts.runs, &Runs::shownChanged, this, [this] {
        if (m_parts.runs.current())
            m_action->setEnabled(true);
    });
    connect(&parts.timeline.canvas(), &TimelineCanvas::experimentRequested, this, [this] { make(); });
    connect(&parts.session, &Session::ready, this, &LikeRoom::take);
}

void LikeRoom::make() {
    const view::ViewDataPtr shown = m_parts.runs.current();
    if (!shown)
        return;
    constexpr Interval kAll{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    const auto range = m_parts.timeline.canvas().selection().range();
    try {
        m_asRecorded = recorded_work::experimentLike(*shown->recording, range.value_or(kAll));
        m_recorded = recorded_work::recordedIn(*shown->recording, range.value_or(kAll));
    } catch (const Error& error) {
        return m_parts.messages.caught(error);
    }
    m_base = nullptr;
    m_parts.panel.form().setExperiment(m_asRecorded);
    const experiment::RecordedWork& work = *experiment::recordedWorkOf(m_asRecorded);
    QStringList lines{tr("Experiment: %1").arg(sentence(experiment::recordedWorkText(work)))};
    for (const std::string& each : work.assumed)
        lines << sentence(each);
    m_parts.messages.log(lines.join(QLatin1Char('\n')));
    m_parts.jobs.run();
}

/// A run of the same work: as it was recorded, or with options changed since.
void LikeRoom::take(const view::ViewDataPtr& shown) {
    const auto& experiment = shown->recording->experiment;
    const experiment::RecordedWork* work = experiment ? experiment::recordedWorkOf(*experiment) : nullptr;
    const experiment::RecordedWork* recorded = experiment::recordedWorkOf(m_asRecorded);
    if (!work || !recorded || *work != *recorded || !shown->recording->file.empty())
        return;
    if (!m_base && *experiment == m_asRecorded) {
        m_base = shown->recording;
        recorded_work::addPlayed(m_recorded, *m_base);
        return say(sentence(m_recorded.text()));
    }
    if (m_base)
        if (const std::string text = recorded_work::changeText(*m_base, *shown->recording); !text.empty())
            say(sentence(text));
}

void LikeRoom::say(const QString& text) {
    m_parts.messages.notice().say(text);
    m_parts.messages.log(text);
    emit judged(text);
}

} // namespace olab::ui
