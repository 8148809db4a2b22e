#include "window/scene_watch.h"

#include "window/centre.h"
#include "window/rooms/lesson_room.h"
#include "window/runs/run_list.h"
#include "window/runs/runs.h"
#include "window/runs/summary.h"
#include "window/runs/verdict_band.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/view_style.h>

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLow = 560; // of the window, in usual type: the lanes need the room

} // namespace

SceneWatch::SceneWatch(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    const auto again = [this] { refresh(); };
    connect(&parts.centre, &QStackedWidget::currentChanged, this, again);
    connect(&parts.runs, &Runs::currentChanged, this, [this] {
        m_inspects = false;
        refresh();
    });
    connect(&parts.timeline.canvas(), &TimelineCanvas::selectionChanged, this, &SceneWatch::inspect);
    const QAbstractItemModel* rows = parts.runs.list().model();
    connect(rows, &QAbstractItemModel::rowsInserted, this, again);
    connect(rows, &QAbstractItemModel::rowsRemoved, this, again);
    parts.window.installEventFilter(this);
    refresh();
}

Scene SceneWatch::now() const {
    if (m_parts.centre.isIn(Room::Gallery))
        return Scene::Gallery;
    if (m_parts.centre.isIn(Room::Live) || m_parts.centre.isIn(Room::Sweep))
        return Scene::Live;
    if (!m_parts.centre.isIn(Room::Work))
        return Scene::Reading;
    if (m_parts.lessons->shown())
        return Scene::Lesson;
    const view::ViewDataPtr& shown = m_parts.runs.current();
    if (!shown || (shown->recording->experiment && shown->recording->file.empty()))
        return Scene::Experiment;
    return shown->recording->experiment ? Scene::Recording : Scene::Foreign;
}

void SceneWatch::refresh() {
    const QMainWindow& window = m_parts.window;
    const double scale = std::max(ViewStyle::of(window.font()).scaled(100), 1) / 100.0;
    m_parts.summary.band().setLow(window.height() / scale < kLow);
    m_parts.layout.setScene(now(), {static_cast<int>(window.width() / scale), m_parts.runs.list().count(),
                                    m_parts.runs.current() != nullptr, m_inspects});
}

/// After a click not before a second one could come: what it is on would have moved away below it.
void SceneWatch::inspect() {
    const TimelineCanvas& canvas = m_parts.timeline.canvas();
    const view::Selection& selection = canvas.selection();
    if (m_inspects || selection.empty())
        return;
    const int delay = canvas.underMouse() ? QApplication::doubleClickInterval() : 0;
    QTimer::singleShot(delay, this, [this, &selection] {
        m_inspects = m_inspects || !selection.empty();
        refresh();
    });
}

bool SceneWatch::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) // widths count in usual type
        refresh();
    return false;
}

} // namespace olab::ui
