#include "results/matrix_page.h"

#include "base/look_style.h"
#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/view/view_data_ptr.h>

#include <QHeaderView>

#include <algorithm>

namespace olab::ui {

namespace {

Ns overlapOf(const analysis::DeviceReport& device, ActivityClass a, ActivityClass b) {
    const auto at = device.pairs.find({std::min(a, b), std::max(a, b)});
    return at == device.pairs.end() ? 0 : at->second;
}

QString worstHint() {
    return QLatin1Char('\n') + MatrixPage::tr("Double click: the worst place in the timeline");
}

const analysis::Verdict* verdictOf(const analysis::Report& report, const std::string& device, ActivityClass a,
                                   ActivityClass b) {
    const auto at = std::ranges::find_if(report.verdicts, [&](const analysis::Verdict& v) {
        return v.device == device && ((v.a == a && v.b == b) || (v.a == b && v.b == a));
    });
    return at == report.verdicts.end() ? nullptr : &*at;
}

} // namespace

MatrixPage::MatrixPage(QWidget* parent)
    : QTableWidget(parent) {
    setAccessibleName(tr("Overlap matrix"));
    setEditTriggers(NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(SingleSelection);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    verticalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    new LookWatch(*this, [this] { setShown(m_shown); });
    connect(this, &QTableWidget::cellActivated, this, &MatrixPage::choose);
    fitCells();
}

void MatrixPage::choose(int row, int column) {
    if (!m_shown || std::max(row, column) >= static_cast<int>(m_classes.size()))
        return;
    const auto place = view::worstPlace(*m_shown, m_shown->recording->report.devices.front().index,
                                        m_classes[static_cast<std::size_t>(row)],
                                        m_classes[static_cast<std::size_t>(column)]);
    if (place)
        emit placeChosen(*place);
}

/// No cell is smaller than its text; where that is more than there is room for, the table scrolls.
void MatrixPage::fitCells() {
    constexpr int kAir = 16;
    const QFontMetrics metrics(font());
    int wide = 0;
    for (int i = 0; i < rowCount(); ++i)
        for (int j = 0; j < columnCount(); ++j)
            wide = std::max(wide, metrics.size(0, item(i, j)->text()).width());
    horizontalHeader()->setMinimumSectionSize(wide + kAir);
    verticalHeader()->setMinimumSectionSize(2 * metrics.lineSpacing() + kAir / 2);
}

void MatrixPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_classes.clear();
    clear();
    setRowCount(0);
    setColumnCount(0);
    if (!shown || shown->recording->report.devices.empty())
        return;
    const analysis::Report& report = shown->recording->report;
    const analysis::DeviceReport& device = report.devices.front();
    for (const auto& [cls, numbers] : device.classes)
        if (numbers.count > 0)
            m_classes.push_back(cls);
    const int count = static_cast<int>(m_classes.size());
    setRowCount(count);
    setColumnCount(count);
    QStringList names;
    for (const ActivityClass cls : m_classes)
        names << fromText(classLabel(cls));
    setHorizontalHeaderLabels(names);
    setVerticalHeaderLabels(names);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            const ActivityClass a = m_classes[static_cast<std::size_t>(i)],
                                b = m_classes[static_cast<std::size_t>(j)];
            auto* item = i == j ? diagonal(device.classes.at(a)) : pair(device, a, b, report);
            setItem(i, j, item);
        }
    fitCells();
}

QTableWidgetItem* MatrixPage::diagonal(const analysis::ClassNumbers& n) const {
    auto* item = new QTableWidgetItem(tr("busy %1\n%2 ×").arg(durationText(n.busy), countText(n.count)));
    item->setTextAlignment(Qt::AlignCenter);
    item->setForeground(Theme::of(palette()).dim);
    setTip(*item, tr("Busy for %1 in all; two or more at once for %2; sum of durations %3")
                          .arg(durationText(n.busy), durationText(n.concurrent), durationText(n.sum)) +
                      worstHint());
    return item;
}

QTableWidgetItem* MatrixPage::pair(const analysis::DeviceReport& device, ActivityClass a, ActivityClass b,
                                   const analysis::Report& report) const {
    const Ns overlap = overlapOf(device, a, b), busy = device.classes.at(a).busy;
    const double share = busy > 0 ? static_cast<double>(overlap) / static_cast<double>(busy) : 0;
    auto* item = new QTableWidgetItem(tr("%1 hidden\n%2").arg(percentLabel(share), durationText(overlap)));
    item->setTextAlignment(Qt::AlignCenter);
    QString tip = tr("%1 of the busy time of %2 ran while %3 ran")
                      .arg(percentLabel(share), fromText(classLabel(a)), fromText(classLabel(b)));
    const Theme& theme = Theme::of(palette());
    if (const analysis::Verdict* verdict = verdictOf(report, device.id, a, b)) {
        item->setBackground(theme.colour(shownKind(*verdict)));
        item->setText(item->text() + QStringLiteral(" · ") + verdictWord(verdict->kind));
        tip += QStringLiteral(". ") + sentence(verdict->text);
    }
    setTip(*item, tip + worstHint());
    item->setForeground(theme.text);
    return item;
}

} // namespace olab::ui
