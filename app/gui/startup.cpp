#include "startup.h"

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/presets.h>
#include <olab/trace/output_file.h>
#include <olab/trace/visible_text.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QTimer>
#include <QTranslator>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace olab::gui {

void useBundledFonts() {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    const fs::path file = self.parent_path().parent_path() / "share/overlap-lab/fonts/fonts.conf";
    if (failed || !fs::exists(file, failed) || std::getenv("FONTCONFIG_PATH"))
        return;
    ::setenv("FONTCONFIG_FILE", file.c_str(), 0);
}

namespace {

/// A text is found whatever class says it: what lupdate takes for its context is not always what Qt asks for.
class OneContext : public QTranslator {
public:
    using QTranslator::QTranslator;
    QString translate(const char*, const char* text, const char* note, int count) const override {
        return QTranslator::translate(ui::kTextContext, text, note, count);
    }
};

template <typename Translator>
bool install(QCoreApplication& application, const QString& name, const QString& folder) {
    auto* const translator = new Translator(&application);
    return translator->load(QLocale::system(), name, QStringLiteral("_"), folder) &&
           QCoreApplication::installTranslator(translator);
}

} // namespace

void useTranslations(QCoreApplication& application) {
    const QString ours =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/overlap-lab/translations");
    if (install<OneContext>(application, QStringLiteral("overlap-lab"),
                            ours)) // never two languages in one window
        install<QTranslator>(application, QStringLiteral("qtbase"),
                             QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

namespace {

constexpr int kPauseMs = 1500; // as a person would look at least: the next child gets ready

} // namespace

RunTimer::RunTimer(int count, bool changing, ui::Session& session, ui::MainWindow& window)
    : m_count(count)
    , m_changing(changing)
    , m_session(session)
    , m_window(window) {
    connect(&session, &ui::Session::progressed, this, [this](double, const QString& what) { step(what); });
    connect(&window, &ui::MainWindow::recordingShown, this, [this] { m_wantsPaint = true; });
    connect(&session, &ui::Session::refined, this,
            [this](const view::ViewDataPtr&, const view::ViewDataPtr& after) {
                if (after->recording->report.toolEffect)
                    complete(QString::number(after->recording->report.toolEffect->ratio(), 'f', 3));
            });
    connect(&session, &ui::Session::notRefined, this,
            [this](const view::ViewDataPtr&, const QString& why) { complete(why); });
    connect(&window, &ui::MainWindow::errorShown, this, [](int code) { QCoreApplication::exit(code); });
    QCoreApplication::instance()->installEventFilter(this);
}

void RunTimer::start() {
    QTimer::singleShot(kPauseMs, this, &RunTimer::next);
}

void RunTimer::next() {
    if (m_number++ == m_count)
        return QCoreApplication::exit(0);
    if (m_changing) {
        experiment::HeldExperiment experiment = m_window.form().experiment();
        experiment::setNumber(experiment, "kernel.us", experiment::optionNumber(experiment, "kernel.us") + 1);
        m_window.form().setExperiment(experiment);
    }
    m_complete = false;
    m_lastStep.clear();
    std::printf("run %d\n", m_number);
    m_clock.start();
    m_window.run();
}

void RunTimer::step(const QString& what) {
    if (what == m_lastStep)
        return;
    m_lastStep = what;
    std::printf("  %7.1f ms  %s\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6, qPrintable(what));
}

bool RunTimer::eventFilter(QObject* watched, QEvent* event) {
    const bool isVerdict = watched->parent() && watched->parent()->inherits("olab::ui::VerdictStrip");
    if (m_wantsPaint && isVerdict && event->type() == QEvent::Paint) {
        m_wantsPaint = false;
        QTimer::singleShot(0, this, &RunTimer::painted); // all that is painted with it is on the screen then
    }
    return false;
}

void RunTimer::painted() {
    std::printf("  %7.1f ms  verdict on the screen\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
    std::fflush(stdout);
    if (m_session.refining())
        return;
    const auto& effect = m_window.shown()->recording->report.toolEffect;
    if (!m_complete)
        complete(effect ? QStringLiteral("%1, %2")
                              .arg(effect->ratio(), 0, 'f', 3)
                              .arg(ui::fromText("measured with " + effect->measuredWith))
                        : QStringLiteral("none is measured"));
}

void RunTimer::complete(const QString& effect) {
    m_complete = true;
    std::printf("  %7.1f ms  tool effect: %s\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e6,
                qPrintable(effect));
    std::fflush(stdout);
    QTimer::singleShot(kPauseMs, this, &RunTimer::next);
}

namespace {

constexpr int kLayoutPasses = 4;
constexpr int kSettleMs =
    600; // layouts and the first paint have happened, and rows without work in view are thin
constexpr auto kDemoFile = "default-h200.olab";

QString demoRecording() {
    const QString folder = recordingsFolder();
    if (folder.isEmpty())
        return {};
    const QFileInfo file{QDir(folder), QLatin1String(kDemoFile)};
    return file.exists() ? QDir::cleanPath(file.absoluteFilePath()) : QString();
}

/// In the format that the name ends in.
void saveImage(const QImage& image, const QString& name) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, QFileInfo(name).suffix().toLatin1().constData()))
        throw Error(ErrorKind::Usage, "unknown-format",
                    "The name " + ui::fileOf(name).string() + " does not say which kind of picture to write.",
                    "It must end in .png.");
    writeFile(ui::fileOf(name), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// One line, whatever the names in it hold.
void say(const QString& text) {
    std::fputs((visibleText(text.toStdString()) + '\n').c_str(), stdout);
    std::fflush(stdout);
}

} // namespace

/// Beside an installation, else in the source tree it was built from.
QString recordingsFolder() {
    const QString beside = QCoreApplication::applicationDirPath();
    for (const QString& folder :
         {beside + QStringLiteral("/../share/overlap-lab/recordings"),
          beside + QStringLiteral("/../resources/recordings"), QStringLiteral(OLAB_RECORDINGS_DIR)})
        if (QFileInfo(folder).isDir())
            return QDir::cleanPath(folder);
    return {};
}

Startup::Startup(StartOptions options, ui::Session& session, ui::MainWindow& window)
    : m_options(std::move(options))
    , m_session(session)
    , m_window(window) {
    connect(&session, &ui::Session::gpuProbed, this, &Startup::gpuKnown);
    connect(&window, &ui::MainWindow::recordingShown, this, [this] {
        showPart();
        if (m_options.files.size() < 2) // else when all are here
            takePicture(0);
    });
    connect(&window, &ui::MainWindow::sweepShown, this, [this] { takePicture(0); });
    connect(&window, &ui::MainWindow::tableShown, this, [this] { takePicture(0); });
    connect(&window, &ui::MainWindow::opened, this, [this] {
        if (m_options.files.size() > 1)
            takePicture(0);
    });
    connect(&window, &ui::MainWindow::errorShown, this, [this](int exitCode) { takePicture(exitCode); });
}

void Startup::begin() {
    if (m_options.theme)
        m_window.setTheme(*m_options.theme);
    if (m_options.size.isValid())
        m_window.resize(m_options.size);
    if (m_options.projector)
        m_window.setProjector(true);
    if (m_options.colourBy)
        m_window.timeline().canvas().setColourBy(*m_options.colourBy);
    if (!m_options.page.isEmpty())
        m_window.showPage(m_options.page);
    if (!m_options.preset.isEmpty()) {
        const experiment::Preset* preset = experiment::findPreset(m_options.preset.toStdString());
        if (!preset)
            throw Error(ErrorKind::Usage, "bad-preset",
                        "There is no preset \"" + m_options.preset.toStdString() + "\".",
                        "olab presets lists them.");
        m_window.form().setExperiment(preset->experiment);
    }
    m_window.show();
    m_session.probeGpu();
    if (!m_options.files.isEmpty() || m_options.backend == StartBackend::Sim)
        startWork(); // needs no GPU: no reason to wait for the answer
}

void Startup::gpuKnown() {
    if (m_session.gpu().usable && m_options.backend != StartBackend::Sim)
        m_session.setBackend(ui::BackendChoice::Gpu);
    if (m_started)
        return;
    if (m_options.backend == StartBackend::Cuda && !m_session.gpu().usable) {
        m_started = true;
        return m_window.showError({ErrorKind::NoDevice, "no-device", "There is no GPU to run on.",
                                   m_session.gpu().why.toStdString()});
    }
    startWork();
}

void Startup::startWork() {
    m_started = true;
    if (!m_options.files.isEmpty())
        return m_window.open(m_options.files);
    if (m_options.timedRuns > 0) {
        m_timer = std::make_unique<RunTimer>(m_options.timedRuns, m_options.timeChanges, m_session, m_window);
        return m_timer->start();
    }
    if (m_options.run)
        return m_window.run();
    if (m_options.demo)
        return demo();
    if (!m_options.screenshot.isEmpty())
        takePicture(0); // of the window as it is
}

void Startup::demo() {
    const QString file = demoRecording();
    const bool onGpu = m_session.backend() == ui::BackendChoice::Gpu;
    if (onGpu || file.isEmpty() || m_options.backend == StartBackend::Sim)
        m_window.run();
    else
        m_window.open(file);
}

/// Of the first recording only: what the person does later is theirs.
void Startup::showPart() {
    ui::TimelineCanvas& canvas = m_window.timeline().canvas();
    const Ns zero = m_window.shown()->zero();
    if (const auto zoom = std::exchange(m_options.zoom, {}))
        canvas.showRange({zero + zoom->first, zero + zoom->second});
    if (const auto select = std::exchange(m_options.select, {});
        select && *select < m_window.shown()->trace().size())
        canvas.select(*select);
}

void Startup::takePicture(int exitCode) {
    if (m_options.screenshot.isEmpty() || m_pictured)
        return;
    m_pictured = true;
    QTimer::singleShot(kSettleMs, this, [this, exitCode] {
        int code = exitCode;
        for (int pass = 0; pass < kLayoutPasses; ++pass) // a layout may ask for another one
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        try {
            saveImage(m_window.grab().toImage(), m_options.screenshot);
        } catch (const Error& error) {
            std::fprintf(stderr, "overlap-lab: %s %s\n", visibleText(error.what()).c_str(),
                         visibleText(error.hint()).c_str());
            code = error.exitCode();
        }
        printVerdicts();
        if (m_options.exitAfterScreenshot)
            QCoreApplication::exit(code);
    });
}

void Startup::printVerdicts() const {
    if (!m_window.shown())
        return;
    const recording::Recording& recording = *m_window.shown()->recording;
    const std::string badge = recording.badge();
    say(ui::fromText(recording.title) +
        (badge.empty() ? QString() : QStringLiteral(" [%1]").arg(ui::fromText(badge))));
    for (const bool minor : {false, true})
        for (const analysis::Verdict& verdict : recording.report.verdicts)
            if (verdict.kind != analysis::VerdictKind::NotApplicable && verdict.minor() == minor)
                say(QStringLiteral("  ") + ui::verdictLine(verdict) +
                    (minor ? QStringLiteral(", under 1 % of the run")
                           : QStringLiteral(". ") + ui::sentence(verdict.text)));
    for (const analysis::Finding& finding : recording.report.findings)
        say(QStringLiteral("  finding %1: %2").arg(ui::fromText(finding.id), ui::sentence(finding.text)));
}

} // namespace olab::gui
