// What comes into the page of recordings, and what is said of it.
#include "recordings/recordings_page.h"

#include <olab/trace/error.h>
#include <olab/trace/output_file.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QFileInfo>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <set>

namespace olab::ui {

namespace {

namespace fs = std::filesystem;

constexpr int kSoonMs = 60, kLatestMs = 3000; // between batches of rows
constexpr int kStandingMs = 1000;             // between counts of outliers while rows come

/// The folder that all of these are in.
fs::path folderOfAll(const std::vector<fs::path>& files) {
    if (files.empty())
        return {};
    fs::path folder = files.front().parent_path();
    for (const fs::path& file : files)
        while (!folder.empty() && folder.has_relative_path() &&
               *file.lexically_relative(folder).begin() == "..")
            folder = folder.parent_path();
    return folder;
}

} // namespace

// --- reading

void RecordingsPage::read(std::vector<fs::path> places) {
    m_worker->wait();
    ++m_version;
    m_places = std::move(places);
    m_files.clear();
    m_problem.clear();
    m_isPart = m_isFilling = m_isComplete = m_ends = false;
    m_wish.isChosen = false;
    m_model->begin(m_model->all()->columns);
    m_sinceStanding.start();
    m_reader->read(m_places, m_model->all()->columns);
    m_chart->mark({});
    m_chart->refresh();
    showStanding();
}

void RecordingsPage::stop() {
    m_reader->stop();
}

void RecordingsPage::takeFound(const std::vector<fs::path>& files, bool isPart) {
    if (m_isFilling)
        return;
    m_files = files;
    m_isPart = isPart;
    const bool isFolder = m_places.size() == 1 && (files.size() != 1 || files.front() != m_places.front());
    m_model->setFolder(isFolder ? m_places.front() : folderOfAll(files));
    showState();
}

/// Many at once where they come fast.
void RecordingsPage::takeRows() {
    if (!m_soon->isActive())
        m_soon->start(m_soon->interval() > kSoonMs ? m_soon->interval() : kSoonMs);
}

void RecordingsPage::applyRows() {
    if (m_worker->isBusy()) // it reads the rows; its rest calls again
        return;
    RecordingsReader::Batch batch = m_reader->take();
    if (!batch.empty()) {
        QElapsedTimer took;
        took.start();
        m_isFilling ? m_model->fill(batch) : m_model->append(std::move(batch));
        m_soon->setInterval(std::clamp(static_cast<int>(8 * took.elapsed()), kSoonMs, kLatestMs));
    }
    showState();
    if (m_ends || (isRunning() && !m_isFilling && m_sinceStanding.elapsed() > kStandingMs))
        stand();
}

void RecordingsPage::readEnded(const QString& problem) {
    m_problem = problem;
    m_ends = true;
    m_isComplete = problem.isEmpty();
    m_soon->stop();
    applyRows(); // now, or once the worker rests
}

// --- how rows stand to each other

HistoryWish RecordingsPage::wish() const {
    HistoryWish wish = m_wish;
    wish.column = std::min(wish.column, std::max<std::size_t>(1, m_model->all()->columns.size()) - 1);
    return wish;
}

void RecordingsPage::stand() {
    if (m_ends && std::exchange(m_isFilling, false))
        m_model->endFill();
    const bool isLast = std::exchange(m_ends, false);
    m_worker->ask([this, rows = m_model->all(), wish = wish(), version = m_version, isLast] {
        RecordingsStandingPtr standing = standingOf(*rows, wish);
        return [this, standing = std::move(standing), version, isLast] {
            if (version == m_version)
                takeStanding(standing);
            m_sinceStanding.restart();
            if (isLast && version == m_version)
                emit settled();
        };
    });
}

/// Only the history is another.
void RecordingsPage::followHistory() {
    if (m_model->all()->columns.empty())
        return;
    m_worker->ask(
        [this, rows = m_model->all(), former = m_model->standingPtr(), wish = wish(), version = m_version] {
            RecordingsStandingPtr standing = withHistory(*former, *rows, wish);
            return [this, standing = std::move(standing), version] {
                if (version == m_version)
                    takeStanding(standing);
            };
        });
}

void RecordingsPage::takeStanding(RecordingsStandingPtr standing) {
    keepingCurrent([&] { m_model->setStanding(std::move(standing)); });
    m_chart->refresh();
    showStanding();
}

/// Rows may go and come: the one that was marked stays so where it is there.
void RecordingsPage::keepingCurrent(const std::function<void()>& change) {
    const QModelIndex current = m_table->currentIndex();
    const std::optional<std::size_t> number =
        current.isValid() ? std::optional(m_model->numberAt(current.row())) : std::nullopt;
    change();
    if (!m_table->currentIndex().isValid() && number && m_model->rowOf(*number) >= 0)
        choose(*number);
    showState();
}

void RecordingsPage::rowChosen() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return m_chart->mark({});
    const std::size_t number = m_model->numberAt(current.row());
    m_chart->mark(number);
    showState();
    const survey::Row& row = m_model->all()->rows[number];
    const RecordingsStanding& standing = m_model->standing();
    if (!row.problem.empty() || !row.loss.empty() || standing.groups.empty())
        return;
    const survey::Group& shown = standing.groups[standing.group];
    if (shown.program == row.program && shown.machine == row.machine)
        return;
    m_wish.program = row.program;
    m_wish.machine = row.machine;
    m_wish.isChosen = true;
    followHistory();
}

