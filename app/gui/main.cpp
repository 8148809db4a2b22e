// overlap-lab: the window. Links no CUDA: experiments on a GPU run in children (`olab engine`).
#include "picture_start.h"
#include "startup.h"

#include <olab/run/child_backend.h>
#include <olab/run/programs.h>
#include <olab/run/runner.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/temporary_folder.h>
#include <olab/trace/visible_text.h>
#include <olab/ui/frame_probe.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace {

bool given(int argc, char** argv, std::initializer_list<std::string_view> options) {
    for (int i = 1; i < argc; ++i)
        for (const std::string_view option : options)
            if (std::string_view(argv[i]).starts_with(option))
                return true;
    return false;
}

// Qt would abort. What needs no screen works without one; the window says what to do.
bool findsADisplay(int argc, char** argv) {
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || given(argc, argv, {"-platform", "--platform"}))
        return true;
    if (!qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        return true;
    if (given(argc, argv, {"--screenshot", "--picture", "--time-runs", "--help", "-h", "--version", "-v"}))
        return qputenv("QT_QPA_PLATFORM", "offscreen");
    std::fprintf(stderr,
                 "overlap-lab: There is no display (DISPLAY and WAYLAND_DISPLAY are empty). Start it in a "
                 "desktop session, or write a picture with --screenshot OUT.png; olab needs no display.\n");
    return false;
}

/// Where a session has no folder for its programs, Qt makes one beside the temporary files and leaves it
/// there. A picture has one of its own meanwhile.
std::unique_ptr<olab::TemporaryFolder> ownRuntimeFolder(int argc, char** argv) {
    if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR") || !given(argc, argv, {"--picture", "--screenshot"}))
        return nullptr;
    try {
        auto folder = std::make_unique<olab::TemporaryFolder>();
        qputenv("XDG_RUNTIME_DIR", folder->path().c_str());
        return folder;
    } catch (const olab::Error&) { // nothing can be written there, so Qt leaves nothing either
        return nullptr;
    }
}

/// A display that is named but does not answer: Qt says so in its own words and aborts.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext&, const QString& text) {
    std::fprintf(stderr, "%s\n", olab::visibleLines(text.toStdString()).c_str());
    if (type != QtFatalMsg)
        return;
    std::fprintf(
        stderr,
        "overlap-lab: No window can be opened (DISPLAY is '%s', WAYLAND_DISPLAY is '%s'). Start it in a "
        "desktop session, or write a picture with QT_QPA_PLATFORM=offscreen and --screenshot OUT.png; "
        "olab needs no display.\n",
        olab::visibleText(qgetenv("DISPLAY").toStdString()).c_str(),
        olab::visibleText(qgetenv("WAYLAND_DISPLAY").toStdString()).c_str());
    std::_Exit(static_cast<int>(olab::ErrorKind::Usage));
}

QtMessageHandler g_usualMessages = nullptr;

/// Qt's offscreen platform says this of every window with a smallest size; it is of no use to anybody.
void withoutSizeHints(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (!text.startsWith(QLatin1String("This plugin does not support propagateSizeHints")))
        g_usualMessages(type, context, QString::fromStdString(olab::visibleLines(text.toStdString())));
}

void say(const olab::run::RunnerError& error) {
    std::fprintf(stderr, "overlap-lab: %s %s\n", olab::visibleText(error.message).c_str(),
                 olab::visibleText(error.hint).c_str());
}

} // namespace

int main(int argc, char** argv) {
    olab::run::keepStandardFiles();
    if (!findsADisplay(argc, argv))
        return static_cast<int>(olab::ErrorKind::Usage);
    olab::run::useLastWords(say);
    std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes (ulimit -f) is a full disk: a save says so
    olab::gui::useBundledFonts();
    g_usualMessages = qInstallMessageHandler(endWithoutDisplay);
    const auto runtimeFolder = ownRuntimeFolder(argc, argv); // outlives Qt
    olab::ui::ProbedApplication application(argc, argv);
    application.probe().setLog(olab::ui::frameLogFor(qEnvironmentVariable("OLAB_FRAME_LOG")));
    std::setlocale(LC_NUMERIC, "C"); // Qt took the person's: no library may write "32,1" into what we make
    qInstallMessageHandler(withoutSizeHints);
    QApplication::setApplicationName(QStringLiteral("overlap-lab"));
    QApplication::setOrganizationName(QStringLiteral("overlap-lab"));
    QApplication::setApplicationDisplayName(QStringLiteral("Overlap Lab"));
    QApplication::setApplicationVersion(QStringLiteral(OLAB_VERSION));
    try {
        const olab::gui::StartOptions options = olab::gui::readStartOptions(argc, argv);
        if (!options.picture.isEmpty())
            return olab::gui::makePicture(options);
        const bool forPicture = !options.screenshot.isEmpty() || options.timedRuns > 0;
        if (!forPicture) // pictures and what a terminal reads are English, wherever they are made
            olab::gui::useTranslations(application);
        olab::ui::Session session(
            {[] { return std::make_unique<olab::sim::SimBackend>(); }, olab::run::findOlab()});
        // A picture is made of a window in its first state, and leaves no trace in anybody's settings.
        olab::ui::MainWindow window(session, {.remember = !forPicture,
                                              .askBeforeClose = !forPicture,
                                              .keepToScreen = !forPicture,
                                              .recordings = olab::gui::recordingsFolder(),
                                              .runMemory = options.runMemory});
        olab::gui::Startup startup(options, session, window);
        startup.begin();
        return QApplication::exec();
    } catch (...) { // no memory left, or a fault of ours: 70, not a signal
        return olab::run::reportCurrentError(say);
    }
}
