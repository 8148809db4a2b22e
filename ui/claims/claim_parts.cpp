#include "claims/claim_parts.h"

#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QHBoxLayout>

namespace olab::ui {

QLabel* claimHeading(const QString& text, bool large) {
    QLabel* label = wordsLabel(text, true);
    QFont font = label->font();
    if (large)
        font.setPixelSize(ViewStyle::of(font).scaled(15));
    label->setFont(font);
    label->setContentsMargins(0, large ? 0 : 8, 0, 0);
    return label;
}

QLabel* claimRich(const RichText& text, const QString& spoken) {
    QLabel* label = wordsLabel(text);
    label->setAccessibleName(spoken);
    return label;
}

void addSigned(QVBoxLayout& column, const QString& sign, QWidget* words, int indent) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(indent, 0, 0, 0);
    auto* first = makeLabel(sign);
    first->setFont(boldOf(first->font()));
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace olab::ui