void RecordingsPage::setColumns(std::vector<survey::Column> columns) {
    if (columns.empty() || columns == m_model->all()->columns)
        return;
    m_worker->wait();
    ++m_version;
    std::vector<survey::Column> added;
    for (const survey::Column& column : columns)
        if (std::ranges::find(m_model->all()->columns, column) == m_model->all()->columns.end())
            added.push_back(column);
    keepingCurrent([&] { m_model->setColumns(std::move(columns)); });
    m_table->horizontalHeader()->setSortIndicator(m_model->sortColumn(), m_model->sortOrder());
    m_wish.column = 0;
    arrangeColumns();
    m_chart->refresh();
    if (!m_isComplete)
        return read(m_places);
    if (added.empty()) {
        m_ends = true; // what is there is all
        return stand();
    }
    m_isFilling = true;
    m_isComplete = false;
    m_reader->readAgain(m_files, added);
    showState();
}

// --- what is chosen

QStringList RecordingsPage::selectedFiles() const {
    std::set<int> rows;
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    QStringList files;
    for (const int row : rows)
        files << nameOf(m_model->rowAt(row).file);
    return files;
}

std::optional<std::size_t> RecordingsPage::rowOfFile(const QString& file) const {
    const auto& rows = m_model->all()->rows;
    const auto at = std::ranges::find(rows, fileOf(file), &survey::Row::file);
    return at == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - rows.begin()));
}

QString RecordingsPage::fileBeside(const QString& file, int step) const {
    const auto number = rowOfFile(file);
    const int row = number ? m_model->rowOf(*number) : -1;
    const int next = row + step;
    return row < 0 || next < 0 || next >= m_model->rowCount() ? QString() : nameOf(m_model->rowAt(next).file);
}

void RecordingsPage::choose(std::size_t number) {
    const int row = m_model->rowOf(number);
    if (row < 0) {
        m_chart->mark(number);
        return say(tr("The filter hides %1.").arg(m_model->nameOfRow(number)));
    }
    m_table->setCurrentIndex(m_model->index(row, RecordingsModel::File));
    m_table->scrollTo(m_table->currentIndex());
}

void RecordingsPage::openSelected() {
    const QStringList files = selectedFiles();
    if (!files.isEmpty())
        emit openRequested(files);
}

void RecordingsPage::write(const QString& path) {
    m_worker->ask([this, path, rows = m_model->all(), listed = m_model->listed()] {
        QString problem;
        try {
            const QString ending = QFileInfo(path).suffix().toLower();
            if (ending != QStringLiteral("csv") && ending != QStringLiteral("jsonl"))
                throw Error(ErrorKind::Usage, "unknown-format",
                            tr("The name %1 does not say what to write.").arg(path).toStdString(),
                            tr("It must end in .csv or .jsonl.").toStdString());
            writeFile(fileOf(path), ending == QStringLiteral("csv")
                                        ? survey::rowsToCsv(rows->columns, listed)
                                        : survey::rowsToJsonLines(rows->columns, listed));
        } catch (const Error& error) {
            problem = sentence(error.what()) + QLatin1Char(' ') + sentence(error.hint());
        }
        return [this, path, problem] { problem.isEmpty() ? emit wrote(path) : emit failed(problem); };
    });
}

} // namespace olab::ui
