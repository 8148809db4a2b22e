// What the page of recordings says of its rows, and what can be chosen for the history.
#include "recordings/recordings_page.h"

#include "base/page_parts.h"
#include "base/plain_text.h"

#include <olab/io/formats.h>
#include <olab/survey/standing.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QComboBox>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr std::size_t kMostGroups = 300; // of the choice

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
    const auto& sources = m_model->sources();
    for (const auto& [source, count] : sources)
        facts << (sources.size() == 1 ? tr("all %1").arg(originText(source))
                                      : tr("%1 %2").arg(countText(count), originText(source)));
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
    m_groups->setEnabled(m_groups->count() > 0);
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

/// All is known, and no program ran twice on one machine: nothing has a history.
bool RecordingsPage::isEachOnce() const {
    const auto& groups = m_model->standing().groups; // the largest first
    return m_isComplete && !groups.empty() && groups.front().rows.size() == 1;
}

void RecordingsPage::showHistory() {
    const RecordingsStanding& standing = m_model->standing();
    m_history->setHidden(isEachOnce());
    if (m_chart->points() == 1)
        return m_words->setText(tr("Only one recording of this program on this machine: there is nothing to "
                                   "compare it with."));
    if (!standing.history || standing.column >= m_model->all()->columns.size())
        return m_words->setText(m_chart->points() > 0 && !m_chart->isByDate()
                                    ? tr("%1 without a date: whether they changed with time is not known.")
                                          .arg(counted("%n recordings", "%n recording", m_chart->points()))
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

/// What goes on, else what the current row has to say.
QString RecordingsPage::stateText() const {
    const std::size_t done = m_model->all()->rows.size();
    const QString shown = countText(static_cast<std::uint64_t>(m_model->rowCount()));
    const QString judged = countText(done), all = countText(m_files.size());
    if (m_isFilling && isRunning())
        return tr("Reading the numbers of the new columns...");
    if (isRunning())
        return m_files.empty() ? tr("Looking for recordings...") : tr("%1 of %2 judged").arg(judged, all);
    if (!m_problem.isEmpty())
        return m_files.empty() ? m_problem : tr("%1 %2 of %3 judged.").arg(m_problem, judged, all);
    if (m_files.empty() && !m_places.empty())
        return tr("There is no recording and no trace here.");
    if (const QString text = currentText(); !text.isEmpty())
        return text;
    if (m_model->rowCount() < static_cast<int>(done))
        return tr("%1 of %2 rows").arg(shown, judged);
    return m_isPart       ? tr("The folder has more entries than were looked at: files may be missing.")
           : isEachOnce() ? tr("Enter opens a recording; a heading sorts. Each program is here once: there "
                               "is no history.")
                          : tr("Enter opens a recording; a heading sorts.");
}

QString RecordingsPage::currentText() const {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return {};
    const std::size_t number = m_model->numberAt(current.row());
    const QString note = m_model->wholeNoteOfRow(number);
    return note.isEmpty() ? sentence(m_model->all()->rows[number].headline) : note;
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
    m_said->setText(stateText());
    m_chart->setEmptyText(
        !runs && m_files.empty() && !m_places.empty() && m_problem.isEmpty()
            ? tr("There is no recording and no trace in %1. Files with these names are looked "
                 "for: %2")
                  .arg(placesText(), patternsText())
            : QString());
    showTitle();
}

/// Rows stand to each other in another way.
void RecordingsPage::showStanding() {
    showOnly();
    showGroups();
    showNumbers();
    showHistory();
    showState();
}

} // namespace olab::ui
