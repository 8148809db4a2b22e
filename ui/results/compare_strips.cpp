#include "results/compare_strips.h"

#include "base/page_parts.h"
#include "timeline/canvas/small_picture.h"

#include <olab/analysis/waits.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/view/viewport.h>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kStripHeight = 44, kGap = 4;

Ns endOf(const view::ViewData& shown) {
    return shown.trace().deviceSpan().end - shown.zero();
}

} // namespace

CompareStrips::CompareStrips(view::ViewDataPtr before, view::ViewDataPtr after, QWidget* parent)
    : QWidget(parent)
    , m_before(std::move(before))
    , m_after(std::move(after)) {
    const Ns longest = std::max({endOf(*m_before), endOf(*m_after), Ns{1}});
    const Ns air = std::max<Ns>(longest / 100, 1);
    m_range = {-air, longest + air};
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Both runs over the same time scale"));
    setTip(*this, tr("The engines of both runs over the same time scale: shorter is faster"));
}

QSize CompareStrips::sizeHint() const {
    const ViewStyle sizes = ViewStyle::of(font());
    return {sizes.gutter() + 300, 2 * sizes.scaled(kStripHeight) + kGap};
}

void CompareStrips::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintRun(painter, *m_before, tr("before"), m_beforePicture, 0);
    paintRun(painter, *m_after, tr("after"), m_afterPicture,
             ViewStyle::of(font()).scaled(kStripHeight) + kGap);
}

void CompareStrips::paintRun(QPainter& painter, const view::ViewData& shown, const QString& role,
                             QImage& picture, int top) {
    painter.save();
    const Theme& theme = Theme::of(palette());
    const ViewStyle sizes = ViewStyle::of(font());
    const int gutter = sizes.gutter(), stripHeight = sizes.scaled(kStripHeight);
    const QRect area(gutter, top, std::max(width() - gutter, 1), stripHeight);
    const double ratio = devicePixelRatioF();
    const QSize size = area.size() * ratio;
    if (picture.size() != size) {
        const Ns zero = shown.zero();
        picture = pictureOf(shown, size, theme, Interval{zero + m_range.begin, zero + m_range.end});
        picture.setDevicePixelRatio(ratio);
    }
    painter.drawImage(area.topLeft(), picture);
    view::Viewport view;
    view.setLimits(m_range);
    view.setWidth(area.width());
    view.fit();
    const int end = area.x() + static_cast<int>(view.edgeAt(endOf(shown)));
    painter.setPen(QPen(theme.accent, sizes.line, Qt::DashLine));
    painter.drawLine(end, area.top(), end, area.bottom());
    painter.fillRect(area.left(), area.bottom() + 1 - sizes.line, area.width(), sizes.line, theme.line);
    const QRect text(12, top, gutter - 16, stripHeight);
    painter.setFont(sizes.smallFont(font()));
    painter.setPen(theme.dim);
    const bool simulated = shown.trace().provenance().source == SourceKind::Simulated;
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft, simulated ? tr("%1, simulated").arg(role) : role);
    const QString title = painter.fontMetrics().elidedText(titleText(shown), Qt::ElideMiddle, text.width());
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setFont(sizes.smallFont(font(), true));
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     durationText(shown.recording->report.bounds.measured));
    painter.restore();
}

