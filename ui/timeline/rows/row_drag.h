// A row or a group that is being dragged by its name, or a row by its lower edge.
#pragma once

#include <QString>

#include <optional>

namespace olab::ui {

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

} // namespace olab::ui
