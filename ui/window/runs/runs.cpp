#include "window/runs/runs.h"

#include "base/look_style.h"
#include "base/plain_text.h"
#include "results/verdict_strip.h"
#include "window/messages/messages.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/window_options.h>

#include <QItemSelectionModel>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

constexpr QSize kRowPicture(84, 34);
constexpr std::size_t kMostRemoved = 10; ///< that can be brought back

/// "2 overlapped, 1 serialized".
QString summary(const analysis::Report& report) {
    std::array<int, analysis::kVerdictKinds> counts{};
    int minor = 0;
    for (const analysis::Verdict* verdict : comparison::shownVerdicts(report))
        ++(verdict->minor() ? minor : counts[static_cast<std::size_t>(verdict->kind)]);
    QStringList parts;
    for (std::size_t kind = 0; kind < counts.size(); ++kind)
        if (counts[kind] > 0)
            parts << QStringLiteral("%1 %2")
                         .arg(counts[kind])
                         .arg(verdictWord(static_cast<analysis::VerdictKind>(kind)));
    if (minor > 0)
        parts << tr("%1 under 1 % of the run").arg(minor);
    return parts.join(QStringLiteral(", "));
}

/// "h2d.memory=pageable, streams=2, simulated"
QString settingsOf(const experiment::Experiment& experiment, SourceKind source) {
    constexpr qsizetype kMost = 3;
    QStringList parts;
    for (const std::string& change : experiment::differsFromDefault(experiment))
        parts << fromText(change);
    if (parts.isEmpty())
        parts << tr("default settings");
    if (const qsizetype more = parts.size() - kMost; more > 0)
        parts = parts.mid(0, kMost) << tr("%1 more").arg(more);
    if (source == SourceKind::Simulated)
        parts << tr("simulated");
    return parts.join(QStringLiteral(", "));
}

/// "5.5x slower"
QString timesText(double ratio) {
    if (std::abs(ratio - 1) < 0.01)
        return tr("as fast");
    const double times = std::max(ratio, 1 / ratio);
    return (ratio > 1 ? tr("%1x slower") : tr("%1x faster"))
        .arg(QString::number(times, 'f',
                             times < 2    ? 2
                             : times < 10 ? 1
                                          : 0));
}

QString firstLine(const std::string& note) {
    return cutText(noteText(note).section(QLatin1Char('\n'), 0, 0), kLongestLine);
}

} // namespace

Runs::Runs(Session& session, const WindowOptions& options, Messages& messages)
    : m_session(session)
    , m_store(new RunStore(options.runMemory, options.runFolder, this)) {
    setAccessibleName(tr("Runs"));
    setFrameShape(QFrame::NoFrame);
    setIconSize(kRowPicture);
    setSpacing(1);
    setSelectionMode(ExtendedSelection);
    setTip(*this, tr("Click shows a run; Ctrl+click a second one to compare the two"));
    setEditTriggers(EditKeyPressed);
    setItemDelegate(makeNameDelegate());
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::currentRowChanged, this, &Runs::show);
    connect(this, &QListWidget::itemSelectionChanged, this, &Runs::lookForPair);
    new LookWatch(*this, [this] {
        for (int row = 0; row < count(); ++row)
            refresh(row);
    });
    connect(this, &Runs::itemClicked, this, &Runs::chosen);
    connect(this, &Runs::itemActivated, this, &Runs::chosen);
    connect(m_store, &RunStore::failed, &messages,
            [&messages](const run::RunnerError& error) { messages.error(error); });
    connect(&session, &Session::ended, m_store, &RunStore::balanceSoon);
    connect(&session, &Session::readyToCompare, this, &Runs::compared);
    connect(&session, &Session::refined, this, &Runs::refine);
}

// --- the one that is shown

void Runs::setCurrent(const view::ViewDataPtr& shown) {
    if (shown == m_current)
        return;
    m_current = shown;
    emit shownChanged();
}

