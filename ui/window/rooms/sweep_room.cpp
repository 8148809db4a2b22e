#include "window/rooms/sweep_room.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/save_name.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/experiment/presets.h>
#include <olab/sweep/sweep_document.h>
#include <olab/sweep/sweep_store.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/window_options.h>

#include <QAction>
#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

std::string titleOfBase(const experiment::Experiment& base) {
    const auto presets = experiment::presets();
    const auto same = std::ranges::find_if(
        presets, [&](const experiment::Preset& preset) { return preset.experiment == base; });
    return same == presets.end() ? SweepRoom::tr("Settings of the form").toStdString() : same->id;
}

/// The same experiment along the same options: more values go on with what is there.
QString folderName(const sweep::Grid& grid) {
    std::string name = sweep::cellDigest(grid.base);
    for (const sweep::Axis& axis : grid.axes)
        name += "-" + axis.name();
    return exactText(name + (grid.keepsPasses ? "" : "-as-given"));
}

QByteArray bytesOf(const std::string& text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

SweepRoom::SweepRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session) {
    QAction* const action =
        addEntry(parts.menus.menu(MenuId::Experiment), tr("S&weep..."), this, [this] { showPage(); });
    action->setObjectName(QStringLiteral("sweep"));
    setTip(*action,
           tr("Varies one option or two of the form: a map, predicted and measured, and where nothing "
              "more is gained"));
    connect(&parts.files, &Files::sweepAsked, this, &SweepRoom::openFolder);
    connect(&m_session, &Session::ready, this, [this] {
        if (std::exchange(m_opensRun, false))
            m_parts.centre.enter(Room::Work);
    });
    connect(&m_parts.panel.form(), &ExperimentForm::edited, this, [this] {
        if (m_page)
            m_page->setup().setBase(m_parts.panel.form().experiment());
    });
}

SweepPage& SweepRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new SweepPage;
    connect(m_page, &SweepPage::startRequested, this, [this] { m_running ? m_session.cancel() : start(); });
    connect(m_page, &SweepPage::openRequested, this, &SweepRoom::chooseFolder);
    connect(m_page, &SweepPage::saveRequested, this, &SweepRoom::save);
    connect(m_page, &SweepPage::backRequested, this, &SweepRoom::back);
    connect(m_page, &SweepPage::cellOpened, this, &SweepRoom::openCell);
    m_page->setup().setBase(m_parts.panel.form().experiment());
    m_parts.centre.add(Room::Sweep, *m_page);
    return *m_page;
}

QString SweepRoom::whereText() const {
    return m_session.backend() == BackendChoice::Gpu
               ? tr("Each cell is predicted, then measured on %1.").arg(m_session.gpu().name)
               : tr("There is no GPU to measure on: every cell is simulated.");
}

void SweepRoom::showPage() {
    page();
    m_parts.layout.show(Part::Form, true);
    m_parts.centre.enter(Room::Sweep);
    if (!m_page->sweep())
        m_page->setState(false, whereText());
    m_page->setup().values(0).setFocus(Qt::OtherFocusReason);
}

void SweepRoom::start() {
    if (!m_parts.jobs.mayStart(tr("run the sweep")))
        return;
    try {
        sweep::Grid grid;
        grid.base = m_parts.panel.form().experiment();
        grid.title = titleOfBase(grid.base);
        grid.axes = m_page->setup().axes();
        sweep::checkGrid(grid);
        m_page->setup().showProblem({});
        begin(grid, folderFor(grid), true);
    } catch (const Error& error) {
        m_page->setup().showProblem(sentence(error.what()) + QLatin1Char(' ') + sentence(error.hint()));
    }
}

