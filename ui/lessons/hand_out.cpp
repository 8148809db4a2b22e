#include "lessons/hand_out.h"

#include "lessons/lesson_words.h"
#include "pictures/picture_painter.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QTextEdit>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr QSizeF kPage(960, 540); // points: 16:9
constexpr double kMargin = 36;
constexpr int kLargestType = 20, kSmallestType = 8;

RichText questionText(const LessonState& state) {
    RichText text;
    if (!state.now().question)
        return text;
    text += RichText("<p><b>%1</b></p>", {plainSentence(state.now().question->text)});
    std::size_t number = 0;
    for (const lesson::LessonAnswer& answer : state.now().question->answers) {
        const bool right = state.revealed && state.outcome &&
                           state.outcome->answers[number].outcome == lesson::Outcome::Holds;
        text += RichText("<p style='margin-left:14px'>%1 %2</p>",
                         {right ? QStringLiteral("☒") : QStringLiteral("☐"), plainSentence(answer.text)});
        ++number;
    }
    return text;
}

RichText barsText(const LessonState& state) {
    RichText text;
    if (!state.now().bars)
        return text;
    text += RichText("<p><b>%1</b></p>", {plainSentence(state.now().bars->text)});
    for (const lesson::LessonBar& bar : state.now().bars->bars)
        text += RichText("<p style='margin-left:14px'>☐ %1</p>", {fromText(bar.label)});
    return text;
}

RichText resultText(const LessonState& state) {
    RichText text;
    if (!state.outcome || !state.revealed)
        return text;
    text += RichText("<p><b>%1</b></p>", {tr("Result, %1").arg(state.origin)});
    for (const lesson::CheckOutcome& check : state.outcome->checks)
        text += RichText("<p style='margin-left:14px'>%1 %2</p>",
                         {check.outcome == lesson::Outcome::Holds     ? QStringLiteral("✓")
                          : check.outcome == lesson::Outcome::Differs ? QStringLiteral("≠")
                                                                      : QStringLiteral("?"),
                          plainSentence(check.text)});
    text += richText(state.outcome->why);
    return text;
}

RichText pageText(const LessonState& state) {
    RichText text("<p>%1</p><h2>%2</h2>",
                  {tr("%1, step %2").arg(fromText(state.lesson->title)).arg(state.step + 1),
                   fromText(state.now().title)});
    text += richText(state.now().text);
    text += questionText(state);
    text += barsText(state);
    text += resultText(state);
    return text;
}

/// In the largest type with which all of it fits on one page.
void paintText(QPainter& painter, const RichText& text) {
    QTextEdit edit;
    setRichText(edit, text);
    QTextDocument& document = *edit.document();
    document.documentLayout()->setPaintDevice(painter.device());
    document.setDocumentMargin(0);
    const QSizeF room(kPage.width() - 2 * kMargin, kPage.height() - 2 * kMargin);
    for (int size = kLargestType; size >= kSmallestType; --size) {
        QFont font = pictureFont();
        font.setPixelSize(size);
        document.setDefaultFont(font);
        document.setTextWidth(room.width());
        if (document.size().height() <= room.height())
            break;
    }
    painter.save();
    painter.translate(kMargin, kMargin);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black); // paper is white, whatever the window is
    context.clip = QRectF({0, 0}, room);
    painter.setClipRect(context.clip);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

void paintRun(QPainter& painter, const view::ViewData& shown, const LessonState& state) {
    PicturePainter picture(shown, handOutPicture(state, shown));
    const double scale = kPage.width() / picture.size().width();
    painter.save();
    painter.scale(scale, scale);
    picture.paint(painter);
    painter.restore();
}

} // namespace

PictureRequest handOutPicture(const LessonState& state, const view::ViewData& shown) {
    PictureRequest request;
    request.shape = PictureShape::Wide;
    request.width = kWideWidth;
    request.bookmarks = std::vector<io::Bookmark>{};
    if (state.place) { // as in the timeline, with some air
        const Ns air = state.place->length() / 10;
        request.range = Interval{std::max(state.place->begin - air, shown.limits().begin),
                                 std::min(state.place->end + air, shown.limits().end)};
    }
    return request;
}

QByteArray handOut(const LessonState& state, const view::ViewDataPtr& shown) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter device(&buffer);
        device.setResolution(72); // a point is a pixel
        device.setPageSize(QPageSize(kPage, QPageSize::Point, {}, QPageSize::ExactMatch));
        device.setPageMargins({});
        device.setTitle(fromText(state.lesson->title));
        device.setCreator(QStringLiteral("Overlap Lab ") + QStringLiteral(OLAB_VERSION));
        QPainter painter(&device);
        paintText(painter, pageText(state));
        if (shown && state.revealed) { // its verdicts are the answer
            device.newPage();
            paintRun(painter, *shown, state);
        }
    }
    return bytes;
}

} // namespace olab::ui
