#include "recordings/way_back.h"

#include "base/elided_label.h"
#include "base/page_parts.h"
#include "base/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace olab::ui {

WayBack::WayBack(Wishes wishes, QWidget* parent)
    : QWidget(parent)
    , m_previous(makeButton(tr("Previous"), QStringLiteral("wayPrevious"),
                            tr("The recording above it in the table (Alt+PgUp)"), wishes.previous))
    , m_next(makeButton(tr("Next"), QStringLiteral("wayNext"),
                        tr("The recording below it in the table (Alt+PgDown)"), wishes.next))
    , m_text(new ElidedLabel) {
    setObjectName(QStringLiteral("wayBack"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 10, 2);
    row->addWidget(makeButton(tr("Back to the table"), QStringLiteral("wayToTable"),
                              tr("The table of recordings (Ctrl+R)"), wishes.back));
    row->addWidget(m_previous);
    row->addWidget(m_next);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_text, 1);
    hide();
}

void WayBack::tell(const QString& text, bool hasPrevious, bool hasNext) {
    m_text->setText(text);
    m_previous->setEnabled(hasPrevious);
    m_next->setEnabled(hasNext);
    setVisible(true);
}

} // namespace olab::ui
