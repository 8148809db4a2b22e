#include "results/headline_line.h"

#include "base/look_style.h"
#include "base/plain_text.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>

namespace olab::ui {

namespace {

constexpr QMargins kMargins(8, 1, 8, 1);
constexpr int kHeadlineType = 20; // in usual type

} // namespace

HeadlineLine::HeadlineLine(QWidget* parent)
    : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    connect(this, &QAbstractButton::clicked, this, &HeadlineLine::moreRequested);
    new LookWatch(*this, [this] { updateGeometry(); });
    setShown(nullptr);
}

void HeadlineLine::setShown(const view::ViewDataPtr& shown) {
    const view::AccountPtr account = shown ? shown->account() : nullptr;
    const bool says =
        account && analysis::raceText(shown->recording->report).empty(); // no number beside wrong data
    m_words = says ? cutText(sentence(account->ledger().headline)) : QString();
    setVisible(!m_words.isEmpty());
    setFocusPolicy(m_words.isEmpty() ? Qt::NoFocus : Qt::TabFocus);
    setAccessibleName(m_words);
    setTip(*this, m_words + QLatin1Char('\n') + tr("Click to see what each cause cost, and where."));
    updateGeometry();
    update();
    if (m_words.isEmpty())
        return;
    QAccessibleEvent event(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

QFont HeadlineLine::large() const {
    const ViewStyle sizes = ViewStyle::of(this->font()); // of a projector all type is large
    QFont font = ViewStyle::sized(this->font(), sizes.projector() ? sizes.type : kHeadlineType);
    font.setWeight(QFont::DemiBold);
    return font;
}

QString firstSentence(const QString& headline) {
    return headline.section(QStringLiteral(". "), 0, 0);
}

QString withoutAsides(QString text) {
    static const QRegularExpression aside(QStringLiteral(" \\([^()]*\\)"));
    return text.remove(aside);
}

/// What is said in brackets, in the sentences after the first and behind a comma is the first to make room.
QString HeadlineLine::lineIn(int wide) const {
    const QFontMetrics metrics(large());
    const int room = wide - kMargins.left() - kMargins.right();
    const QString first = firstSentence(m_words), brief = withoutAsides(first);
    const QString briefest = brief.section(QStringLiteral(", "), 0, 0);
    for (const QString& each : {m_words, first, brief})
        if (metrics.horizontalAdvance(each) <= room)
            return each;
    return metrics.elidedText(briefest, Qt::ElideRight, room);
}

QSize HeadlineLine::sizeHint() const {
    return QSize(1, QFontMetrics(large()).height()).grownBy(kMargins);
}

void HeadlineLine::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

void HeadlineLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(large());
    painter.setPen(Theme::of(palette()).text);
    painter.drawText(rect().marginsRemoved(kMargins), Qt::AlignLeft | Qt::AlignVCenter, lineIn(width()));
}

} // namespace olab::ui
