#include "charts/ledger_bar.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/view_style.h>

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QCursor>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QPainter>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kHeight = 34, kLabelAir = 4;

double ms(Ns ns) {
    return static_cast<double>(ns) / 1e6;
}

/// A bar and nothing else: the words around it say what it measures.
std::unique_ptr<QChart> plainChart(const Theme& theme) {
    auto chart = std::make_unique<QChart>();
    chart->legend()->hide();
    chart->setBackgroundBrush(theme.base);
    chart->setBackgroundRoundness(0);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    return chart;
}

} // namespace

LedgerBar::LedgerBar(const analysis::Ledger& ledger, const Theme& theme, const QFont& font, QWidget* parent)
    : QChartView(plainChart(theme).release(),
                 parent) // setChart() would leave the one that is there to nobody
    , m_font(font)
    , m_theme(theme)
    , m_series(new QHorizontalStackedBarSeries) {
    for (const LedgerPiece& piece : ledgerPieces(ledger))
        if (piece.length > 0) // what is below 0 is said in words
            m_pieces.push_back(piece);
    Ns all = 0;
    for (const LedgerPiece& piece : m_pieces) {
        addSet(piece, theme);
        all += piece.length;
    }
    m_series->setBarWidth(1);
    chart()->addSeries(m_series);
    auto* one = new QBarCategoryAxis;
    one->append(QStringLiteral("run"));
    auto* time = new QValueAxis;
    time->setRange(0, std::max(ms(all), 1e-6));
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(one), static_cast<QAbstractAxis*>(time)}) {
        chart()->addAxis(axis, axis == one ? Qt::AlignLeft : Qt::AlignBottom);
        m_series->attachAxis(axis);
        axis->hide();
    }
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the rows below say and do the same by keys
    setFixedHeight(ViewStyle::of(font).scaled(kHeight));
    setMinimumWidth(1);
    setAccessibleName(sumText(ledger));
}

void LedgerBar::addSet(const LedgerPiece& piece, const Theme& theme) {
    auto* set = new QBarSet(titleOf(piece));
    *set << ms(piece.length);
    set->setBrush(hatchedBrush(colourOf(piece, theme), hatchOf(piece)));
    set->setPen(QPen(theme.base, ViewStyle::of(m_font).line));
    m_series->append(set);
    const QString words = QStringLiteral("%1: %2").arg(titleOf(piece), durationText(piece.length));
    connect(set, &QBarSet::hovered, this,
            [this, words](bool on) { on ? showTip(QCursor::pos(), words, this) : QToolTip::hideText(); });
    if (piece.kind == LedgerPiece::Kind::Cause)
        connect(set, &QBarSet::clicked, this, [this, entry = piece.entry] { emit pieceChosen(entry); });
}

QRect LedgerBar::rectOf(std::size_t piece) const {
    Ns before = 0;
    for (std::size_t i = 0; i < piece; ++i)
        before += m_pieces[i].length;
    const auto x = [this](Ns at) { return chart()->mapToPosition({ms(at), 0}, m_series).x(); };
    const double left = x(before), right = x(before + m_pieces[piece].length);
    const QRectF plot = chart()->plotArea();
    return mapFromScene(QRectF(left, plot.top(), right - left, plot.height())).boundingRect();
}

/// On each piece what it is, as much of it as there is room for.
void LedgerBar::drawForeground(QPainter* painter, const QRectF&) {
    painter->save();
    painter->resetTransform();
    painter->setFont(m_font);
    const QFontMetrics metrics(m_font);
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const QRect area = rectOf(i);
        const QString text = labelOf(m_pieces[i], metrics, area.width() - 4 * kLabelAir);
        if (text.isEmpty())
            continue;
        QRect place(0, 0, metrics.horizontalAdvance(text) + 2 * kLabelAir, metrics.height());
        place.moveCenter(area.center());
        const QColor fill = colourOf(m_pieces[i], m_theme);
        painter->fillRect(place, fill); // no hatch behind letters
        painter->setPen(inkOn(fill));
        painter->drawText(place, Qt::AlignCenter, text);
    }
    painter->restore();
}

} // namespace olab::ui
