#include "lessons/lesson_words.h"

#include <olab/lesson/lesson_file.h>
#include <olab/ui/format.h>

#include <QStringList>

namespace olab {

namespace {

RichText spanOf(const TextSpan& span) {
    const QString letters = sentence(span.text);
    switch (span.style) {
    case SpanStyle::Strong:
        return RichText("<b>%1</b>", {letters});
    case SpanStyle::Emphasis:
        return RichText("<i>%1</i>", {letters});
    case SpanStyle::Code:
        return RichText("<code>%1</code>", {fromText(span.text)});
    case SpanStyle::Plain:
        break;
    }
    return RichText("%1", {letters});
}

RichText spansOf(const TextBlock& block) {
    RichText made;
    for (const TextSpan& span : block.spans)
        made += spanOf(span);
    return made;
}

/// Its lines stay lines; each is made visible by itself.
RichText codeOf(const TextBlock& block) {
    QStringList lines;
    for (const QString& line : exactText(block.spans.front().text).split(QLatin1Char('\n')))
        lines << shownText(line);
    return RichText("<pre style='white-space:pre-wrap'>%1</pre>", {lines.join(QLatin1Char('\n'))});
}

} // namespace

RichText richText(const TextBlock& block) {
    switch (block.kind) {
    case BlockKind::Heading:
        return RichText::wrap("<p><b>%1</b></p>", spansOf(block));
    case BlockKind::Item:
    case BlockKind::Numbered:
        return RichText::wrap("<p style='margin-left:14px'>&bull; %1</p>", spansOf(block));
    case BlockKind::Code:
        return codeOf(block);
    case BlockKind::Paragraph:
        break;
    }
    return RichText::wrap("<p>%1</p>", spansOf(block));
}

RichText richText(const LessonText& text) {
    RichText made;
    for (const TextBlock& block : text)
        made += richText(block);
    return made;
}

RichText richSentence(std::string_view markdown) {
    RichText made;
    for (const TextBlock& block : lessonText(markdown))
        made += spansOf(block);
    return made;
}

QString plainSentence(std::string_view markdown) {
    return sentence(plainWords(lessonText(markdown)));
}

} // namespace olab
