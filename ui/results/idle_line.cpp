#include "results/idle_line.h"

#include "base/elided_label.h"
#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/view_style.h>

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace olab::ui {

namespace {

constexpr qsizetype kLongestGapName = 24;

/// Of all devices, a line each.
QString allIdle(const std::vector<recording::DeviceIdle>& idle) {
    QStringList lines;
    for (const recording::DeviceIdle& device : idle)
        lines << sentence(recording::idleText(device));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

IdleLine::IdleLine(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel) {
    setAccessibleName(tr("Idle time"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 1);
    column->setSpacing(2);
    m_text->setFont(boldOf(m_text->font()));
    column->addWidget(m_text);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(new PlainLabel(tr("Largest gaps:")));
    for (std::size_t at = 0; at < recording::kLargestGaps; ++at) {
        m_gaps.push_back(new QPushButton(tr("Gap"))); // until there is one
        m_gaps.back()->setObjectName(QStringLiteral("idleGap%1").arg(at));
        connect(m_gaps.back(), &QPushButton::clicked, this, [this, at] { emit gapChosen(m_times[at]); });
        row->addWidget(m_gaps.back());
    }
    row->addStretch();
    column->addLayout(row);
    hide();
}

void IdleLine::setShown(const view::ViewDataPtr& shown) {
    const std::vector<recording::DeviceIdle> idle =
        shown ? shown->idle() : std::vector<recording::DeviceIdle>();
    m_says = !idle.empty();
    setVisible(m_says && !m_makesRoom);
    if (!m_says)
        return m_text->clear();
    const std::vector<recording::IdleGap>& gaps = idle.front().largest;
    m_text->setText(sentence(recording::idleText(idle.front())));
    setTip(*m_text, allIdle(idle));
    m_times.assign(m_gaps.size(), {});
    for (std::size_t at = 0; at < m_gaps.size(); ++at)
        showGap(at, at < gaps.size() ? &gaps[at] : nullptr, shown->zero());
}

void IdleLine::showGap(std::size_t at, const recording::IdleGap* gap, Ns zero) {
    m_gaps[at]->setVisible(gap != nullptr);
    if (!gap)
        return;
    m_times[at] = gap->time;
    const QString length = durationText(gap->time.length());
    const QString name = cutText(fromText(gap->host.name), kLongestGapName);
    m_gaps[at]->setText(shownText(name.isEmpty() ? length : tr("%1 in %2").arg(length, name))
                            .replace(QLatin1Char('&'), QStringLiteral("&&")));
    setTip(*m_gaps[at], tr("%1, %2 after the first work of a GPU. Click to see it.")
                            .arg(sentence(recording::gapText(*gap)), durationText(gap->time.begin - zero)));
}

void IdleLine::setMakesRoom(bool makesRoom) {
    m_makesRoom = makesRoom;
    setVisible(m_says && !m_makesRoom);
}

QString IdleLine::text() const {
    return m_says ? m_text->text() : QString();
}

} // namespace olab::ui
