// Lines of a program with their numbers and what marks them. Read-only; a click or Enter chooses a line.
#pragma once

#include <olab/code/cuda_code.h>
#include <olab/ui/theme.h>

#include <QColor>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

#include <array>
#include <vector>

namespace olab::ui {

/// The colours of a CUDA program's words, by the theme, and of lines that are marked: text keeps a contrast
/// of 4.5:1 on all of them (tests/ui/code_test.cpp). GUI thread.
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

class CodeView final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);
    /// A program, or two as one: what is removed has no number. The place that is read stays where it is.
    void setLines(std::vector<code::DiffLine> lines);
    const std::vector<code::DiffLine>& lines() const { return m_lines; }
    /// One of each line; what a line is by its change goes before. Brings marked ones into view.
    void setMarks(std::vector<LineMark> marks, bool bringIntoView);
    LineMark markOf(std::size_t line) const;
    void goTo(int line);

    int currentLine() const { return textCursor().blockNumber(); } ///< that Enter chooses

signals:
    void lineChosen(int line);
    void lineEntered(int line); ///< chosen by Enter
    void lineRead(int line);    ///< the cursor came to it, or the focus to the cursor

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Gutter;
    void applyLook();
    void applyMarks();
    void cursorMoved();
    void addStripe(QList<QTextEdit::ExtraSelection>& stripes, int line, const QColor& ground) const;
    void placeGutter();
    void paintGutter(QPaintEvent& event);
    int gutterWidth() const { return fontMetrics().horizontalAdvance(QStringLiteral(" 9999 + ")); }
    void showMarked();
    void showLine(std::size_t line);
    std::vector<code::DiffLine> m_lines;
    std::vector<int> m_numbers; ///< of each line; 0: it is removed
    std::vector<LineMark> m_marks;
    CodeColours* m_colours;
    Gutter* m_gutter;
};

} // namespace olab::ui
