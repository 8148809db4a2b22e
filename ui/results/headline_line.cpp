#include "results/headline_line.h"

#include "base/look_watch.h"
#include "results/wrapped_line.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>

#include <QAccessible>
#include <QHBoxLayout>
#include <QToolButton>

namespace olab {

namespace {

constexpr qsizetype kLongest = 180; // letters

} // namespace

HeadlineLine::HeadlineLine(QWidget* parent)
    : QWidget(parent)
    , m_text(new WrappedLine(QStringLiteral("headline"), 2))
    , m_more(new QToolButton) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 3, 6, 0);
    line->setSpacing(6);
    line->addWidget(m_text, 1);
    line->addWidget(m_more, 0, Qt::AlignTop);
    m_more->setText(tr("Details"));
    m_more->setAccessibleName(tr("Where the time went"));
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    setTip(*m_more, tr("Shows what each cause cost, and its places in the timeline"));
    setAccessibleName(tr("Headline"));
    connect(m_more, &QToolButton::clicked, this, &HeadlineLine::moreRequested);
    new LookWatch(*this, [this] { restyle(); });
    restyle();
    setShown(nullptr);
}

void HeadlineLine::restyle() {
    QFont bold = font();
    bold.setBold(true);
    m_text->setFont(bold);
}

QString HeadlineLine::text() const {
    return m_text->text();
}

void HeadlineLine::setShown(const ViewDataPtr& shown) {
    const AccountPtr account = shown ? shown->account() : nullptr;
    const bool says = account && raceText(shown->recording->report).empty(); // no number beside wrong data
    const QString words = says ? sentence(account->ledger().headline) : QString();
    m_text->say(cutText(words, kLongest));
    setTip(*m_text, words);
    setAccessibleDescription(words);
    setVisible(!words.isEmpty());
    if (words.isEmpty())
        return;
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace olab
