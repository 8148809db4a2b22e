// How the parts of the window share its room, which of them are seen, and how it looks: theme, and large type
// for a projector. GUI thread.
#pragma once

#include <olab/ui/theme.h>

#include <QObject>

#include <array>

class QAction;
class QMainWindow;
class QMenu;
class QSettings;
class QSplitter;
class QWidget;

namespace olab::ui {

class Summary;

/// Beside and below the timeline; each is a key away.
enum class Part : std::uint8_t { Form, Right, Pages };

class WindowLayout final : public QObject {
    Q_OBJECT
public:
    struct Uses {
        QMainWindow& window;
        Summary& summary;
        QWidget &form, &pages;
    };
    explicit WindowLayout(const Uses& uses);

    /// Built from the inside to the outside; `timeline` and pages.
    QWidget* makeMiddle(QWidget& timeline);
    void makeRight(QWidget& inspector, QWidget& runs);
    /// `middle`: all between the form and the right. Needs the actions from here on.
    QWidget* makeColumns(QWidget& middle);
    void addThemeActions(QMenu& menu);
    void addPartActions(QMenu& menu);

    /// As its key does, unless it is as wanted already.
    void show(Part part, bool wanted);
    /// Also where a projector has put them away.
    void showPages();
    /// Made to be looked at: they get this height, up to half of what there is.
    void givePages(int wanted);
    /// Not larger than its screen.
    void keepToScreen();

    void setTheme(ThemeChoice choice);
    /// Type of 18 pt or more, thick lines and high contrast, and the form out of the way.
    void setProjector(bool on);
    bool projector() const { return m_isForProjector; }

    void restore(const QSettings& settings);
    void store(QSettings& settings) const;

signals:
    void changed(); ///< something that store() writes

private:
    QWidget& widgetOf(Part part) const;
    QAction*& actionOf(Part part) { return m_partActions[static_cast<std::size_t>(part)]; }
    void set(Part part, bool on);
    void toggled(Part part, bool on);
    void shareRoom();
    void sharePages();
    Uses m_uses;
    QSplitter *m_columns = nullptr, *m_middle = nullptr, *m_right = nullptr;
    std::array<QAction*, 3> m_partActions{}, m_themeActions{};
    QAction* m_projectorAction = nullptr;
    ThemeChoice m_theme = ThemeChoice::System;
    bool m_isForProjector = false;
    bool m_rightMadeRoom = false; ///< for the form, in large type
    QByteArray m_deskColumns;     ///< of the splitter, while it is for a projector
};

} // namespace olab::ui
