#include "live/live_account.h"

#include "base/plain_text.h"

#include <olab/ui/view_style.h>

#include <QPainter>

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

} // namespace olab::ui
