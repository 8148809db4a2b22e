// How a window is started.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>

namespace olab::ui {

inline constexpr std::uint64_t kRunMemory = std::uint64_t{256} << 20;

struct WindowOptions {
    bool remember = true;       ///< window, splitters, theme, experiment, recent files: QSettings
    bool askBeforeClose = true; ///< about unsaved recordings
    bool keepToScreen = true;   ///< not larger than its screen at the start; false: it is for a picture
    QString recordings{};       ///< the folder of those that come with the program; empty: none are here
    std::uint64_t runMemory = kRunMemory; ///< bytes of recordings; runs beyond it are put on disk
    std::filesystem::path runFolder{};    ///< where; empty: the usual place for large temporary files
};

/// Ids of the pages that MainWindow::showPage() can show from the start.
QStringList pagesAtStart();

} // namespace olab::ui
