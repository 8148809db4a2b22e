// Lines of a program with their numbers and what marks them. Read-only; a click or Enter chooses a line.
#pragma once

#include "results/code_colours.h"

#include <olab/code/code_diff.h>

#include <QPlainTextEdit>

#include <vector>

namespace olab::ui {

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
    int gutterWidth() const;
    void showMarked();
    void showLine(std::size_t line);
    std::vector<code::DiffLine> m_lines;
    std::vector<int> m_numbers; ///< of each line; 0: it is removed
    std::vector<LineMark> m_marks;
    CodeColours* m_colours;
    Gutter* m_gutter;
};

} // namespace olab::ui
