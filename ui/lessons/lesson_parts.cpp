#include "lessons/lesson_parts.h"

#include <olab/ui/theme.h>

#include <QLabel>
#include <QVBoxLayout>

namespace olab::ui {

QString outcomeMark(lesson::Outcome outcome) {
    return outcome == lesson::Outcome::Holds     ? QStringLiteral("✓")
           : outcome == lesson::Outcome::Differs ? QStringLiteral("≠")
                                                 : QStringLiteral("?");
}

void addMarkedRow(QVBoxLayout& column, const QString& mark, QWidget* words) {
    auto* row = new QHBoxLayout;
    auto* first = wordsLabel(mark, true);
    first->setWordWrap(false);
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace olab::ui
