#include "lessons/lesson_parts.h"

#include <olab/ui/theme.h>

#include <QLabel>
#include <QVBoxLayout>

namespace olab::ui {

QLabel* stepParagraph(const RichText& text) {
    auto* label = makeRichLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* stepHeading(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

QLabel* stepDimmed(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    QPalette pale = label->palette();
    pale.setColor(QPalette::WindowText, Theme::of(pale).dim);
    label->setPalette(pale);
    return label;
}

QString outcomeMark(lesson::Outcome outcome) {
    return outcome == lesson::Outcome::Holds     ? QStringLiteral("✓")
           : outcome == lesson::Outcome::Differs ? QStringLiteral("≠")
                                                 : QStringLiteral("?");
}

void addMarkedRow(QVBoxLayout& column, const QString& mark, QWidget* words) {
    auto* row = new QHBoxLayout;
    auto* first = stepHeading(mark);
    first->setWordWrap(false);
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace olab::ui
