// Which panels stand beside the timeline, by what is in the middle of the window and how wide it is; and what
// a person chose instead. Pure.
#pragma once

#include <QByteArray>
#include <QObject>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace olab::ui {

struct WindowParts;

/// Beside and below the timeline; each is a key away.
enum class Part : std::uint8_t { Form, Right, Pages };

/// What is in the middle of the window.
enum class Scene : std::uint8_t {
    Gallery,
    Reading,    ///< claims, the list of lessons: pages of their own
    Lesson,     ///< its panel stands in the place of the form
    Experiment, ///< a run that was made here, or the place for one
    Recording,  ///< a file that says with which settings it was made
    Foreign,    ///< a file that does not
    Live,       ///< what the form says runs over and over, or varied
};

struct PanelFacts {
    int width = 0; ///< of the window, in pixels of usual type
    int runs = 0;
    bool isShown = false;  ///< a run is
    bool inspects = false; ///< something of it was chosen since it is shown

    friend bool operator==(const PanelFacts&, const PanelFacts&) = default;
};

/// Whether a panel has something to say there, and finds room for it.
bool standsByItself(Part part, Scene scene, const PanelFacts& facts);

/// What a person has moved by hand: it wins in that scene until it is what happens by itself.
class PanelChoices {
public:
    void choose(Part part, Scene scene, bool on, bool byItself);
    std::optional<bool> chosen(Part part, Scene scene) const;
    QByteArray toJson() const;
    /// What cannot be read was not chosen.
    static PanelChoices fromJson(const QByteArray& json);
    friend bool operator==(const PanelChoices&, const PanelChoices&) = default;

private:
    std::map<std::pair<Part, Scene>, bool> m_chosen;
};

/// Tells the layout what is in the middle of the window, whenever that changes. GUI thread.
class SceneWatch final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit SceneWatch(const WindowParts& parts);
    void refresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< the window is wider or narrower

private:
    Scene now() const;
    void inspect();
    bool m_inspects = false;
    const WindowParts& m_parts;
};

} // namespace olab::ui
