#include "experiment/form_parts.h"

#include "base/page_parts.h"

#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QEvent>
#include <QPainter>

namespace olab::ui {

Fold::Fold(const QString& title, bool open, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_heading(new QToolButton(this))
    , m_body(new QWidget(this)) {
    auto* column = columnIn(this, {0, 6, 0, 0}, 2);
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_heading->setCheckable(true);
    m_heading->setAutoRaise(true);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_heading->setSizePolicy(QSizePolicy::Ignored,
                             QSizePolicy::Fixed); // long titles must not widen the panel
    m_heading->setFocusPolicy(Qt::StrongFocus);
    column->addWidget(m_heading);
    column->addWidget(m_body);
    connect(m_heading, &QToolButton::toggled, this, [this](bool checked) { setOpen(checked); });
    setChanged(0);
    setOpen(open);
}

void Fold::setOpen(bool open) {
    m_heading->setChecked(open);
    m_heading->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(open);
}

void Fold::setChanged(int count) {
    m_heading->setText(
        count == 0 ? m_title
                   : counted("%1   (%n changed)", "%1   (%n changed)", static_cast<std::uint64_t>(count))
                         .arg(m_title));
}

namespace {

constexpr int kSide = 14;

} // namespace

ChangeMark::ChangeMark(QWidget* parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QSizePolicy keeps = sizePolicy();
    keeps.setRetainSizeWhenHidden(true); // nothing moves when a mark comes or goes
    setSizePolicy(keeps);
    setCursor(Qt::PointingHandCursor);
    hide();
}

void ChangeMark::setKind(Kind kind) {
    m_kind = kind;
    setVisible(kind != Kind::None);
    update();
}

QSize ChangeMark::sizeHint() const {
    const int side = ViewStyle::of(font()).scaled(kSide);
    return {side, side};
}

bool ChangeMark::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

/// Filled for what a person changed, a ring for what the preset did: not told apart by colour alone.
void ChangeMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    const QColor colour = m_kind == Kind::ByPerson ? theme.accent : theme.dim;
    const double side = std::min(width(), height());
    const QRectF room(width() / 2.0 - side / 2, height() / 2.0 - side / 2, side, side);
    painter.setPen(QPen(colour, side / 9));
    if (underMouse() || hasFocus())
        return paintArrow(painter, room.adjusted(side / 5, side / 5, -side / 5, -side / 5));
    if (m_kind == Kind::ByPerson)
        painter.setBrush(colour);
    painter.drawEllipse(room.center(), side / 4, side / 4);
}

/// Round and back.
void ChangeMark::paintArrow(QPainter& painter, const QRectF& room) const {
    constexpr int kDegree = 16, kFrom = 150, kRound = -290;
    painter.drawArc(room, kFrom * kDegree, kRound * kDegree);
    const double tip = room.width() / 2.4;
    const QPointF at(room.left() + room.width() * 0.07, room.top() + room.height() * 0.28);
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(
        QPolygonF{{at + QPointF(0, tip * 0.6), at + QPointF(0, -tip * 0.6), at + QPointF(tip, tip * 0.4)}});
}

} // namespace olab::ui
