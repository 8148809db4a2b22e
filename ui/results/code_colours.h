// The colours of a CUDA program's words, by the theme, and of lines that are marked: text keeps a contrast of
// 4.5:1 on all of them (tests/ui/code_test.cpp). GUI thread.
#pragma once

#include <olab/ui/theme.h>

#include <QColor>
#include <QSyntaxHighlighter>

#include <array>

namespace olab::ui {

enum class CodeWord : std::uint8_t { Keyword, Number, String, Cuda, Directive, Comment };
inline constexpr std::size_t kCodeWords = 6;
/// Why a line stands out. Each has a sign beside its number, too: nothing depends on colour alone.
enum class LineMark : std::uint8_t { None, Option, Selected, Added, Removed };
inline constexpr std::size_t kLineMarks = 5;

QColor codeColour(const Theme& theme, CodeWord word);
QColor markColour(const Theme& theme, LineMark mark); ///< of the line; that of None is the base
QChar markSign(LineMark mark);                        ///< a blank for None

class CodeColours final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit CodeColours(QTextDocument* document);
    void setTheme(const Theme& theme); ///< colours everything anew

protected:
    void highlightBlock(const QString& text) override;

private:
    const Theme* m_theme;
};

} // namespace olab::ui
