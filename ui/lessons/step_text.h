// The text of a step as widgets: paragraphs, pictures, and the CUDA code with its lit lines. GUI thread.
#pragma once

#include "base/page_parts.h"
#include "base/plain_text.h"

#include <olab/lesson/lesson.h>
#include <olab/lesson/lesson_check.h>
#include <olab/ui/theme.h>

#include <QImage>
#include <QWidget>

#include <string>

class QVBoxLayout;

namespace olab::ui {

// Small parts that a lesson's panel is made of.

QString outcomeMark(lesson::Outcome outcome);
/// A row of two: a mark or a word, and a sentence that wraps.
void addMarkedRow(QVBoxLayout& column, const QString& mark, QWidget* words);

// A lesson's text as the window shows it: escaped letters between marks of the program's own. What a lesson's
// file holds is never markup here, and nothing is loaded.

RichText richText(const lesson::LessonText& text);
/// One paragraph.
RichText richText(const lesson::TextBlock& block);
/// A sentence of a lesson with its `code`, **strong** and *emphasis*.
RichText richSentence(std::string_view markdown);
/// The same as letters, for names and screen readers.
QString plainSentence(std::string_view markdown);

void addStepText(QVBoxLayout& column, const lesson::LessonText& text);
/// Lines of code; those that are lit have a ground of their own and a sign before them.
RichText excerptText(const lesson::TextBlock& block, const Theme& theme);

/// A picture on white, as wide as there is room, at most as wide as it is legible.
class FigureView final : public QWidget {
public:
    explicit FigureView(const lesson::TextBlock& block, QWidget* parent = nullptr);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int pictureWidth(int room) const;
    std::string m_svg;
    double m_shape; ///< height per width
    QImage m_picture;
};

} // namespace olab::ui
