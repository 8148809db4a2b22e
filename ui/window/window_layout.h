// How the parts of the window share its room, which of them are seen, and how it looks: theme, and large type
// for a projector. GUI thread.
#pragma once

#include "window/panel_rules.h"

#include <olab/ui/choices.h>

#include <QObject>

#include <array>
#include <optional>

class QAction;
class QBoxLayout;
class QMenu;
class QSettings;
class QSplitter;
class QWidget;

namespace olab::ui {

class Rail;
struct WindowParts;

class WindowLayout final : public QObject {
    Q_OBJECT
public:
    explicit WindowLayout(const WindowParts& parts);
    /// Built from the inside to the outside; `timeline` and pages.
    QWidget* makeMiddle(QWidget& timeline);
    void makeRight(QWidget& inspector, QWidget& runs);
    /// `middle`: all between the form and the right. Needs the actions from here on.
    QWidget* makeColumns(QWidget& middle);
    /// At its left, once all actions that lead to a room are there.
    void addRail(QBoxLayout& row);
    void addThemeActions(QMenu& menu);
    void addPartActions(QMenu& menu);

    /// What is in the middle of the window: panels fold where they have nothing to say, and come back.
    void setScene(Scene scene, const PanelFacts& facts);
    /// For now: nobody has chosen it.
    void show(Part part, bool wanted);
    /// As it is in this scene by itself, or by choice.
    void settle();
    /// It has nothing to say here, or no room; nobody has put it away.
    bool isFolded(Part part) const;
    /// The timeline without panels, pages and the lines above it, and back to how they were.
    void setAlone(bool on);
    bool alone() const { return m_isAlone; }
    /// Also where a projector has put them away.
    void showPages();
    /// Made to be looked at: they get this height, up to half of what there is.
    void givePages(int wanted);
    /// The height that they were given, unless a person has moved the edge since.
    void takeBackPages();
    /// Not larger than its screen.
    void keepToScreen();

    /// For now; what store() writes stays.
    void setTheme(ThemeChoice choice);
    /// Type of 18 pt or more, thick lines and high contrast, and the form out of the way.
    void setProjector(bool on);
    bool projector() const { return m_isForProjector; }

    void restore(const QSettings& settings);
    void store(QSettings& settings) const;

signals:
    void changed();        ///< something that store() writes
    void timelineWanted(); ///< it is to be seen, alone

private:
    QWidget& widgetOf(Part part) const;
    QAction*& actionOf(Part part) { return m_partActions[static_cast<std::size_t>(part)]; }
    void set(Part part, bool on);
    void toggled(Part part, bool on);
    bool wanted(Part part) const;
    void giveReadingRoom();
    void shareLargeRoom(Part part, bool on);
    void keepWidths();
    void widen(Part part);
    void shareRoom();
    void sharePages();
    void showRail();
    const WindowParts& m_parts;
    QSplitter *m_columns = nullptr, *m_middle = nullptr, *m_right = nullptr;
    std::array<QAction*, 3> m_partActions{}, m_themeActions{};
    QAction *m_projectorAction = nullptr, *m_aloneAction = nullptr;
    QWidget *m_inspectorBox = nullptr, *m_runsBox = nullptr;
    Rail* m_rail = nullptr; ///< there is none yet
    Scene m_scene = Scene::Gallery;
    PanelFacts m_facts;
    PanelChoices m_choices;
    std::array<bool, 3> m_byItself{true, true, true}; ///< by part: what the scene said last
    std::array<bool, 3> m_beforeAlone{};
    std::array<int, 3> m_widths{}; ///< of the columns at a desk, when they were seen last; 0: never
    bool m_isAlone = false;
    ThemeChoice m_theme = ThemeChoice::System, m_chosenTheme = ThemeChoice::System; ///< seen; by a person
    bool m_isForProjector = false;
    std::optional<bool> m_rightBeforeReading; ///< for a projector
    bool m_rightMadeRoom = false;             ///< for the form, in large type
    QByteArray m_beforeGiving; ///< of the splitter of timeline and pages; empty: they were given nothing
    QByteArray m_deskColumns;  ///< of the splitter, while it is for a projector
};

} // namespace olab::ui
