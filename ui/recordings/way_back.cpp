#include "recordings/way_back.h"

#include "base/elided_label.h"
#include "base/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace olab::ui {

namespace {

QPushButton* wayButton(const QString& text, const char* name, const QString& tip,
                       const std::function<void()>& pressed, QWidget* owner) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    setTip(*button, tip);
    QObject::connect(button, &QPushButton::clicked, owner, pressed);
    return button;
}

} // namespace

WayBack::WayBack(Wishes wishes, QWidget* parent)
    : QWidget(parent)
    , m_previous(wayButton(tr("Previous"), "wayPrevious",
                           tr("The recording above it in the table (Alt+PgUp)"), wishes.previous, this))
    , m_next(wayButton(tr("Next"), "wayNext", tr("The recording below it in the table (Alt+PgDown)"),
                       wishes.next, this))
    , m_text(new ElidedLabel) {
    setObjectName(QStringLiteral("wayBack"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 10, 2);
    row->addWidget(wayButton(tr("Back to the table"), "wayToTable", tr("The table of recordings (Ctrl+R)"),
                             wishes.back, this));
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
