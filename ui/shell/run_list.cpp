#include "shell/run_list.h"

#include "results/verdict_strip.h"
#include "shell/look_watch.h"
#include "shell/plain_text.h"
#include "shell/run_name_delegate.h"
#include "timeline/time_strips.h"

#include <olab/ui/file_name.h>
#include <olab/ui/format.h>

#include <QItemSelectionModel>
#include <QSignalBlocker>

#include <algorithm>

namespace olab {

namespace {

constexpr QSize kPicture(84, 34);
constexpr std::size_t kMostRemoved = 10; ///< that can be brought back: they stay in memory

/// "2 overlapped, 1 serialized".
QString summary(const Report& report) {
    std::array<int, kVerdictKinds> counts{};
    int minor = 0;
    for (const Verdict* verdict : shownVerdicts(report))
        ++(verdict->minor() ? minor : counts[static_cast<std::size_t>(verdict->kind)]);
    QStringList parts;
    for (std::size_t kind = 0; kind < counts.size(); ++kind)
        if (counts[kind] > 0)
            parts
                << QStringLiteral("%1 %2").arg(counts[kind]).arg(verdictWord(static_cast<VerdictKind>(kind)));
    if (minor > 0)
        parts << QStringLiteral("%1 under 1 % of the run").arg(minor);
    return parts.join(QStringLiteral(", "));
}

QString firstLine(const std::string& note) {
    return cutText(noteText(note).section(QLatin1Char('\n'), 0, 0), kLongestLine);
}

} // namespace

RunList::RunList(QWidget* parent)
    : QListWidget(parent) {
    setAccessibleName(tr("Runs"));
    setFrameShape(QFrame::NoFrame);
    setIconSize(kPicture);
    setSpacing(1);
    setSelectionMode(ExtendedSelection);
    setTip(*this, tr("Click shows a run; Ctrl+click a second one to compare the two"));
    setEditTriggers(EditKeyPressed);
    auto* names = new RunNameDelegate(this);
    setItemDelegate(names);
    connect(names, &RunNameDelegate::named, this,
            [this](int row, const QString& title) { rename(at(row), title); });
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row < static_cast<int>(m_entries.size()))
            emit chosen(m_entries[static_cast<std::size_t>(row)].shown);
    });
    connect(this, &QListWidget::itemSelectionChanged, this, &RunList::lookForPair);
    new LookWatch(*this, [this] {
        for (int row = 0; row < count(); ++row)
            refresh(row);
    });
}

void RunList::lookForPair() {
    std::vector<int> rows;
    for (const QListWidgetItem* selected : selectedItems())
        rows.push_back(row(selected));
    if (rows.size() != 2)
        return;
    std::ranges::sort(rows); // newest first
    emit pairChosen(m_entries[static_cast<std::size_t>(rows[1])].shown,
                    m_entries[static_cast<std::size_t>(rows[0])].shown);
}

bool RunList::Entry::unsaved() const {
    return changed || shown->label() != inFile || (path.isEmpty() && shown->recording->live);
}

void RunList::insert(int row, Entry entry) {
    m_entries.insert(m_entries.begin() + row, std::move(entry));
    const QSignalBlocker quiet(this); // the very first row becomes current by itself
    auto* made = new QListWidgetItem;
    made->setFlags(made->flags() | Qt::ItemIsEditable);
    insertItem(row, made);
}

/// Shows it, also when Qt made it the current one by itself.
void RunList::select(int row) {
    if (currentRow() == row)
        emit chosen(at(row));
    setCurrentRow(row, QItemSelectionModel::ClearAndSelect); // not in addition to the one before
}

void RunList::add(const ShownPtr& shown) {
    const Recording& recording = *shown->recording;
    insert(0, {shown, nameOf(recording.file), recording.fileStamp, false, recording.label, {}});
    refresh(0);
    select(0);
}

void RunList::refresh(int row) {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    const RunLabel label = entry.shown->label();
    const bool unsaved = entry.unsaved();
    const QString title = entry.shown->title() + (unsaved ? QStringLiteral(" •") : QString());
    QListWidgetItem* rowItem = item(row);
    const QPixmap picture = QPixmap::fromImage(pictureOf(*entry.shown, kPicture, Theme::of(palette())));
    QIcon icon(picture);
    icon.addPixmap(picture, QIcon::Selected); // else the style tints it
    rowItem->setIcon(icon);
    QString text = title + QLatin1Char('\n') + durationText(entry.shown->recording->report.bounds.measured);
    if (!label.note.empty())
        text += QStringLiteral(" · ") + firstLine(label.note);
    rowItem->setText(text);
    QStringList tip{summary(entry.shown->recording->report)};
    if (!label.note.empty())
        tip << noteText(label.note);
    tip << tr("Ctrl+click a second run to compare the two; F2 renames it, Del removes it");
    if (unsaved)
        tip << (entry.path.isEmpty() ? tr("Not saved yet (Ctrl+S)")
                                     : tr("Bookmarks, name or note are not saved yet (Ctrl+S)"));
    setTip(*rowItem, tip.join(QLatin1Char('\n')));
}

