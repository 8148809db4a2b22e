#include "window/panel_rules.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

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

} // namespace olab::ui
