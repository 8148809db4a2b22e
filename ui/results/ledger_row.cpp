#include "results/ledger_row.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/view_style.h>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

namespace olab::ui {

namespace {

constexpr int kBarSwatchWidth = 26, kBarSwatchHeight = 14, kRowAir = 6;

QLabel* rowWords(const QString& text, bool bold = false) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setMinimumWidth(1);                             // no long word makes the page wider than it is
    label->setAttribute(Qt::WA_TransparentForMouseEvents); // the row is what is clicked
    if (bold) {
        label->setFont(boldOf(label->font()));
    }
    return label;
}

} // namespace

LedgerRow::LedgerRow(LedgerRowText text, QWidget* parent)
    : QAbstractButton(parent)
    , m_text(std::move(text)) {
    const ViewStyle sizes = ViewStyle::of(font());
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(sizes.scaled(kBarSwatchWidth) + 3 * kRowAir, kRowAir - 2, kRowAir, kRowAir - 2);
    grid->setHorizontalSpacing(2 * kRowAir);
    grid->setVerticalSpacing(1);
    auto* amount = rowWords(m_text.amount, true);
    amount->setWordWrap(false); // is seen whole, whatever stands beside it
    grid->addWidget(rowWords(m_text.title, true), 0, 0);
    grid->addWidget(amount, 0, 1, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(rowWords(m_text.sentence), 1, 0, 1, m_text.places.empty() ? 2 : 1);
    if (!m_text.facts.isEmpty()) {
        auto* facts = rowWords(m_text.facts);
        facts->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(facts, 2, 0, 1, m_text.places.empty() ? 2 : 1);
    }
    grid->setColumnStretch(0, 1);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setText(QStringLiteral("%1, %2").arg(m_text.title, m_text.amount));
    setAccessibleName(QAbstractButton::text());
    setAccessibleDescription(m_text.sentence + QLatin1Char(' ') + m_text.facts);
    setFocusPolicy(m_text.places.empty() ? Qt::NoFocus : Qt::TabFocus);
    if (m_text.places.empty())
        return;
    grid->addWidget(buildSteps(), 1, 1, 2, 1, Qt::AlignRight | Qt::AlignTop);
    setCursor(Qt::PointingHandCursor);
    setTip(*this,
           m_text.places.size() == 1
               ? tr("Shows it in the timeline")
               : tr("Shows in the timeline where it costs most: again for the next place, left and right go "
                    "through them"));
    connect(this, &QAbstractButton::clicked, this, [this] { step(+1); });
}

/// "◂ 1 of 64 ▸": the same by the mouse.
QWidget* LedgerRow::buildSteps() {
    auto* box = new QWidget;
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    const auto add = [&](Qt::ArrowType arrow, const QString& name, int direction) {
        auto* button = new QToolButton;
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::NoFocus); // left and right of the row
        button->setAccessibleName(name);
        setTip(*button, name);
        connect(button, &QToolButton::clicked, this, [this, direction] { step(direction); });
        line->addWidget(button);
    };
    const bool hasSeveral = m_text.places.size() > 1;
    if (hasSeveral)
        add(Qt::LeftArrow, tr("Previous place"), -1);
    m_where = rowWords({});
    m_where->setWordWrap(false);
    line->addWidget(m_where);
    if (hasSeveral)
        add(Qt::RightArrow, tr("Next place"), +1);
    tellPlace();
    return box;
}

void LedgerRow::tellPlace() {
    const auto kept = m_text.places.size();
    const QString all =
        m_text.allPlaces > kept ? tr("%1 of %2").arg(kept).arg(m_text.allPlaces) : QString::number(kept);
    m_where->setText(m_at        ? tr("%1 of %2").arg(*m_at + 1).arg(kept)
                     : kept == 1 ? tr("show it")
                                 : tr("1 to %1").arg(all));
}

void LedgerRow::step(int direction) {
    const std::size_t all = m_text.places.size();
    if (all == 0)
        return;
    m_at = !m_at ? (direction < 0 ? all - 1 : 0) : (*m_at + all + static_cast<std::size_t>(direction)) % all;
    tellPlace();
    emit placeChosen(m_text.places[*m_at]);
}

QSize LedgerRow::sizeHint() const {
    return layout()->sizeHint();
}

void LedgerRow::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return step(+1);
    case Qt::Key_Right:
        return step(+1);
    case Qt::Key_Left:
        return step(-1);
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void LedgerRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    const ViewStyle sizes = ViewStyle::of(font());
    if (!m_text.places.empty() && underMouse())
        painter.fillRect(rect(), theme.group);
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.grid);
    const int middle = kRowAir + fontMetrics().height() / 2, high = sizes.scaled(kBarSwatchHeight);
    painter.fillRect(QRect(kRowAir, middle - high / 2, sizes.scaled(kBarSwatchWidth), high), m_text.fill);
}

} // namespace olab::ui
