#include "results/code_colours.h"

#include <QRegularExpression>

namespace olab::ui {

namespace {

struct WordColour {
    const char *light, *dark;
};
constexpr std::array<WordColour, kCodeWords> kWordColours{{
    {"#1B4F9C", "#8DBBFA"}, // keyword
    {"#0B5C45", "#8AD9B8"}, // number
    {"#7A3E00", "#EBC08C"}, // string
    {"#5E2A96", "#CDB2FA"}, // cuda
    {"#6B3A4A", "#E0B0C0"}, // directive
    {"#4A5565", "#B4BECC"}, // comment
}};

struct MarkLook {
    const char *light, *dark;
    char16_t sign;
};
constexpr std::array<MarkLook, kLineMarks> kMarks{{
    {"", "", u' '},
    {"#FFF0C7", "#4A3D17", u'•'}, // option
    {"#D6E4FA", "#24406B", u'▸'}, // selected
    {"#D6EFDD", "#1F4A33", u'+'}, // added
    {"#FBD9D3", "#5E2A24", u'−'}, // removed
}};

const QRegularExpression& words() {
    static const QRegularExpression pattern(QStringLiteral(
        R"((?<comment>//.*$)|(?<string>"(?:[^"\\]|\\.)*")|(?<directive>^\s*#\w+|<[a-zA-Z_.]+>(?=\s*$)|\\$))"
        R"(|(?<cuda>\b(?:cuda\w+|cu[A-Z]\w+|CU\w+|PFN_\w+|__\w+__|__\w+|threadIdx|blockIdx|blockDim|gridDim|CHECK|DRIVER)\b|<<<|>>>))"
        R"(|(?<keyword>\b(?:auto|bool|break|char|const|constexpr|const_cast|do|double|else|exit|false|float|for|if|int|long|nullptr|reinterpret_cast|return|size_t|static|static_cast|struct|template|this|true|typename|unsigned|using|void|volatile|while)\b))"
        R"(|(?<number>\b(?:0x[0-9a-fA-F]+|[0-9][0-9.]*(?:e-?[0-9]+)?)[a-z]*\b))"));
    return pattern;
}

constexpr const char* kGroups[] = {"keyword", "number", "string", "cuda", "directive", "comment"};
static_assert(std::size(kGroups) == kCodeWords);

} // namespace

QColor codeColour(const Theme& theme, CodeWord word) {
    const WordColour& row = kWordColours[static_cast<std::size_t>(word)];
    return QColor(QLatin1String(theme.dark ? row.dark : row.light));
}

QColor markColour(const Theme& theme, LineMark mark) {
    const MarkLook& row = kMarks[static_cast<std::size_t>(mark)];
    return mark == LineMark::None ? theme.base : QColor(QLatin1String(theme.dark ? row.dark : row.light));
}

QChar markSign(LineMark mark) {
    return {kMarks[static_cast<std::size_t>(mark)].sign};
}

CodeColours::CodeColours(QTextDocument* document)
    : QSyntaxHighlighter(document)
    , m_theme(&Theme::light()) {}

void CodeColours::setTheme(const Theme& theme) {
    if (m_theme == &theme)
        return;
    m_theme = &theme;
    rehighlight();
}

void CodeColours::highlightBlock(const QString& text) {
    for (auto found = words().globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        for (std::size_t word = 0; word < kCodeWords; ++word)
            if (const qsizetype at = match.capturedStart(QLatin1String(kGroups[word])); at >= 0)
                setFormat(static_cast<int>(at), static_cast<int>(match.capturedLength()),
                          codeColour(*m_theme, static_cast<CodeWord>(word)));
    }
}

} // namespace olab::ui