void Runs::refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    emit refined(before, after);
    replace(after);
    if (!isCurrent(before))
        return;
    m_current = after;
    emit currentRefined(before);
}

bool Runs::account() {
    const auto work = [this, shown = m_current](const JobTools& tools, JobResult& out) {
        shown->setAccount(std::make_shared<const view::Account>(
            shown->facts, *shown->recording->lanes, recording::accountFor(*shown->recording, tools.control),
            tools.control));
        out.then = [this, shown] {
            if (isCurrent(shown))
                emit accounted();
        };
    };
    return m_session.start(*this, {tr("Working out where the time went"), work});
}

bool Runs::findSteadyState() {
    const auto work = [this, shown = m_current](const JobTools& tools, JobResult& out) {
        const view::AccountPtr account = shown->account();
        shown->setSteadyState(recording::steadyStateFor(
            *shown->recording, account ? account->sharedLedger() : nullptr, tools.control));
        out.then = [this, shown] {
            if (isCurrent(shown))
                emit steadyStateFound();
        };
    };
    return m_session.start(*this, {tr("Finding the repeating iteration"), work});
}

void Runs::lookForPair() {
    std::vector<int> rows;
    for (const QListWidgetItem* selected : selectedItems())
        rows.push_back(row(selected));
    if (rows.size() != 2)
        return;
    std::ranges::sort(rows); // newest first
    comparePair(runAt(rows[1]), runAt(rows[0]));
}

/// The one that was clicked last is shown, too.
void Runs::comparePair(const view::RunPtr& before, const view::RunPtr& after) {
    ++m_asked;
    m_store->fetch({before, after}, [this](const std::vector<view::ViewDataPtr>& came) {
        if (came.size() != 2)
            return;
        for (const view::ViewDataPtr& shown : came)
            if (shown->run == runAt(currentRow()) && !(m_current && shown->run == m_current->run))
                showCame(shown);
        emit compared(came[0], came[1]);
    });
}

/// What it shows meanwhile stays until it is here.
void Runs::show(int row) {
    const view::RunPtr run = runAt(row);
    if (!run)
        return;
    m_store->fetch({run}, [this, asked = ++m_asked](const std::vector<view::ViewDataPtr>& came) {
        if (!came.empty())
            showCame(came.front());
        else if (asked == m_asked) // nothing else was asked for since
            selectShown();
    });
}

void Runs::showCame(const view::ViewDataPtr& shown) {
    emit chosen();
    setCurrent(shown);
}

void Runs::showNone() {
    ++m_asked; // what was asked for before does not come
    setCurrent(nullptr);
    selectShown();
}

void Runs::selectShown() {
    const QSignalBlocker quiet(this);
    setCurrentRow(m_current ? rowOf(m_current->run) : -1, QItemSelectionModel::ClearAndSelect);
}

bool Runs::Entry::unsaved() const {
    return changed || run->label() != inFile || path.isEmpty();
}

void Runs::insert(int row, Entry entry) {
    m_entries.insert(m_entries.begin() + row, std::move(entry));
    const QSignalBlocker quiet(this); // the very first row becomes current by itself
    auto* made = new QListWidgetItem;
    made->setFlags(made->flags() | Qt::ItemIsEditable);
    insertItem(row, made);
}

/// Shows it, also when Qt made it the current one by itself.
void Runs::select(int row) {
    if (currentRow() == row)
        show(row);
    setCurrentRow(row, QItemSelectionModel::ClearAndSelect); // not in addition to the one before
}

void Runs::add(const view::ViewDataPtr& shown) {
    addUnseen(shown);
    select(0);
}

bool Runs::chooseFile(const QString& path) {
    const auto at = std::ranges::find_if(
        m_entries, [&](const Entry& entry) { return entry.file == path && !isOvertaken(entry.run); });
    if (at == m_entries.end())
        return false;
    select(static_cast<int>(at - m_entries.begin()));
    return true;
}

