// How the window comes about: its parts, what joins them, and where they stand.
#pragma once

#include "window/window_parts.h"

namespace olab::ui {

/// All between the menus and the status line, and the menus.
QWidget* arrangeParts(WindowParts& parts);
/// The pages below the timeline, in the order of their tabs (page_table.cpp). `parts` must outlive them.
void addPages(const WindowParts& parts);
/// The rooms and what they add to the menus.
void addRooms(WindowParts& parts);

} // namespace olab::ui
