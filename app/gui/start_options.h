// What the command line of the window asks for, and its environment.
#pragma once

#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/theme.h>

#include <QSize>
#include <QString>

#include <optional>
#include <utility>

namespace olab::gui {

enum class StartBackend : std::uint8_t { Auto, Cuda, Sim };

struct StartOptions {
    QStringList files; ///< and folders
    QString preset, screenshot, page, picture;
    QString against; ///< of a picture: the run that `file` is compared with
    QSize size;
    std::optional<std::pair<qint64, qint64>> zoom; ///< ns from the first device work
    /// Of a picture: ns from the first device work; an open end stays open.
    std::pair<std::optional<qint64>, std::optional<qint64>> part;
    ui::PictureShape shape = ui::PictureShape::Tall; ///< of a picture, and its width
    int width = 0;
    std::optional<quint32> select;
    std::optional<ui::ThemeChoice> theme;
    std::optional<view::ColourBy> colourBy; ///< also of a picture
    StartBackend backend = StartBackend::Auto;
    bool projector = false;                   ///< also of a picture
    int timedRuns = 0;                        ///< of the program itself; not for people
    bool timeChanges = false;                 ///< each of them is of another experiment
    std::uint64_t runMemory = ui::kRunMemory; ///< OLAB_RUN_MEMORY
    bool demo = false, run = false, exitAfterScreenshot = true;
};

/// Answers --help and --version itself. @throws Error kind Usage for a wrong option, value or variable.
/// `words` as main() has them, without those that were Qt's.
StartOptions readStartOptions(int count, const char* const* words);

} // namespace olab::gui
