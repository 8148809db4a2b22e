// The rows of the view from top to bottom, in logical pixels, without scrolling: group headings, the ribbon,
// one row per lane.
#pragma once

#include "timeline/rows/row_groups.h"

#include <olab/ui/row_choices.h>
#include <olab/ui/theme.h>
#include <olab/view/timeline_index.h>

#include <QString>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace olab::ui {

struct Row {
    static constexpr int kInset = 3; ///< above its first strip
    static constexpr int kGap = 5;   ///< of a lane's row, that no strip uses
    enum class Kind : std::uint8_t { Group, Ribbon, Lane } kind{};
    int top = 0, height = 0;
    QString name;  ///< as in RowChoices; of headings that of the group
    QString group; ///< empty: the heading of the pinned rows
    std::uint8_t device = 0;
    const Lane* lane = nullptr;
    const view::ValueSeries* values = nullptr; ///< lanes that show a value; null: it is being found out
    int stripHeight = 0;                       ///< lanes: of one sub-lane
    int plainHeight = 0; ///< lanes: what stripHeight is by default, before rows grow to fill the view
    QString label;
    bool pinned = false;  ///< stays where it is while the others scroll
    bool folded = false;  ///< headings
    bool beneath = false; ///< belongs to the row above it: a channel, what a host thread did beside calls
    bool canOpen = false; ///< engines with several channels
    bool isOpen = false;
    int bottom() const { return top + height; }
    QString help() const; ///< what it shows
};

struct RowLayout {
    std::vector<Row> rows;
    int height = 0;
    int pinnedHeight = 0;                   ///< at the top, of the rows that do not scroll
    int growth = 100;                       ///< per cent, of lanes whose height nobody chose
    int hidden = 0;                         ///< lanes
    std::map<QString, QStringList> natural; ///< rows of groups, and groups, as they are by default
    std::vector<std::uint32_t> rowOf;       ///< by lane of the index; kNoNumber: it has none

    /// Lanes grow, within reason, to fill `height` logical pixels.
    static RowLayout of(const DrawnRows& lanes, const std::set<QString>& folded, int height) {
        RowChoices choices;
        choices.folded = folded;
        return chosen(lanes, choices, height);
    }
    static RowLayout chosen(const DrawnRows& lanes, const RowChoices& choices, int height,
                            const ViewStyle& style = {}, int nested = 0);
    /// `nested`: so many pixels may the nested ranges of one thread take to be readable; 0: they are as low
    /// as they can be seen. Lanes grow so much and no more: rows stay where they are while one of them is
    /// made taller.
    static RowLayout withGrowth(const DrawnRows& lanes, const RowChoices& choices, int height, int growth,
                                const ViewStyle& style = {}, int nested = 0);
    /// Null below the last row.
    const Row* at(int y) const;
    /// Where a row is on a screen that is scrolled, and which row is there.
    int screenTop(const Row& row, int scroll) const { return row.pinned ? row.top : row.top - scroll; }
    const Row* onScreen(int y, int scroll) const { return at(y < pinnedHeight ? y : y + scroll); }
    /// Those of which anything is to be seen; the pinned ones last, which cover the others.
    std::vector<const Row*> inView(int scroll, int screenHeight) const;
    const Row* of(LaneId lane) const;
    /// How far to scroll for the first group of "engines", "streams" or "host"; nothing: there is none.
    std::optional<int> scrollTo(std::string_view groups) const;
};

} // namespace olab::ui
