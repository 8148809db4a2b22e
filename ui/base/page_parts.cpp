#include "base/page_parts.h"

#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

namespace olab::ui {

QLabel* wrappingLabel(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

namespace {

QLabel* asWords(QLabel* label) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QLabel* wordsLabel(const QString& text, bool bold) {
    QLabel* label = asWords(makeLabel(text));
    QFont font = label->font();
    font.setBold(bold);
    label->setFont(font);
    return label;
}

QLabel* wordsLabel(const RichText& text) {
    return asWords(makeRichLabel(text));
}

QLabel* dimLabel(const QString& text) {
    QLabel* label = wordsLabel(text);
    QPalette pale = label->palette();
    pale.setColor(QPalette::WindowText, Theme::of(pale).dim);
    label->setPalette(pale);
    return label;
}

QPushButton* makeButton(const QString& text, const QString& name, const QString& tip,
                        const std::function<void()>& pressed) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    if (!tip.isEmpty())
        setTip(*button, tip);
    if (pressed)
        QObject::connect(button, &QPushButton::clicked, button, pressed);
    return button;
}

QLabel* headingLabel(const QString& text) {
    auto* label = makeLabel(text);
    label->setFont(boldOf(label->font()));
    label->setContentsMargins(0, 4, 0, 0);
    return label;
}

QString breakable(QString text) {
    constexpr QChar kMayBreak(0x200b);
    for (const char sign : {'.', '_', '>', '(', ',', '|'})
        text.replace(QLatin1Char(sign), QString(QLatin1Char(sign)) + kMayBreak);
    return text;
}

QString breakableWords(const QString& text) {
    constexpr qsizetype kLongWord = 32; // longer ones are names: of files, of kernels
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words)
        if (word.size() > kLongWord)
            word = breakable(word).replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
    return words.join(QLatin1Char(' '));
}

void addTextRow(QVBoxLayout& column, const QString& name, const QString& text, const QString& tip) {
    auto* row = new QHBoxLayout;
    auto* first = makeLabel(name);
    first->setFixedWidth(ViewStyle::of(first->font()).scaled(150));
    first->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    first->setWordWrap(true);
    setTip(*first, tip);
    row->addWidget(first);
    row->addWidget(wrappingLabel(breakableWords(text)), 1);
    column.addLayout(row);
}

QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body) {
    auto* button = new QPushButton(title);
    button->setCheckable(true);
    column.addWidget(button, 0, Qt::AlignLeft);
    column.addWidget(body);
    body->setVisible(false);
    QObject::connect(button, &QPushButton::toggled, body, &QWidget::setVisible);
    return button;
}

} // namespace olab::ui
