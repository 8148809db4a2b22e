#include "lessons/step_text.h"

#include "base/page_parts.h"
#include "lessons/lesson_words.h"
#include "pictures/svg_picture.h"
#include "results/code_view.h"

#include <olab/ui/format.h>
#include <olab/ui/view_style.h>

#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

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
    label->setObjectName(QStringLiteral("lessonCode"));
    label->setAccessibleName(QObject::tr("CUDA code of the experiment"));
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
