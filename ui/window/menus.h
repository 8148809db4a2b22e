// The menus of the window, by their ids. GUI thread.
#pragma once

#include <QList>
#include <QObject>

#include <array>
#include <cstdint>

class QAction;
class QMenu;
class QMenuBar;
class QStatusBar;

namespace olab::ui {

class FrameProbe;
struct WindowParts;

enum class MenuId : std::uint8_t { File, Edit, View, Experiment, Learn, Help };

class Menus final : public QObject {
    Q_OBJECT
public:
    explicit Menus(QMenuBar& bar);
    /// Fills them. `parts` must outlive the window's actions.
    void build(const WindowParts& parts);
    QMenu& menu(MenuId id) const { return *m_menus[static_cast<std::size_t>(id)]; }
    /// To the table of recordings and through it; the room lets them be used.
    const QList<QAction*>& tableActions() const { return m_tableActions; }

private:
    void buildFile(const WindowParts& parts);
    void buildRecent(const WindowParts& parts);
    void buildTable(const WindowParts& parts);
    void buildPictures(const WindowParts& parts);
    void buildEdit(const WindowParts& parts);
    void buildExperiment(const WindowParts& parts);
    void addCancel(const WindowParts& parts);
    void buildPresets(const WindowParts& parts);
    void buildView(const WindowParts& parts);
    void buildGhosts(const WindowParts& parts);
    void addFrames(QStatusBar& status, FrameProbe& probe);
    void buildZoom(const WindowParts& parts);
    void buildBookmarks(const WindowParts& parts);
    void buildHelp(const WindowParts& parts);
    std::array<QMenu*, 6> m_menus{};
    QList<QAction*> m_tableActions;
};

} // namespace olab::ui
