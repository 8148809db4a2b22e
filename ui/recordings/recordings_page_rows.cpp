// What comes into the page of recordings, and what is said of it.
#include "recordings/recordings_page.h"

#include "base/elided_label.h"
#include "base/plain_text.h"

#include <olab/io/formats.h>
#include <olab/survey/survey_words.h>
#include <olab/trace/error.h>
#include <olab/trace/output_file.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <set>

namespace olab::ui {

namespace {

namespace fs = std::filesystem;

constexpr int kSoonMs = 60, kLatestMs = 3000; // between batches of rows
constexpr int kStandingMs = 1000;             // between counts of outliers while rows come
constexpr std::size_t kMostGroups = 300;      // of the choice

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

bool isColumnOfNumbers(const RecordingsRows& all, std::size_t column) {
    constexpr std::size_t kLooked = 100;
    const auto looked = std::span(all.rows).first(std::min(kLooked, all.rows.size()));
    return std::ranges::any_of(looked,
                               [&](const survey::Row& row) { return row.number(column).has_value(); });
}

/// "*.olab *.sqlite *.json"
QString patternsText() {
    QStringList patterns;
    for (const io::Importer& row : io::importers())
        patterns << fromText(row.pattern);
    return patterns.join(QLatin1Char(' '));
}

QString groupText(const survey::Group& group) {
    const QString program = cutText(fromText(group.program), kLongestLine);
    return (group.machine.empty() ? program
                                  : RecordingsPage::tr("%1 on %2").arg(program, fromText(group.machine))) +
           RecordingsPage::tr(" (%1)").arg(countText(group.rows.size()));
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
    m_model->setStanding(std::move(standing));
    m_chart->refresh();
    showStanding();
}

void RecordingsPage::rowChosen() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return m_chart->mark({});
    const std::size_t number = m_model->numberAt(current.row());
    m_chart->mark(number);
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
    m_model->setColumns(std::move(columns));
    m_table->horizontalHeader()->setSortIndicator(m_model->sortColumn(), Qt::DescendingOrder);
    m_wish.column = 0;
    arrangeColumns();
    m_chart->refresh();
    if (!m_isComplete)
        return read(m_places);
    if (added.empty())
        return stand();
    m_isFilling = true;
    m_isComplete = false;
    m_reader->readAgain(m_files, added);
    showState();
}

// --- what is said

QString RecordingsPage::placesText() const {
    return m_places.size() == 1 ? shownText(nameOf(m_places.front()))
                                : counted("%n files and folders", "%n file", m_places.size());
}

void RecordingsPage::say(const QString& text) {
    m_said->setText(text);
}

void RecordingsPage::showTitle() {
    const std::size_t rows = m_model->all()->rows.size();
    QStringList facts{counted("%n recordings", "%n recording", rows - m_model->problems())};
    for (const auto& [source, count] : m_model->sources())
        facts << tr("%1 %2").arg(countText(count), originText(source));
    if (m_model->problems() > 0)
        facts << tr("%1 not judged").arg(countText(m_model->problems()));
    if (!m_model->standing().ofRow.empty())
        facts << counted("%n outliers", "%n outlier", m_model->standing().ofRow.size());
    m_title->setText(tr("%1: %2").arg(placesText(), facts.join(QStringLiteral(", "))));
}

void RecordingsPage::showOnly() {
    const std::size_t outliers = m_model->standing().ofRow.size();
    const std::size_t problems = std::ranges::count_if(m_model->all()->rows, [](const survey::Row& row) {
        return !row.problem.empty() || !row.loss.empty();
    });
    const QStringList texts{tr("All rows"), tr("Outliers (%1)").arg(countText(outliers)),
                            tr("Not judged or not whole (%1)").arg(countText(problems))};
    for (int i = 0; i < texts.size(); ++i)
        i < m_only->count() ? m_only->setItemText(i, texts[i]) : m_only->addItem(texts[i]);
    m_table->setColumnHidden(RecordingsModel::Note, outliers + problems == 0);
}

void RecordingsPage::showGroups() {
    const RecordingsStanding& standing = m_model->standing();
    std::vector<std::pair<std::string, std::string>> names;
    m_groups->clear();
    for (const survey::Group& group :
         std::span(standing.groups).first(std::min(kMostGroups, standing.groups.size()))) {
        names.emplace_back(group.program, group.machine);
        m_groups->addItem(groupText(group));
    }
    if (standing.group >= names.size() && standing.group < standing.groups.size()) {
        const survey::Group& shown = standing.groups[standing.group];
        names.emplace_back(shown.program, shown.machine);
        m_groups->addItem(groupText(shown));
        m_groups->setCurrentIndex(m_groups->count() - 1);
    } else {
        m_groups->setCurrentIndex(static_cast<int>(standing.group));
    }
    m_groupNames = std::move(names);
    m_groups->setEnabled(m_groups->count() > 1);
}

void RecordingsPage::showNumbers() {
    m_numberColumns.clear();
    m_numbers->clear();
    for (std::size_t i = 0; i < m_model->all()->columns.size(); ++i)
        if (isColumnOfNumbers(*m_model->all(), i)) {
            m_numberColumns.push_back(i);
            m_numbers->addItem(recordingsHead(m_model->all()->columns[i]));
        }
    const auto at = std::ranges::find(m_numberColumns, m_model->standing().column);
    m_numbers->setCurrentIndex(at == m_numberColumns.end() ? -1
                                                           : static_cast<int>(at - m_numberColumns.begin()));
    m_numbers->setEnabled(!m_numberColumns.empty());
}

void RecordingsPage::showHistoryWords() {
    const RecordingsStanding& standing = m_model->standing();
    if (!standing.history || standing.column >= m_model->all()->columns.size())
        return m_words->setText(m_chart->points() > 0 && !m_chart->isByDate()
                                    ? tr("Without dates nothing is said of a change.")
                                    : QString());
    const survey::History& history = *standing.history;
    const survey::Column& column = m_model->all()->columns[standing.column];
    QString text =
        tr("%1 from %2 to %3: median %4 (%5 to %6)")
            .arg(counted("%n recordings", "%n recording", history.rows.size()), timeText(history.first),
                 timeText(history.last), surveyNumber(column, history.median),
                 surveyNumber(column, history.lowest), surveyNumber(column, history.highest));
    const std::string change = survey::changeText(history, column);
    m_words->setText(text + QStringLiteral("; ") +
                     (change.empty() ? tr("too few to tell a change from chance") : sentence(change)));
}

void RecordingsPage::showState() {
    const bool runs = isRunning();
    const std::size_t done = m_model->all()->rows.size();
    m_bar->setVisible(runs);
    m_bar->setRange(0, m_files.empty() ? 0 : static_cast<int>(m_files.size()));
    m_bar->setValue(static_cast<int>(done));
    m_again->setText(runs ? tr("Stop") : tr("Read again"));
    m_again->setEnabled(!m_places.empty());
    const QStringList chosen = selectedFiles();
    m_open->setEnabled(!chosen.isEmpty());
    m_open->setText(chosen.size() > 1 ? tr("Open %1").arg(chosen.size()) : tr("Open"));
    m_asOne->setEnabled(chosen.size() > 1);
    m_save->setEnabled(done > 0);
    m_columns->setEnabled(done > 0);
    if (m_isFilling)
        m_said->setText(tr("Reading the numbers of the new columns..."));
    else if (runs)
        m_said->setText(m_files.empty()
                            ? tr("Looking for recordings...")
                            : tr("%1 of %2 judged").arg(countText(done), countText(m_files.size())));
    else if (!m_problem.isEmpty())
        m_said->setText(
            m_files.empty()
                ? m_problem
                : tr("%1 %2 of %3 judged.").arg(m_problem, countText(done), countText(m_files.size())));
    else if (m_files.empty() && !m_places.empty())
        m_said->setText(
            tr("There is no recording and no trace here. Files with these names are looked for: %1")
                .arg(patternsText()));
    else if (m_model->rowCount() < static_cast<int>(done))
        m_said->setText(
            tr("%1 of %2 rows")
                .arg(countText(static_cast<std::uint64_t>(m_model->rowCount())), countText(done)));
    else
        m_said->setText(m_isPart
                            ? tr("The folder has more entries than were looked at: files may be missing.")
                            : tr("Enter opens a recording; a heading sorts."));
    showTitle();
}

/// Rows stand to each other in another way.
void RecordingsPage::showStanding() {
    showOnly();
    showGroups();
    showNumbers();
    showHistoryWords();
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
        m_wishes.open(files);
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
