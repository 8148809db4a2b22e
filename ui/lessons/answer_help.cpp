#include "lessons/answer_help.h"

#include "base/page_parts.h"
#include "lessons/lesson_words.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace olab::ui {

namespace {} // namespace

QWidget* hintOf(const std::string& hint, const char* name) {
    if (hint.empty())
        return nullptr;
    auto* const box = new QWidget;
    auto* const row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    auto* const button = new QPushButton(QObject::tr("Hint"));
    button->setObjectName(QLatin1String(name));
    QLabel* const words = wordsLabel(richSentence(hint));
    words->hide();
    row->addWidget(button, 0, Qt::AlignTop | Qt::AlignLeft);
    row->addWidget(words, 1);
    QObject::connect(button, &QPushButton::clicked, box, [button, words] {
        words->show();
        button->hide();
    });
    return box;
}

QLabel* whyOf(const lesson::CheckOutcome& answer) {
    if (answer.why.empty())
        return nullptr;
    QLabel* const label = wordsLabel(richSentence(answer.why));
    label->setObjectName(QStringLiteral("answerWhy"));
    label->setIndent(label->fontMetrics().averageCharWidth() * 2);
    return label;
}

} // namespace olab::ui