void Runs::addUnseen(const view::ViewDataPtr& shown) {
    const recording::Recording& recording = *shown->recording;
    m_store->keep(shown);
    m_store->isIn(shown->run, recording.file, recording.fileStamp);
    Entry entry;
    entry.run = shown->run;
    entry.path = entry.file = nameOf(recording.file);
    entry.stamp = recording.fileStamp;
    entry.inFile = recording.label;
    entry.heldMore = recording.heldMore();
    describe(entry, *shown);
    insert(0, std::move(entry));
    refresh(0);
    if (currentItem())
        scrollToItem(currentItem()); // of many that are opened together the one that is shown stays in sight
}

void Runs::describe(Entry& entry, const view::ViewData& shown) {
    entry.picture = SmallPicture(shown, kRowPicture);
    entry.measured = durationText(shown.recording->report.bounds.measured);
    entry.verdicts = summary(shown.recording->report);
    entry.length = shown.recording->report.bounds.measured.value_or(0);
    entry.source = shown.trace().provenance().source;
    if (shown.recording->file.empty() && shown.recording->experiment)
        entry.settings = settingsOf(*shown.recording->experiment, entry.source);
}

/// A run that was made here is called by what differs in it, until a person gives it a name; and says how
/// much faster or slower it is than the one before: "35.5 ms → 194 ms, 5.5x slower".
QString Runs::textOf(int row) const {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    const io::RunLabel label = entry.run->label();
    const bool bySettings = !entry.settings.isEmpty() && label.title.empty();
    QStringList below{entry.measured};
    if (bySettings)
        below.prepend(titleText(*entry.run));
    const Entry* before = row + 1 < count() ? &m_entries[static_cast<std::size_t>(row) + 1] : nullptr;
    if (before && before->length > 0 && entry.length > 0 && before->source == entry.source && bySettings)
        below.back() =
            tr("%1 → %2, %3")
                .arg(before->measured, entry.measured,
                     timesText(static_cast<double>(entry.length) / static_cast<double>(before->length)));
    if (!label.note.empty())
        below << firstLine(label.note);
    return (bySettings ? entry.settings : titleText(*entry.run)) +
           (entry.unsaved() ? QStringLiteral(" •") : QString()) + QLatin1Char('\n') +
           below.join(QStringLiteral(" · "));
}

void Runs::refresh(int row) {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    QListWidgetItem* rowItem = item(row);
    const QPixmap picture = QPixmap::fromImage(entry.picture.painted(Theme::of(palette())));
    QIcon icon(picture);
    icon.addPixmap(picture, QIcon::Selected); // else the style tints it
    rowItem->setIcon(icon);
    rowItem->setText(textOf(row));
    setTip(*rowItem, tipOf(entry));
}

QString Runs::tipOf(const Entry& entry) const {
    const io::RunLabel label = entry.run->label();
    QStringList tip{entry.verdicts};
    if (!label.note.empty())
        tip << noteText(label.note);
    tip << tr("Ctrl+click a second run to compare the two; F2 renames it, Del removes it");
    if (entry.unsaved())
        tip << (entry.path.isEmpty() ? tr("Not saved yet (Ctrl+S)")
                                     : tr("Bookmarks, name or note are not saved yet (Ctrl+S)"));
    return tip.join(QLatin1Char('\n'));
}

void Runs::saveBegins(const view::RunPtr& run) {
    if (Entry* entry = entryOf(run))
        entry->beingSaved = run->label();
}

void Runs::replace(const view::ViewDataPtr& after) {
    m_store->keep(after);
    for (auto& [place, removed] : m_removed)
        if (removed.run == after->run)
            describe(removed, *after);
    const int row = rowOf(after->run);
    if (row < 0)
        return;
    describe(m_entries[static_cast<std::size_t>(row)], *after);
    refresh(row);
}

void Runs::markSaved(const view::RunPtr& run, const QString& path) {
    const int row = rowOf(run);
    if (row < 0)
        return;
    Entry& entry = m_entries[static_cast<std::size_t>(row)];
    entry.path = path;
    entry.inFile = entry.beingSaved;
    entry.stamp = recording::FileStamp::of(fileOf(path));
    m_store->isIn(run, fileOf(path), entry.stamp);
    refresh(row);
}