void SweepRoom::begin(const sweep::Grid& grid, const std::filesystem::path& folder, bool measures) {
    Wish wish{grid, m_page->setup().repeats(), folder, measures};
    if (m_session.backend() != BackendChoice::Gpu) { // nothing is measured: what was is only shown
        wish.measures = false;
        if (!sweep::SweepStore::isSweep(folder))
            wish.folder.clear();
    }
    if (!m_page->sweep() || m_page->sweep()->grid != grid)
        m_page->begin(grid);
    const auto work = [this, wish, choice = m_session.backendFor(grid.base)](const JobTools& tools,
                                                                             JobResult&) {
        runSweep(wish, choice, tools, [this](const SweepNewsPtr& news) { m_page->take(*news); });
    };
    m_running = m_session.start(*this, {tr("Running the sweep"), work, false,
                                        [this](double, const QString& what) { m_page->say(what); },
                                        [this](JobEnd, const QString&) { ended(); }});
    m_page->setState(m_running, whereText());
}

std::filesystem::path SweepRoom::folderFor(const sweep::Grid& grid) {
    const bool isOpened =
        !m_opened.empty() && m_openedGrid.base == grid.base && folderName(m_openedGrid) == folderName(grid);
    if (isOpened)
        return m_opened;
    if (m_parts.options.remember)
        return fileOf(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                      QStringLiteral("/sweeps/") + folderName(grid));
    if (!m_temporary)
        m_temporary = std::make_unique<TemporaryFolder>(
            m_parts.options.runFolder.empty() ? TemporaryFolder::parentOnDisk() : m_parts.options.runFolder);
    return m_temporary->path() / fileOf(folderName(grid));
}

void SweepRoom::ended() {
    m_running = false;
    m_page->setState(false, {});
    if (std::exchange(m_opening, false))
        emit shown();
}

void SweepRoom::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(
        &m_parts.window, tr("Open the folder of a sweep"), m_parts.files.lastFolder());
    if (!folder.isEmpty())
        openFolder(folder);
}

void SweepRoom::openFolder(const QString& folder) {
    if (m_session.busy())
        return m_parts.messages.busy(tr("open the sweep"));
    try {
        const sweep::StoredGrid stored = sweep::SweepStore::gridOf(fileOf(folder));
        m_parts.panel.form().setExperiment(stored.grid.base);
        showPage();
        m_page->setup().setAxes(stored.grid.axes, stored.repeats);
        m_opened = fileOf(folder);
        m_openedGrid = stored.grid;
        m_opening = true;
        begin(stored.grid, m_opened, false);
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

/// What was measured is opened; what was only predicted runs now, where runs are made.
void SweepRoom::openCell(std::size_t number) {
    const sweep::Cell& cell = m_page->sweep()->cells[number];
    if (!cell.impossible.empty())
        return m_page->say(sentence(cell.impossible));
    if (m_session.busy())
        return m_parts.messages.busy(tr("open the run"));
    m_opensRun = true;
    if (!cell.file.empty())
        return m_parts.files.open(nameOf(cell.file));
    m_parts.panel.form().setExperiment(sweep::experimentOf(m_page->sweep()->grid, number));
    m_parts.jobs.run();
}

QByteArray SweepRoom::fileOfSweep(const QString& path) const {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QStringLiteral("csv"))
        return bytesOf(sweep::sweepToCsv(*m_page->sweep()));
    if (ending == QStringLiteral("json"))
        return bytesOf(sweep::sweepToJson(*m_page->sweep()));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (ending != QStringLiteral("png") || !m_page->picture().save(&buffer, "PNG"))
        throw Error(ErrorKind::Usage, "unknown-format",
                    tr("The name %1 does not say what to write.").arg(path).toStdString(),
                    tr("It must end in .csv, .json or .png.").toStdString());
    return bytes;
}

void SweepRoom::save() {
    saveFileAs(
        m_parts.window,
        {tr("Export the sweep"), QStringLiteral("sweep.csv"),
         tr("CSV (*.csv);;JSON (*.json);;PNG picture (*.png)")},
        [this](const QString& path) { return fileOfSweep(path); }, m_parts.messages);
}

void SweepRoom::back() {
    if (m_running)
        m_session.cancel();
    m_parts.gallery.leaveTo();
}

} // namespace olab::ui
