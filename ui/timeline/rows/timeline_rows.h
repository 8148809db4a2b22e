// The rows of a timeline as they are in use: what a person chose of them, how they are laid out in the room
// there is, how far they are scrolled, which one keys work on, and which one is in the hand. The canvas
// paints them and says where the pointer is. Logical pixels; `y` is on the screen. GUI thread.
#pragma once

#include "timeline/rows/row_groups.h"
#include "timeline/rows/row_layout.h"

#include <olab/ui/row_choices.h>
#include <olab/ui/theme.h>

#include <QObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

class QMenu;

namespace olab::view {
class LaneOpener;
} // namespace olab::view

namespace olab::ui {

// A row or a group that is being dragged by its name, or a row by its lower edge.

/// Where it would land.
struct RowDrop {
    QString beside;
    bool after = false;
    int y = 0; ///< on the screen
};

struct RowDrag {
    enum class What : std::uint8_t { Nothing, Place, Height } what{};
    QString name, group; ///< of the row, or of the group and nothing
    bool isGroup = false;
    bool isPinned = false; ///< the copy of the row among the pinned ones
    int growth = 100;      ///< what the layout had at the beginning: else all rows would move below the hand
    std::optional<RowDrop> drop;
};

class TimelineRows final : public QObject {
    Q_OBJECT
public:
    explicit TimelineRows(QObject* parent = nullptr);
    ~TimelineRows() override;

    /// Another recording: from its top. Null: none.
    void setShown(view::ViewDataPtr data);
    /// More is known of the same run: all stays.
    void refine(view::ViewDataPtr data);
    /// How high the screen is, and what type it has.
    void setRoom(int height, const ViewStyle& style);

    /// The part of the run that is in view, once it rests: rows without anything in it become thin while the
    /// others need the room. The one in use, pinned ones and those with a height of their own do not.
    void setSeen(Interval seen);

    /// What is folded, hidden, pinned, moved and resized: stays from one recording to the next.
    const RowChoices& choices() const { return m_choices; }
    void setChoices(RowChoices choices);
    /// As choices(), with the heights of runs that have no file: those of a file stay with it.
    RowChoices keptChoices() const;
    /// Takes back the last change of the choices; false: there is none.
    bool undo();
    const RowLayout& layout() const { return m_layout; }
    /// The lanes that rows can show. There must be a recording.
    const DrawnRows& drawn() const { return *m_drawn; }

    /// The one that keys work on.
    LaneId inUse() const { return m_inUse; }
    /// Its lane; else the first one.
    LaneId laneInUse() const;
    void use(LaneId lane);
    /// Uses it, and brings it into view.
    void choose(LaneId lane);
    /// The next (+1) or previous (-1) one.
    void step(int direction);

    /// Keeps a row at the top, or lets it go.
    void pin(LaneId lane);
    void hide(LaneId lane);
    /// Hidden rows and folded groups, too.
    void showAll();
    /// All of them as by default.
    void reset() { setChoices({}); }
    /// Shows what each channel of an engine did beneath it, once that is found out, or no longer.
    void open(LaneId lane);
    /// Folds or unfolds. What is in lanes of values is found out then.
    void toggleGroup(const QString& group);
    /// Up (-1) or down (+1) among the rows of its group that are seen.
    void move(LaneId lane, int direction);
    void moveGroup(const QString& group, int direction);
    /// Taller (+1), lower (-1), or as by default (0).
    void resize(LaneId lane, int direction);
    void addActions(QMenu& menu, const Row& row);
    void addGroupActions(QMenu& menu, const QString& group);

    int scroll() const { return m_scroll; }
    void setScroll(int y);
    const Row* at(int y) const { return m_layout.onScreen(y, m_scroll); }
    int top(const Row& row) const { return m_layout.screenTop(row, m_scroll); }
    bool isSeen(const Row& row) const; ///< all of it
    std::vector<const Row*> inView() const { return m_layout.inView(m_scroll, m_height); }

    /// The row whose lower edge is at `y`.
    const Row* edgeAt(int y) const;
    /// Pressed among the names: it may become a click.
    void take(int y);
    bool holds() const { return m_drag.what != RowDrag::What::Nothing; }
    bool isSizing() const { return m_drag.what == RowDrag::What::Height; }
    void drag(int y);
    void letGo();
    const std::optional<RowDrop>& drop() const { return m_drag.drop; } ///< where what is dragged would land

signals:
    void changed(); ///< laid out anew, or scrolled
    void inUseChanged();

private:
    RowLayout laidOut() const;
    std::set<QString> emptyIn(Interval seen) const;
    void noteChange();
    void exchangeHeights(const view::ViewDataPtr& next);
    void layOut();
    bool isWanted(const RowGroup& group, const RowItem& item) const;
    void openChosen();
    void addOpened(const view::OpenedLanePtr& opened);
    const Row& headOf(const Row& row) const;
    int endOf(const Row& row) const;
    std::vector<const Row*> besides(const Row& row) const;
    void place(const Row& row, const Row& beside, bool after);
    const Row* held() const;
    std::optional<RowDrop> dropAt(const Row& row, int y) const;

    view::ViewDataPtr m_data;
    std::unique_ptr<DrawnRows> m_drawn; ///< null without a recording
    RowChoices m_choices, m_noted;      ///< the latter: as they were when they were noted last
    std::vector<RowChoices> m_former;   ///< to be taken back, the last one first
    std::set<QString> m_empty;          ///< rows with nothing in view
    std::map<std::filesystem::path, std::map<QString, int>> m_heights; ///< by file; without: of runs
    std::filesystem::path m_heightsOf; ///< whose m_choices has; empty: of runs
    RowLayout m_layout;
    RowDrag m_drag;
    ViewStyle m_style;
    int m_height = 0, m_scroll = 0;
    LaneId m_inUse{kNoNumber};
    std::unique_ptr<view::LaneOpener> m_opener; ///< the last member: its threads call this
};

} // namespace olab::ui
