#include "lessons/step_text.h"

#include "pictures/painted.h"
#include "results/code_view.h"

#include <olab/claims/claim_table.h>
#include <olab/lesson/lesson_file.h>
#include <olab/ui/format.h>

#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

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

namespace {

/// Letters, in which the id of a claim is a link to it.
RichText lettersOf(const QString& letters) {
    static const QRegularExpression id(QStringLiteral("\\b\\d{3}-\\d{1,2}\\b"));
    RichText made;
    qsizetype from = 0;
    for (const QRegularExpressionMatch& match : id.globalMatch(letters)) {
        if (!claims::findClaim(match.captured().toStdString()))
            continue;
        made += RichText("%1", {letters.mid(from, match.capturedStart() - from)});
        made += RichText("<a href='claim:%1'>%1</a>", {match.captured()});
        from = match.capturedEnd();
    }
    made += RichText("%1", {letters.mid(from)});
    return made;
}

RichText spanOf(const lesson::TextSpan& span) {
    const QString letters = sentence(span.text);
    switch (span.style) {
    case lesson::SpanStyle::Strong:
        return RichText("<b>%1</b>", {letters});
    case lesson::SpanStyle::Emphasis:
        return RichText("<i>%1</i>", {letters});
    case lesson::SpanStyle::Code:
        return RichText("<code>%1</code>", {fromText(span.text)});
    case lesson::SpanStyle::Plain:
        break;
    }
    return lettersOf(letters);
}

RichText spansOf(const lesson::TextBlock& block) {
    RichText made;
    for (const lesson::TextSpan& span : block.spans)
        made += spanOf(span);
    return made;
}

/// Its lines stay lines; each is made visible by itself.
RichText codeOf(const lesson::TextBlock& block) {
    QStringList lines;
    for (const QString& line : exactText(block.spans.front().text).split(QLatin1Char('\n')))
        lines << shownText(line);
    return RichText("<pre style='white-space:pre-wrap'>%1</pre>", {lines.join(QLatin1Char('\n'))});
}

RichText linesOf(const lesson::TextBlock& block) {
    RichText lines;
    for (const lesson::TextSpan& line : block.spans)
        lines +=
            RichText("<p style='white-space:pre-wrap;margin:0'><code>%1</code></p>", {exactText(line.text)});
    return lines;
}

} // namespace

RichText richText(const lesson::TextBlock& block) {
    switch (block.kind) {
    case lesson::BlockKind::Heading:
        return RichText::wrap("<p><b>%1</b></p>", spansOf(block));
    case lesson::BlockKind::Item:
    case lesson::BlockKind::Numbered:
        return RichText::wrap("<p style='margin-left:14px'>&bull; %1</p>", spansOf(block));
    case lesson::BlockKind::Code:
        return codeOf(block);
    case lesson::BlockKind::Figure: // where there is no room for it
        return RichText::wrap("<p><i>%1</i></p>", richSentence(block.spans[1].text));
    case lesson::BlockKind::Excerpt:
        return linesOf(block);
    case lesson::BlockKind::Paragraph:
        break;
    }
    return RichText::wrap("<p>%1</p>", spansOf(block));
}

RichText richText(const lesson::LessonText& text) {
    RichText made;
    for (const lesson::TextBlock& block : text)
        made += richText(block);
    return made;
}

RichText richSentence(std::string_view markdown) {
    RichText made;
    for (const lesson::TextBlock& block : lesson::lessonText(markdown))
        made += spansOf(block);
    return made;
}

QString plainSentence(std::string_view markdown) {
    return sentence(lesson::plainWords(lesson::lessonText(markdown)));
}

namespace {

constexpr int kWidestFigure = 380, kUsualFigure = 260; // in usual type
constexpr std::size_t kIndent = 4;                     // of the program, for each level
constexpr int kLevelWidth = 10;                        // of a level here, in pixels

void addFigure(QVBoxLayout& column, const lesson::TextBlock& block) {
    column.addWidget(new FigureView(block));
    if (block.spans.size() > 2 && !block.spans[2].text.empty())
        column.addWidget(wordsLabel(RichText::wrap("<p><i>%1</i></p>", richSentence(block.spans[2].text))));
}

void addExcerpt(QVBoxLayout& column, const lesson::TextBlock& block) {
    auto* label = wordsLabel(excerptText(block, Theme::of(QGuiApplication::palette())));
    nameWidget(*label, "lessonCode", QObject::tr("CUDA code of the experiment"));
    QSizePolicy policy(QSizePolicy::Ignored,
                       QSizePolicy::Preferred); // a long word does not push the text out of sight
    policy.setHeightForWidth(true);
    label->setSizePolicy(policy);
    column.addWidget(label);
}

/// With places to break a line at: behind a bracket or a comma, as a person would.
QString codeToWrap(QString code) {
    for (const QLatin1Char mark : {QLatin1Char('('), QLatin1Char(',')})
        code.replace(mark, QString(mark) + QChar(0x200b));
    return code;
}

} // namespace

RichText excerptText(const lesson::TextBlock& block, const Theme& theme) {
    RichText text;
    for (const lesson::TextSpan& line : block.spans) {
        const std::size_t blanks = std::min(line.text.find_first_not_of(' '), line.text.size());
        const bool isLit = line.style == lesson::SpanStyle::Strong;
        const QColor ground = isLit ? markColour(theme, LineMark::Option) : theme.base;
        const QString left = QString::number(static_cast<int>(blanks / kIndent) * kLevelWidth);
        text += RichText(
            "<p "
            "style='margin-top:0;margin-bottom:0;margin-left:%1px;background-color:%2'><code>%3%4</code></p>",
            {left, ground.name(), isLit ? QStringLiteral("\u25b8 ") : QString(),
             codeToWrap(exactText(line.text.substr(blanks)))});
    }
    return text;
}

void addStepText(QVBoxLayout& column, const lesson::LessonText& text) {
    RichText words;
    const auto flush = [&] {
        if (!words.html().isEmpty())
            column.addWidget(wordsLabel(std::exchange(words, {})));
    };
    for (const lesson::TextBlock& block : text) {
        const bool isFigure = block.kind == lesson::BlockKind::Figure;
        if (!isFigure && block.kind != lesson::BlockKind::Excerpt) {
            words += richText(block);
            continue;
        }
        flush();
        isFigure ? addFigure(column, block) : addExcerpt(column, block);
    }
    flush();
}

FigureView::FigureView(const lesson::TextBlock& block, QWidget* parent)
    : QWidget(parent)
    , m_svg(block.spans[0].text)
    , m_shape(svgHeightPerWidth(m_svg)) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setObjectName(QStringLiteral("lessonFigure"));
    const QString about = plainSentence(block.spans[1].text);
    setAccessibleName(about);
    setTip(*this, about);
}

int FigureView::pictureWidth(int room) const {
    return std::clamp(room, 1, ViewStyle::of(font()).scaled(kWidestFigure));
}

int FigureView::heightForWidth(int width) const {
    return static_cast<int>(pictureWidth(width) * m_shape) + 4;
}

QSize FigureView::sizeHint() const {
    const int wide = ViewStyle::of(font()).scaled(kUsualFigure);
    return {wide, heightForWidth(wide)};
}

void FigureView::paintEvent(QPaintEvent*) {
    const int wide = pictureWidth(width());
    const double ratio = devicePixelRatioF();
    if (m_picture.isNull() || m_picture.width() != static_cast<int>(std::lround(wide * ratio)))
        m_picture = svgImage(m_svg, wide, ratio);
    QPainter painter(this);
    painter.drawImage(QPoint(0, 2), m_picture);
}

} // namespace olab::ui