void Runs::markChanged(const view::RunPtr& run, bool changed) {
    const int row = rowOf(run);
    if (row < 0)
        return;
    m_entries[static_cast<std::size_t>(row)].changed = changed;
    refresh(row);
}

QString Runs::pathOf(const view::RunPtr& run) const {
    const Entry* entry = entryOf(run);
    return entry ? entry->path : QString();
}

bool Runs::isOvertaken(const view::RunPtr& run) const {
    const Entry* entry = entryOf(run);
    const recording::FileStamp now =
        entry ? recording::FileStamp::of(fileOf(entry->path)) : recording::FileStamp{};
    return now != recording::FileStamp{} && now != entry->stamp; // one that is gone can be written again
}

bool Runs::isPartOf(const view::RunPtr& run, const QString& path) const {
    const Entry* entry = entryOf(run);
    return entry && entry->heldMore && path == entry->file;
}

int Runs::rowOf(const view::RunPtr& run) const {
    const auto at = std::ranges::find(m_entries, run, &Entry::run);
    return at == m_entries.end() ? -1 : static_cast<int>(at - m_entries.begin());
}

const Runs::Entry* Runs::entryOf(const view::RunPtr& run) const {
    const int row = rowOf(run);
    return row < 0 ? nullptr : &m_entries[static_cast<std::size_t>(row)];
}

bool Runs::isUnsaved(const view::RunPtr& run) const {
    const Entry* entry = entryOf(run);
    return entry && entry->unsaved();
}

std::vector<view::RunPtr> Runs::unsaved() const {
    std::vector<view::RunPtr> found;
    for (const Entry& entry : m_entries)
        if (entry.unsaved())
            found.push_back(entry.run);
    return found;
}

view::RunPtr Runs::runAt(int row) const {
    return row >= 0 && row < static_cast<int>(m_entries.size()) ? m_entries[static_cast<std::size_t>(row)].run
                                                                : nullptr;
}

void Runs::setLabel(const view::RunPtr& run, io::RunLabel label) {
    const int row = rowOf(run);
    if (row < 0 || label == run->label())
        return;
    run->setLabel(std::move(label));
    refresh(row);
    emit labelChanged(run);
}

void Runs::rename(const view::RunPtr& run, const QString& title) {
    if (!run || title.trimmed() == titleText(*run))
        return;
    setLabel(run, {io::cleanTitle(title.toStdString()), run->label().note});
}

void Runs::setNote(const view::RunPtr& run, const QString& note) {
    if (run)
        setLabel(run, {run->label().title, io::cleanNote(note.toStdString())});
}

void Runs::remove(const view::RunPtr& run) {
    const int row = rowOf(run);
    if (row < 0)
        return;
    const bool wasCurrent = row == currentRow();
    m_removed.emplace_back(row, std::move(m_entries[static_cast<std::size_t>(row)]));
    m_entries.erase(m_entries.begin() + row);
    {
        const QSignalBlocker quiet(this); // rows and entries are the same again after this
        delete takeItem(row);
    }
    if (m_removed.size() > kMostRemoved) {
        const view::RunPtr gone = m_removed.front().second.run;
        m_removed.erase(m_removed.begin());
        m_store->forget(gone);
        emit dropped(gone);
    }
    if (m_entries.empty())
        setCurrent(nullptr);
    else if (wasCurrent)
        select(std::min(row, count() - 1));
}

QString Runs::removedTitle() const {
    return m_removed.empty() ? QString() : titleText(*m_removed.back().second.run);
}

void Runs::bringBack() {
    if (m_removed.empty())
        return;
    auto [row, entry] = std::move(m_removed.back());
    m_removed.pop_back();
    row = std::min(row, count());
    insert(row, std::move(entry));
    refresh(row);
    select(row);
}

} // namespace olab::ui
