#include "claims/claim_parts.h"

#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QHBoxLayout>

namespace olab::ui {

namespace {

constexpr auto kSelectable = Qt::TextSelectableByMouse;

} // namespace

QLabel* claimText(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(kSelectable);
    return label;
}

QLabel* claimHeading(const QString& text, bool large) {
    auto* label = claimText(text);
    QFont bold = label->font();
    bold.setBold(true);
    if (large)
        bold.setPixelSize(ViewStyle::of(bold).scaled(15));
    label->setFont(bold);
    label->setContentsMargins(0, large ? 0 : 8, 0, 0);
    return label;
}

QLabel* claimDimmed(const QString& text) {
    auto* label = claimText(text);
    QPalette pale = label->palette();
    pale.setColor(QPalette::WindowText, Theme::of(pale).dim);
    label->setPalette(pale);
    return label;
}

QLabel* claimRich(const RichText& text, const QString& spoken) {
    auto* label = makeRichLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(kSelectable);
    label->setAccessibleName(spoken);
    return label;
}

void addSigned(QVBoxLayout& column, const QString& sign, QWidget* words, int indent) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(indent, 0, 0, 0);
    auto* first = makeLabel(sign);
    QFont bold = first->font();
    bold.setBold(true);
    first->setFont(bold);
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace olab::ui