namespace {

QString timeOr(const std::optional<Ns>& time) {
    return durationText(time);
}

QLabel* cell(const QString& text) {
    auto* label = makeSmallLabel(text);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString proofMark(const comparison::Proof& proof) {
    switch (proof.status) {
    case comparison::ProofStatus::Confirmed:
        return proof.simulated ? QStringLiteral("→") : QStringLiteral("✓");
    case comparison::ProofStatus::Refuted:
        return QStringLiteral("✗");
    case comparison::ProofStatus::Inconclusive:
        break;
    }
    return QStringLiteral("?");
}

QString proofTitle(const comparison::Proof& proof) {
    return proofMark(proof) + QLatin1Char(' ') + withCapital(fromText(comparison::proofStatusText(proof)));
}

QString proofName(const comparison::Proof& proof) {
    return proof.finding.empty() ? ProofPanel::tr("this change") : fromText(proof.finding);
}

} // namespace

ProofPanel::ProofPanel(QWidget* parent)
    : QWidget(parent)
    , m_head(makeLabel({}))
    , m_text(makeLabel({}))
    , m_stop(new QPushButton(tr("Stop")))
    , m_table(new QWidget)
    , m_grid(new QGridLayout(m_table)) {
    m_head->setFont(boldOf(m_head->font()));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_stop->setObjectName(QStringLiteral("stopProof"));
    setTip(*m_stop, tr("Ends the interleaved runs; what was measured so far stays on this page"));
    connect(m_stop, &QPushButton::clicked, this, &ProofPanel::stopRequested);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(1);
    auto* head = new QHBoxLayout;
    head->addWidget(m_head);
    head->addWidget(m_stop);
    head->addStretch(1);
    auto* column = columnIn(this, {0, 4, 0, 4}, 3);
    column->addLayout(head);
    column->addWidget(m_table);
    column->addWidget(m_text);
    setAccessibleName(tr("Proof by runs in turn"));
    hide();
}

void ProofPanel::setProof(const comparison::Proof& proof, int pairs, bool done, const QString& stopped) {
    const QString how = tr("%1 of %2 interleaved pairs of runs").arg(proof.pairs).arg(pairs);
    if (!done)
        m_head->setText(tr("Proving %1: %2...").arg(proofName(proof), how));
    else if (!stopped.isEmpty())
        m_head->setText(tr("Not proved: %1 (%2)").arg(stopped, how));
    else
        m_head->setText(tr("%1: %2 (%3)").arg(proofTitle(proof), proofName(proof), how));
    m_stop->setVisible(!done);
    m_text->setText(done && stopped.isEmpty() ? sentence(proof.text) : QString());
    m_text->setVisible(done && stopped.isEmpty());
    fillTable(proof);
    show();
}

/// A row for each number: before, after, change with its interval, and what was predicted.
void ProofPanel::fillTable(const comparison::Proof& proof) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_table->setVisible(proof.pairs > 0);
    if (proof.pairs == 0)
        return;
    const comparison::PredictedChange* said =
        proof.predicted.all.empty() ? nullptr : &proof.predicted.all.front();
    const QStringList heads{QString(),
                            tr("before"),
                            tr("after"),
                            tr("change (95 % interval)"),
                            tr("predicted before"),
                            tr("predicted after")};
    for (int i = 0; i < heads.size(); ++i)
        m_grid->addWidget(cell(heads[i]), 0, i);
    int row = 0;
    const auto add = [&](const QString& name, const std::optional<comparison::PairedChange>& change,
                         std::optional<Ns> comparison::RunNumbers::*number) {
        if (!change)
            return;
        const QStringList cells{name,
                                durationText(change->before),
                                durationText(change->after),
                                fromText(comparison::changeText(*change)),
                                said ? timeOr(said->before.*number) : QString(),
                                said ? timeOr(said->after.*number) : QString()};
        ++row;
        for (int i = 0; i < cells.size(); ++i)
            m_grid->addWidget(cell(cells[i]), row, i);
    };
    add(proof.untraced ? tr("makespan, untraced") : tr("makespan"), proof.makespan,
        &comparison::RunNumbers::makespan);
    add(tr("Wait removed"), proof.wait, &comparison::RunNumbers::wait);
    add(tr("overlap"), proof.overlap, &comparison::RunNumbers::overlap);
    add(tr("blocked"), proof.blocked, &comparison::RunNumbers::blocked);
    m_grid->setColumnStretch(static_cast<int>(heads.size()), 1);
}

} // namespace olab::ui
