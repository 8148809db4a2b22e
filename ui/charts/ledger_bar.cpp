#include "charts/ledger_bar.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QAccessible>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QCursor>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QKeyEvent>
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

QString wordsOf(const LedgerPiece& piece) {
    return QStringLiteral("%1: %2").arg(titleOf(piece), durationText(piece.length));
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
    setFixedHeight(ViewStyle::of(font).scaled(kHeight));
    setMinimumWidth(1);
    setAccessibleName(sumText(ledger));
    step(+1);                                          // the first cause
    setFocusPolicy(m_at ? Qt::TabFocus : Qt::NoFocus); // a click leaves the keys to the timeline
}

void LedgerBar::addSet(const LedgerPiece& piece, const Theme& theme) {
    auto* set = new QBarSet(titleOf(piece));
    *set << ms(piece.length);
    set->setBrush(hatchedBrush(colourOf(piece, theme), hatchOf(piece)));
    set->setPen(QPen(theme.base, ViewStyle::of(m_font).line));
    m_series->append(set);
    const bool isCause = piece.kind == LedgerPiece::Kind::Cause;
    QString words = wordsOf(piece);
    if (isCause)
        words += QLatin1Char('\n') + tr("Click: shows only what waited for it. Again, or Esc: everything");
    connect(set, &QBarSet::hovered, this,
            [this, words](bool on) { on ? showTip(QCursor::pos(), words, this) : QToolTip::hideText(); });
    if (isCause)
        connect(set, &QBarSet::clicked, this, [this, entry = piece.entry] { choose(entry); });
}

void LedgerBar::choose(std::size_t entry) {
    if (m_chosen == entry)
        emit choiceEnded();
    else
        emit pieceChosen(entry);
}

void LedgerBar::setChosen(std::optional<std::size_t> entry) {
    m_chosen = entry;
    viewport()->update();
}

/// To the next piece in this direction that is a cause, if there is one.
void LedgerBar::step(int direction) {
    const auto count = static_cast<std::ptrdiff_t>(m_pieces.size());
    std::ptrdiff_t next = m_at ? static_cast<std::ptrdiff_t>(*m_at) : -1;
    do
        next += direction;
    while (next >= 0 && next < count &&
           m_pieces[static_cast<std::size_t>(next)].kind != LedgerPiece::Kind::Cause);
    if (next < 0 || next >= count)
        return;
    m_at = static_cast<std::size_t>(next);
    setAccessibleDescription(wordsOf(m_pieces[*m_at]));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    viewport()->update();
}

void LedgerBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Right:
        return step(+1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return choose(m_pieces[*m_at].entry);
    case Qt::Key_Escape:
        if (m_chosen)
            return emit choiceEnded();
        break;
    default:
        break;
    }
    event->ignore(); // the window's keys
}

void LedgerBar::focusInEvent(QFocusEvent* event) {
    QChartView::focusInEvent(event);
    viewport()->update();
}

void LedgerBar::focusOutEvent(QFocusEvent* event) {
    QChartView::focusOutEvent(event);
    viewport()->update();
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
    drawMarks(*painter);
    painter->restore();
}

/// A frame around the chosen cause, with a veil over all else; a line under the one that keys work on.
void LedgerBar::drawMarks(QPainter& painter) const {
    const int strong = ViewStyle::of(m_font).strong;
    QColor veil = m_theme.window;
    veil.setAlphaF(0.66F);
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const QRect area = rectOf(i);
        const bool isChosen = m_pieces[i].kind == LedgerPiece::Kind::Cause && m_pieces[i].entry == m_chosen;
        if (m_chosen && !isChosen)
            painter.fillRect(area, veil);
        if (isChosen) {
            painter.setPen(QPen(m_theme.selection, strong, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(area.adjusted(strong / 2, strong / 2, -strong, -strong));
        }
        if (hasFocus() && i == m_at)
            painter.fillRect(area.x(), area.bottom() + 1 - 2 * strong, area.width(), 2 * strong,
                             m_theme.accent);
    }
}

} // namespace olab::ui
