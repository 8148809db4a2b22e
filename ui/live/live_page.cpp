#include "live/live_page.h"

#include "base/page_parts.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace olab::ui {

LiveAccount::LiveAccount(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("liveAccount"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LiveAccount::sizeHint() const {
    return {1, ViewStyle::of(font()).scaled(30)};
}

void LiveAccount::setLedger(const analysis::Ledger* ledger, Ns longest) {
    m_pieces = ledger ? ledgerPieces(*ledger) : std::vector<LedgerPiece>{};
    std::erase_if(m_pieces, [](const LedgerPiece& piece) { return piece.length <= 0; });
    Ns all = 0;
    for (const LedgerPiece& piece : m_pieces)
        all += piece.length;
    m_longest = std::max({longest, all, Ns{1}});
    setAccessibleName(ledger ? sumText(*ledger) : tr("No account of this pass"));
    setTip(*this, accessibleName());
    update();
}

void LiveAccount::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    const ViewStyle style = ViewStyle::of(font());
    const QRect room = rect().adjusted(style.scaled(10), 2, -style.scaled(10), -2);
    painter.setFont(style.smallFont(font(), true));
    double x = room.left();
    for (const LedgerPiece& piece : m_pieces) {
        const double wide = static_cast<double>(piece.length) / static_cast<double>(m_longest) * room.width();
        const QRectF box(x, room.top(), wide, room.height());
        x += wide;
        const QColor fill = colourOf(piece, theme);
        painter.fillRect(box, hatchedBrush(fill, hatchOf(piece)));
        painter.setPen(inkOn(fill));
        painter.drawText(box.adjusted(style.scaled(4), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         labelOf(piece, painter.fontMetrics(), static_cast<int>(wide) - style.scaled(8)));
    }
}

namespace {

constexpr int kWordsMs = 100; // people read no faster; the roll has every pass

QString numbersOf(const recording::LivePass& pass) {
    const QString numbers = LivePage::tr("pass %1 · %2")
                                .arg(countText(static_cast<std::uint64_t>(pass.number)),
                                     durationText(pass.recording->trace.deviceSpan().length()));
    return pass.between > 0 ? LivePage::tr("%1 · %2 since the last").arg(numbers, durationText(pass.between))
                            : numbers;
}

} // namespace

LivePage::LivePage(QWidget* parent)
    : QWidget(parent)
    , m_headline(new HeadlineLine)
    , m_verdicts(new VerdictStrip)
    , m_account(new LiveAccount)
    , m_roll(new LiveRoll)
    , m_said(new ElidedLabel) {
    nameWidget(*this, "live", tr("Live"));
    setFocusPolicy(Qt::StrongFocus);
    for (QWidget* each : std::initializer_list<QWidget*>{m_headline, m_verdicts}) {
        QSizePolicy policy = each->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // a pass without an account moves nothing
        each->setSizePolicy(policy);
    }
    auto* column = columnIn(this, {0, 0, 0, 6}, 4);
    column->addWidget(buildHead());
    column->addWidget(m_headline);
    column->addWidget(m_verdicts);
    column->addWidget(m_account);
    column->addWidget(m_roll, 1);
    m_said->setContentsMargins(10, 0, 10, 0);
    column->addWidget(m_said);
}

QWidget* LivePage::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 10, 2});
    m_where = lineLabel({}, {}, true);
    m_numbers = makeLabel({});
    m_pause = makeButton(tr("Pause"), QStringLiteral("livePause"), tr("Stops, or goes on (Space)"));
    m_keep = makeButton(tr("Keep this pass"), QStringLiteral("liveKeep"),
                        tr("The newest pass becomes a run of the list (K)"));
    QPushButton* const back =
        makeButton(tr("Back"), QStringLiteral("liveBack"), tr("Stops, and goes to the timeline (Esc twice)"));
    connect(m_pause, &QPushButton::clicked, this, &LivePage::pauseRequested);
    connect(m_keep, &QPushButton::clicked, this, &LivePage::keepRequested);
    connect(back, &QPushButton::clicked, this, &LivePage::backRequested);
    for (QPushButton* button : {m_pause, m_keep, back})
        button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_where, 1);
    row->addWidget(m_numbers);
    for (QWidget* button : {m_pause, m_keep, back})
        row->addWidget(button);
    return head;
}

void LivePage::setState(State state, const QString& where) {
    m_where->setText(where);
    m_pause->setText(state == State::Stopped ? tr("Go on") : tr("Pause"));
    if (state == State::Starting) {
        m_said->clear();
        m_newest.reset();
        m_longest = 0;
        m_roll->clear();
        m_sinceWords.invalidate();
    }
    if (state == State::Stopped && m_newest)
        showWords();
    m_keep->setEnabled(m_newest != nullptr);
}

void LivePage::add(const LiveNewsPtr& news) {
    m_newest = news;
    m_roll->add(news);
    m_keep->setEnabled(true);
    m_longest = std::max(m_longest - m_longest / 32, news->shown->trace().deviceSpan().length());
    const recording::LivePass& pass = news->pass;
    if (!pass.changed.empty())
        m_said->setText(pass.freshProcess
                            ? tr("Changed: %1. These options need a process of their own: it was started.")
                                  .arg(changeText(pass.changed))
                            : tr("Changed: %1").arg(changeText(pass.changed)));
    if (!m_sinceWords.isValid() || m_sinceWords.elapsed() >= kWordsMs || !pass.changed.empty())
        showWords();
    emit added();
}

void LivePage::showWords() {
    m_sinceWords.start();
    m_numbers->setText(numbersOf(m_newest->pass));
    m_headline->setShown(m_newest->shown);
    m_verdicts->setShown(m_newest->shown);
    const auto account = m_newest->shown->account();
    m_account->setLedger(account ? &account->ledger() : nullptr, m_longest);
}

void LivePage::say(const QString& text) {
    m_said->setText(text);
}

void LivePage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space)
        return emit pauseRequested();
    if (event->key() == Qt::Key_K)
        return emit keepRequested();
    if (event->key() == Qt::Key_Escape)
        return emit backRequested();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
