// overlap-lab: the window. Links no CUDA: experiments on a GPU run in children (`olab engine`).
#include "bundled_fonts.h"
#include "startup.h"

#include <olab/run/child_backend.h>
#include <olab/sim/sim_backend.h>

#include <QApplication>

#include <cstdio>

namespace {

int fail(const olab::Error& error) {
    std::fprintf(stderr, "overlap-lab: %s %s\n", error.what(), error.hint().c_str());
    return error.exitCode();
}

} // namespace

int main(int argc, char** argv) {
    olab::useBundledFonts();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("overlap-lab"));
    QApplication::setOrganizationName(QStringLiteral("overlap-lab"));
    QApplication::setApplicationDisplayName(QStringLiteral("Overlap Lab"));
    QApplication::setApplicationVersion(QStringLiteral(OLAB_VERSION));
    try {
        const olab::StartOptions options = olab::readStartOptions(application);
        const bool forPicture = !options.screenshot.isEmpty();
        olab::Session session({[] { return std::make_unique<olab::SimBackend>(); }, olab::findOlab()});
        // A picture is made of a window in its first state, and leaves no trace in anybody's settings.
        olab::MainWindow window(session, {.remember = !forPicture, .askBeforeClose = !forPicture});
        olab::Startup startup(options, session, window);
        startup.begin();
        return QApplication::exec();
    } catch (const olab::Error& error) {
        return fail(error);
    }
}
