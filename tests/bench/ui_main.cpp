// olab_bench_ui [largest count [smallest count]] | --write FILE COUNT: frames of the timeline at 10^4
// activities and up, on 16 lanes, 1920x1080, painted by software into an image and, where there is an X
// server, presented by it; beside them painters that draw each activity.
#include "bench.h"
#include "frames.h"
#include "lanes_recording.h"
#include "loaded.h"
#include "ui_frames.h"
#include "ui_widget.h"
#include "ui_window.h"

#include <olab/trace/container.h>

#include <QApplication>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace olab;
using namespace olab::bench;

constexpr std::size_t kDefaultLargest = 10'000'000;
constexpr std::size_t kMostAnalysed = 10'000'000;

/// What a step holds at its peak: with its analysis and the window, or only what is drawn.
std::size_t bytesFor(std::size_t count) {
    return count * (count > kMostAnalysed ? 80 : 210);
}

/// The whole program: start, demo, picture, end.
void benchStart() {
    const QString program = QApplication::applicationDirPath() + QStringLiteral("/overlap-lab");
    if (!QFileInfo::exists(program))
        return;
    const QTemporaryDir folder;
    printFrameHeading();
    printFrames("overlap-lab --demo to its picture", 0, timeEach(7, [&](std::size_t) {
                    QProcess process;
                    process.setStandardOutputFile(QProcess::nullDevice());
                    process.setStandardErrorFile(QProcess::nullDevice());
                    process.start(program, {QStringLiteral("--demo"), QStringLiteral("--screenshot"),
                                            folder.filePath(QStringLiteral("demo.png"))});
                    process.waitForFinished();
                }));
}

void benchCount(std::size_t count) {
    Loaded loaded;
    load(loaded, count);
    benchFrames(loaded);
    benchOverlap(loaded);
    if (count > kMostAnalysed)
        return;
    const view::ViewDataPtr shown = analysed(std::move(loaded));
    benchWidget(shown);
    benchWindow(shown);
}

/// The recording that is measured, to look at: it never ran anywhere and says so.
int writeRecording(const char* path, std::size_t count) {
    ContainerWriter file(path);
    RecordWriter writer(file);
    giveSixteenLanes(writer, count);
    writer.flush();
    file.finish();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--write")
        return writeRecording(argv[2], std::strtoull(argv[3], nullptr, 10));
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", qEnvironmentVariableIsSet("DISPLAY") ? "xcb" : "offscreen");
    QApplication application(argc, argv);
    const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kDefaultLargest;
    const std::size_t smallest = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
    printMachine();
    benchStart();
    for (std::size_t count = smallest; count <= largest; count *= 10) {
        if (bytesFor(count) > availableMemory()) {
            std::printf("%zu activities: not enough free memory\n", count);
            break;
        }
        benchCount(count);
    }
    return 0;
}
