#include "lessons/lesson_words.h"

#include <olab/claims/claim_table.h>
#include <olab/lesson/lesson_file.h>
#include <olab/ui/format.h>

#include <QRegularExpression>
#include <QStringList>

namespace olab::ui {

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

} // namespace olab::ui
