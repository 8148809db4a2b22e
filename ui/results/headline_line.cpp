#include "results/headline_line.h"

#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QTextLayout>

namespace olab::ui {

namespace {

constexpr QMargins kMargins(8, 4, 8, 1);
const auto kMore = QStringLiteral(" ›"); // leads somewhere

} // namespace

HeadlineLine::HeadlineLine(QWidget* parent)
    : QAbstractButton(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
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
    setVisible(!m_words.isEmpty() && !m_makesRoom);
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

void HeadlineLine::setMakesRoom(bool makesRoom) {
    m_makesRoom = makesRoom;
    setVisible(!m_words.isEmpty() && !m_makesRoom);
}

QFont HeadlineLine::bold() const {
    QFont font = this->font();
    font.setBold(true);
    return font;
}

/// All lines that it takes.
QStringList HeadlineLine::wrapped(const QString& words, int wide) const {
    QTextLayout layout(words, bold());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(wide - kMargins.left() - kMargins.right(), 1));
        lines << words.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

/// What it costs stands in the second sentence: the first one is cut, and what is left over of the second.
QStringList HeadlineLine::linesIn(int wide) const {
    QStringList lines = wrapped(m_words + kMore, wide);
    if (lines.size() <= kMostLines)
        return lines;
    const qsizetype end = m_words.indexOf(QStringLiteral(". "));
    QString first = end < 0 ? QString() : m_words.left(end);
    const QString costs = m_words.mid(end + 1) + kMore;
    while (first.contains(QLatin1Char(' '))) {
        first.truncate(first.lastIndexOf(QLatin1Char(' ')));
        if (QStringList cut = wrapped(first + QStringLiteral("…") + costs, wide); cut.size() <= kMostLines)
            return cut;
    }
    const QString rest = lines.mid(kMostLines - 1).join(QString());
    lines = lines.mid(0, kMostLines - 1);
    return lines << QFontMetrics(bold()).elidedText(rest, Qt::ElideRight,
                                                    wide - kMargins.left() - kMargins.right());
}

QSize HeadlineLine::sizeHint() const {
    return QSize(1, QFontMetrics(bold()).height()).grownBy(kMargins);
}

int HeadlineLine::heightForWidth(int wide) const {
    return static_cast<int>(linesIn(wide).size()) * QFontMetrics(bold()).height() + kMargins.top() +
           kMargins.bottom();
}

void HeadlineLine::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

void HeadlineLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.setFont(bold());
    painter.setPen(theme.text);
    int y = kMargins.top();
    for (const QString& line : linesIn(width())) {
        painter.drawText(kMargins.left(), y + painter.fontMetrics().ascent(), line);
        y += painter.fontMetrics().height();
    }
}

} // namespace olab::ui
