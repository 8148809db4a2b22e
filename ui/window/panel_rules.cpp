#include "window/panel_rules.h"

#include "window/rooms/lesson_room.h"
#include "window/runs/runs.h"
#include "window/runs/summary.h"
#include "window/runs/verdict_band.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/theme.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QApplication>
#include <QEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <iterator>

namespace olab::ui {

namespace {

// In usual type:
constexpr int kRoomForForm = 1400;   // beside the gallery
constexpr int kRoomForBoth = 1100;   // form and inspector beside a timeline
constexpr int kRoomForLesson = 1500; // inspector beside a lesson: below, rows and verdicts need it more

constexpr const char* kParts[]{"form", "right", "pages"};
constexpr const char* kScenes[]{"gallery", "reading", "lesson", "experiment", "recording", "foreign", "live"};

/// The pages are below every timeline.
Scene sceneFor(Part part, Scene scene) {
    return part == Part::Pages ? Scene::Experiment : scene;
}

QString keyOf(Part part, Scene scene) {
    return QLatin1String(kParts[static_cast<std::size_t>(part)]) + QLatin1Char('.') +
           QLatin1String(kScenes[static_cast<std::size_t>(scene)]);
}

bool formStands(Scene scene, const PanelFacts& facts) {
    switch (scene) {
    case Scene::Gallery:
        return facts.width >= kRoomForForm;
    case Scene::Experiment:
    case Scene::Live:
        return true;
    case Scene::Recording:
        return facts.width >= kRoomForBoth;
    case Scene::Reading:
    case Scene::Lesson:
    case Scene::Foreign:
        break;
    }
    return false;
}

/// One run is on the screen anyway: a list of it says nothing.
bool rightStands(Scene scene, const PanelFacts& facts) {
    const bool says = facts.inspects || facts.runs > 1;
    switch (scene) {
    case Scene::Gallery:
        return facts.runs > 0 && facts.width >= kRoomForBoth;
    case Scene::Reading:
    case Scene::Live: // what it would say is of another run
        return false;
    case Scene::Lesson:
        return says && facts.width >= kRoomForLesson;
    case Scene::Experiment:
        return says && facts.width >= kRoomForBoth;
    case Scene::Recording:
    case Scene::Foreign:
        break;
    }
    return says;
}

} // namespace

bool standsByItself(Part part, Scene scene, const PanelFacts& facts) {
    return part == Part::Form    ? formStands(scene, facts)
           : part == Part::Right ? rightStands(scene, facts)
                                 : true;
}

void PanelChoices::choose(Part part, Scene scene, bool on, bool byItself) {
    if (on == byItself)
        m_chosen.erase({part, sceneFor(part, scene)});
    else
        m_chosen[{part, sceneFor(part, scene)}] = on;
}

std::optional<bool> PanelChoices::chosen(Part part, Scene scene) const {
    const auto found = m_chosen.find({part, sceneFor(part, scene)});
    return found == m_chosen.end() ? std::nullopt : std::optional(found->second);
}

QByteArray PanelChoices::toJson() const {
    QJsonObject all;
    for (const auto& [where, on] : m_chosen)
        all[keyOf(where.first, where.second)] = on;
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

PanelChoices PanelChoices::fromJson(const QByteArray& json) {
    const QJsonObject all = QJsonDocument::fromJson(json).object();
    PanelChoices read;
    for (const Part part : {Part::Form, Part::Right, Part::Pages})
        for (std::size_t scene = 0; scene < std::size(kScenes); ++scene)
            if (const QJsonValue on = all[keyOf(part, static_cast<Scene>(scene))]; on.isBool())
                read.m_chosen[{part, static_cast<Scene>(scene)}] = on.toBool();
    return read;
}

namespace {

constexpr int kLow = 560; // of the window, in usual type: the lanes need the room

} // namespace

SceneWatch::SceneWatch(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    const auto again = [this] { refresh(); };
    connect(&parts.centre, &QStackedWidget::currentChanged, this, again);
    connect(&parts.runs, &Runs::shownChanged, this, [this] {
        m_inspects = false;
        refresh();
    });
    connect(&parts.timeline.canvas(), &TimelineCanvas::selectionChanged, this, &SceneWatch::inspect);
    const QAbstractItemModel* rows = parts.runs.model();
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
    m_parts.layout.setScene(now(), {static_cast<int>(window.width() / scale), m_parts.runs.count(),
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