void RunList::saveBegins(const ShownPtr& shown) {
    if (const int row = rowOf(shown); row >= 0)
        m_entries[static_cast<std::size_t>(row)].beingSaved = shown->label();
}

void RunList::replace(const ShownPtr& before, const ShownPtr& after) {
    after->setLabel(before->label()); // it may have been named since
    for (auto& [place, removed] : m_removed)
        if (removed.shown == before)
            removed.shown = after;
    const int row = rowOf(before);
    if (row < 0)
        return;
    m_entries[static_cast<std::size_t>(row)].shown = after;
    refresh(row);
}

void RunList::markSaved(const ShownPtr& shown, const QString& path) {
    const int row = rowOf(shown);
    if (row < 0)
        return;
    Entry& entry = m_entries[static_cast<std::size_t>(row)];
    entry.path = path;
    entry.inFile = entry.beingSaved;
    entry.stamp = FileStamp::of(fileOf(path));
    refresh(row);
}

void RunList::markChanged(const ShownPtr& shown, bool changed) {
    const int row = rowOf(shown);
    if (row < 0)
        return;
    m_entries[static_cast<std::size_t>(row)].changed = changed;
    refresh(row);
}

QString RunList::pathOf(const ShownPtr& shown) const {
    const int row = rowOf(shown);
    return row < 0 ? QString() : m_entries[static_cast<std::size_t>(row)].path;
}

bool RunList::isOvertaken(const ShownPtr& shown) const {
    const int row = rowOf(shown);
    if (row < 0)
        return false;
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    const FileStamp now = FileStamp::of(fileOf(entry.path));
    return now != FileStamp{} && now != entry.stamp; // one that is gone can be written again
}

int RunList::rowOf(const ShownPtr& shown) const {
    const auto at = std::ranges::find_if(m_entries, [&](const Entry& entry) { return entry.shown == shown; });
    return at == m_entries.end() ? -1 : static_cast<int>(at - m_entries.begin());
}

bool RunList::isUnsaved(const ShownPtr& shown) const {
    const int row = rowOf(shown);
    return row >= 0 && m_entries[static_cast<std::size_t>(row)].unsaved();
}

std::vector<ShownPtr> RunList::unsaved() const {
    std::vector<ShownPtr> found;
    for (const Entry& entry : m_entries)
        if (entry.unsaved())
            found.push_back(entry.shown);
    return found;
}

int RunList::unsavedCount() const {
    return static_cast<int>(unsaved().size());
}

ShownPtr RunList::at(int row) const {
    return row >= 0 && row < static_cast<int>(m_entries.size())
               ? m_entries[static_cast<std::size_t>(row)].shown
               : nullptr;
}

ShownPtr RunList::current() const {
    return at(currentRow());
}

void RunList::setLabel(const ShownPtr& shown, RunLabel label) {
    const int row = rowOf(shown);
    if (row < 0 || label == shown->label())
        return;
    shown->setLabel(std::move(label));
    refresh(row);
    emit labelChanged(shown);
}

void RunList::rename(const ShownPtr& shown, const QString& title) {
    if (!shown || title.trimmed() == shown->title())
        return;
    setLabel(shown, {cleanTitle(title.toStdString()), shown->label().note});
}

void RunList::setNote(const ShownPtr& shown, const QString& note) {
    if (shown)
        setLabel(shown, {shown->label().title, cleanNote(note.toStdString())});
}

void RunList::remove(const ShownPtr& shown) {
    const int row = rowOf(shown);
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
        const ShownPtr gone = m_removed.front().second.shown;
        m_removed.erase(m_removed.begin());
        emit dropped(gone);
    }
    if (m_entries.empty())
        emit emptied();
    else if (wasCurrent)
        select(std::min(row, count() - 1));
}

QString RunList::removedTitle() const {
    return m_removed.empty() ? QString() : m_removed.back().second.shown->title();
}

void RunList::bringBack() {
    if (m_removed.empty())
        return;
    auto [row, entry] = std::move(m_removed.back());
    m_removed.pop_back();
    row = std::min(row, count());
    insert(row, std::move(entry));
    refresh(row);
    select(row);
}

} // namespace olab
