#include "shell/run_list.h"

#include "results/verdict_strip.h"
#include "shell/look_watch.h"
#include "shell/plain_text.h"
#include "timeline/time_strips.h"

#include <olab/ui/format.h>

#include <QItemSelectionModel>
#include <QSignalBlocker>

#include <algorithm>

namespace olab {

namespace {

constexpr QSize kPicture(84, 34);

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

} // namespace

RunList::RunList(QWidget* parent)
    : QListWidget(parent) {
    setAccessibleName(tr("Runs"));
    setFrameShape(QFrame::NoFrame);
    setIconSize(kPicture);
    setSpacing(1);
    setSelectionMode(ExtendedSelection);
    setTip(*this, tr("Click shows a run; Ctrl+click a second one to compare the two"));
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

void RunList::add(const ShownPtr& shown) {
    const Recording& recording = *shown->recording;
    m_entries.insert(m_entries.begin(),
                     {shown, exactText(recording.file.string()), recording.fileStamp, false});
    {
        const QSignalBlocker quiet(this); // the very first row becomes current by itself
        insertItem(0, new QListWidgetItem);
    }
    refresh(0);
    if (currentRow() == 0)
        emit chosen(shown);
    setCurrentRow(0, QItemSelectionModel::ClearAndSelect); // not in addition to the one before
}

void RunList::refresh(int row) {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    const QString title = cutText(fromText(entry.shown->recording->title), kLongestLine) +
                          (entry.unsaved() ? QStringLiteral(" •") : QString());
    QListWidgetItem* rowItem = item(row);
    const QPixmap picture = QPixmap::fromImage(pictureOf(*entry.shown, kPicture, Theme::of(palette())));
    QIcon icon(picture);
    icon.addPixmap(picture, QIcon::Selected); // else the style tints it
    rowItem->setIcon(icon);
    rowItem->setText(title + QLatin1Char('\n') +
                     durationText(entry.shown->recording->report.bounds.measured));
    QString tip = summary(entry.shown->recording->report);
    tip += tr("\nCtrl+click a second run to compare the two");
    if (entry.unsaved())
        tip += entry.changed ? tr("\nBookmarks are not saved yet (Ctrl+S)") : tr("\nNot saved yet (Ctrl+S)");
    setTip(*rowItem, tip);
}

void RunList::replace(const ShownPtr& before, const ShownPtr& after) {
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
    entry.stamp = FileStamp::of(path.toStdString());
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
    const FileStamp now = FileStamp::of(entry.path.toStdString());
    return now != FileStamp{} && now != entry.stamp; // one that is gone can be written again
}

int RunList::rowOf(const ShownPtr& shown) const {
    const auto at = std::ranges::find_if(m_entries, [&](const Entry& entry) { return entry.shown == shown; });
    return at == m_entries.end() ? -1 : static_cast<int>(at - m_entries.begin());
}

int RunList::unsavedCount() const {
    return static_cast<int>(std::ranges::count_if(m_entries, &Entry::unsaved));
}

ShownPtr RunList::current() const {
    const int row = currentRow();
    return row >= 0 && row < static_cast<int>(m_entries.size())
               ? m_entries[static_cast<std::size_t>(row)].shown
               : nullptr;
}

} // namespace olab
