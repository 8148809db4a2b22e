#include "results/ledger_row.h"

#include "base/page_parts.h"

#include <olab/analysis/rules.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QGridLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

#include <cmath>

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
    auto* line = rowIn(box, {}, 2);
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

namespace {

/// "24.6 ms · 65 %"; of what is less than one per cent no share.
QString amountOf(Ns part, const analysis::Ledger& ledger) {
    const double share = static_cast<double>(part) / static_cast<double>(std::max<Ns>(ledger.measured, 1));
    return share < 0.01 ? durationText(part)
                        : QStringLiteral("%1 · %2").arg(durationText(part), percentLabel(share));
}

/// What the sentence does not say already: what mending it alone brings, where that is another number and no
/// other has to be fixed with it, and all the waiting.
QString factsOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger, const QString& said) {
    QStringList facts;
    const auto add = [&](const QString& words, Ns time) {
        if (!said.contains(durationText(time)))
            facts << words.arg(durationText(time));
    };
    const double differs = std::abs(static_cast<double>(entry.gain - entry.cost));
    if (entry.onlyWith.empty() && differs > 3 * analysis::kSmallCost * static_cast<double>(ledger.measured))
        add(tr("fixing this alone saves %1"), std::max<Ns>(entry.gain, 0));
    if (entry.waited > 0)
        add(tr("waited %1 in sum"), entry.waited);
    if (entry.cost <= 0)
        facts << (entry.gain > 0 ? tr("nothing more once those above are fixed")
                                 : tr("hidden: costs nothing"));
    return facts.join(QStringLiteral(" · "));
}

/// "issued by cudaLaunchKernel in forward, in ProfilerStep#3 · at 1.20 s"
QString placeOf(const analysis::CostlyWait& costly, const view::ViewData& shown) {
    const Trace& trace = shown.trace();
    const auto name = [&trace](ActivityIndex row) {
        return cutText(fromText(trace.text(trace.nameOf(row))), kLongestLine / 2);
    };
    QStringList ranges;
    for (const ActivityIndex range : costly.ranges)
        ranges << tr("in %1").arg(name(range));
    const QString at = tr("at %1").arg(durationText(costly.own.begin - shown.zero()));
    if (costly.call == kNoActivity)
        return at;
    QString code = tr("issued by %1").arg(name(costly.call));
    if (!ranges.isEmpty())
        code += QLatin1Char(' ') + ranges.join(QStringLiteral(", "));
    return code + QStringLiteral(" · ") + at;
}

QString idealSentence(const analysis::Ledger& ledger) {
    const QString text =
        tr("What this pipeline needs: the same work in the same streams on the same engines, "
           "without any of the causes.");
    return ledger.cut <= 0 ? text
                           : text + tr(" The ideal run of the model is longer than the run: %1 are "
                                       "taken off.")
                                        .arg(durationText(ledger.cut));
}

QString textOf(const LedgerPiece& piece, const analysis::Ledger& ledger) {
    if (piece.kind == LedgerPiece::Kind::Ideal)
        return idealSentence(ledger);
    return tr("Model error: %1.").arg(modelErrorText(ledger));
}

} // namespace

LedgerRowText rowOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger,
                    const analysis::Finding* finding, const Theme& theme) {
    LedgerRowText row;
    row.title = causeTitle(entry.cause);
    row.title.replace(0, 1, row.title.at(0).toUpper());
    row.amount = entry.cost <= 0  ? (entry.gain > 0 ? tr("nothing more") : tr("costs nothing"))
                 : entry.isAtMost ? tr("up to %1").arg(amountOf(entry.cost, ledger))
                                  : amountOf(entry.cost, ledger);
    row.sentence = sentence(finding ? finding->text : entry.text);
    row.facts = factsOf(entry, ledger, row.sentence);
    row.fill = hatchedBrush(theme.colour(entry.cause), hatchOf(entry.cause));
    row.places = entry.activities;
    row.allPlaces = entry.count;
    return row;
}

LedgerRowText rowOf(const analysis::Finding& finding, const QString& status, const Theme& theme) {
    LedgerRowText row;
    const analysis::RuleRow* rule = analysis::ruleOf(finding.id);
    row.title = rule ? sentence(rule->title) : fromText(finding.id);
    row.amount = finding.lost > 0 ? durationText(finding.lost) : finding.waited > 0 ? tr("hidden") : status;
    row.sentence = sentence(finding.text);
    row.fill = theme.accent;
    row.places = finding.activities;
    return row;
}

LedgerRowText rowOf(const analysis::CostlyWait& costly, const view::ViewData& shown, const Theme& theme) {
    LedgerRowText row;
    row.title = sentence(analysis::activityName(shown.facts, costly.wait.op));
    row.amount = durationText(costly.own.length());
    row.sentence = causeTitle(costly.wait.cause);
    if (costly.wait.blocker != kNoActivity && costly.wait.blocker != costly.call)
        row.sentence =
            tr("%1, for %2")
                .arg(row.sentence, sentence(analysis::activityName(shown.facts, costly.wait.blocker)));
    row.facts = placeOf(costly, shown);
    row.fill = hatchedBrush(theme.colour(costly.wait.cause), hatchOf(costly.wait.cause));
    row.places = {costly.wait.op};
    return row;
}

LedgerRowText rowOf(const LedgerPiece& piece, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = titleOf(piece);
    row.amount =
        (piece.length < 0 ? QStringLiteral("−") : QString()) + amountOf(std::abs(piece.length), ledger);
    row.sentence = textOf(piece, ledger);
    row.fill = hatchedBrush(colourOf(piece, theme), hatchOf(piece));
    return row;
}

LedgerRowText rowOf(const analysis::IfIndependent& told, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = tr("if kernels in a row do not need each other");
    row.amount = tr("up to %1 less").arg(amountOf(told.gain, ledger));
    row.sentence = sentence(told.text);
    row.fill = hatchedBrush(theme.ideal, Qt::BDiagPattern);
    row.places = told.activities;
    return row;
}

} // namespace olab::ui
