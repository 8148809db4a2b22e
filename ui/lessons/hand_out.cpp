#include "lessons/hand_out.h"

#include "lessons/step_text.h"
#include "pictures/painted.h"
#include "pictures/picture_painter.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QTextEdit>
#include <QUrl>

#include <algorithm>
#include <memory>
#include <utility>

namespace olab::ui {

namespace {

constexpr QSizeF kPage(960, 540); // points: 16:9
constexpr double kMargin = 36;
constexpr int kLargestType = 20, kSmallestType = 11; ///< of what fits on one page
constexpr int kTypeOfSeveral = 15;                   ///< of what does not
constexpr int kFigureWidth = 330, kFigurePixels = 1320;
constexpr int kLinesToWrite = 3, kLineLength = 60; // in letters

constexpr const char* kIndented = "<p style='margin-left:14px'>%1</p>";

QString boxOf(const lesson::CheckOutcome* outcome) {
    return outcome && outcome->outcome == lesson::Outcome::Holds ? QStringLiteral("☒") : QStringLiteral("☐");
}

RichText indented(const QString& words) {
    return RichText(kIndented, {words});
}

RichText questionText(const PaperStep& step) {
    const LessonState& state = step.state;
    RichText text;
    if (!state.now().question)
        return text;
    const lesson::LessonQuestion& question = *state.now().question;
    text += RichText("<p><b>%1</b></p>", {plainSentence(question.text)});
    if (step.isTeachers && !question.hint.empty())
        text += RichText("<p><i>%1</i></p>", {tr("Hint: %1").arg(plainSentence(question.hint))});
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        const lesson::CheckOutcome* const outcome =
            state.revealed && state.outcome ? &state.outcome->answers[i] : nullptr;
        text += RichText("<p style='margin-left:14px'>%1 %2</p>",
                         {boxOf(outcome), plainSentence(question.answers[i].text)});
        if (step.isTeachers && outcome && !outcome->why.empty())
            text += RichText("<p style='margin-left:34px'><i>%1</i></p>", {plainSentence(outcome->why)});
    }
    return text;
}

/// With room to draw in, from left to right.
RichText barsText(const LessonState& state) {
    RichText text;
    if (!state.now().bars)
        return text;
    text += RichText("<p><b>%1</b></p>", {plainSentence(state.now().bars->text)});
    for (const lesson::LessonBar& bar : state.now().bars->bars)
        text +=
            indented(fromText(bar.label) + QStringLiteral("  |") + QString(kLineLength, QLatin1Char('_')));
    return text;
}

RichText resultText(const LessonState& state) {
    RichText text;
    if (!state.outcome || !state.revealed)
        return text;
    text += RichText("<p><b>%1</b></p>", {tr("Result, %1").arg(state.origin)});
    for (const lesson::CheckOutcome& check : state.outcome->checks)
        text += RichText("<p style='margin-left:14px'>%1 %2</p>",
                         {outcomeMark(check.outcome), plainSentence(check.text)});
    text += richText(state.outcome->why);
    return text;
}

/// What students do by themselves; a teacher has what comes of it.
RichText tasksText(const PaperStep& step) {
    const lesson::LessonStep& now = step.state.now();
    RichText text;
    if (now.writing) {
        text += RichText("<p><b>%1</b></p>", {plainSentence(now.writing->text)});
        if (step.isTeachers && step.state.outcome)
            text += indented(plainSentence(step.state.outcome->model));
        for (int line = 0; !step.isTeachers && line < kLinesToWrite; ++line)
            text += indented(QString(kLineLength, QLatin1Char('_')));
    }
    if (now.exercise) {
        text += RichText("<p><b>%1</b></p>", {tr("Your turn: %1").arg(plainSentence(now.exercise->task))});
        QStringList options;
        for (const std::string& option : now.exercise->options)
            options << fromText(option);
        text += indented(tr("Options: %1").arg(options.join(QStringLiteral(", "))));
        text +=
            indented(step.isTeachers ? tr("A solution: %1=%2")
                                           .arg(fromText(now.exercise->solution.first),
                                                fromText(now.exercise->solution.second))
                                     : tr("My change: %1").arg(QString(kLineLength / 2, QLatin1Char('_'))));
    }
    return text;
}

/// The text of one step as a document, with its pictures.
class StepPaper {
public:
    StepPaper(const PaperStep& step, QPaintDevice& device) {
        const LessonState& state = step.state;
        RichText text("<p>%1</p><h2>%2</h2>",
                      {tr("%1, step %2").arg(fromText(state.lesson->title)).arg(state.step + 1),
                       fromText(state.now().title)});
        text += stepText(state.now().text);
        text += questionText(step);
        text += barsText(state);
        text += resultText(state);
        text += tasksText(step);
        QTextEdit edit;
        setRichText(edit, text);
        m_document.reset(edit.document()->clone()); // that of an edit has the width of the edit
        for (std::size_t i = 0; i < m_figures.size(); ++i)
            document().addResource(QTextDocument::ImageResource, QUrl(figureName(i)), m_figures[i]);
        document().documentLayout()->setPaintDevice(&device);
        document().setDocumentMargin(0);
        fit();
    }
    int pages() const { return m_document->pageCount(); }
    void paint(QPainter& painter, int page) {
        painter.save();
        painter.translate(kMargin, kMargin - page * room().height());
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, Qt::black); // paper is white, whatever the window is
        context.clip = QRectF({0, page * room().height()}, room());
        painter.setClipRect(context.clip);
        document().documentLayout()->draw(&painter, context);
        painter.restore();
    }

private:
    static QSizeF room() { return {kPage.width() - 2 * kMargin, kPage.height() - 2 * kMargin}; }
    QTextDocument& document() { return *m_document; }
    static QString figureName(std::size_t number) { return QStringLiteral("figure:%1").arg(number); }
    RichText stepText(const lesson::LessonText& blocks) {
        RichText text;
        for (const lesson::TextBlock& block : blocks)
            text += block.kind == lesson::BlockKind::Figure    ? figure(block)
                    : block.kind == lesson::BlockKind::Excerpt ? excerptText(block, Theme::light())
                                                               : richText(block);
        return text;
    }
    RichText figure(const lesson::TextBlock& block) {
        const QString name = figureName(m_figures.size());
        const double high = kFigureWidth * svgHeightPerWidth(block.spans[0].text);
        m_figures.push_back(svgImage(block.spans[0].text, kFigurePixels, 1));
        RichText text("<p><img src='%1' width='%2' height='%3'></p>",
                      {name, QString::number(kFigureWidth), QString::number(static_cast<int>(high))});
        if (block.spans.size() > 2 && !block.spans[2].text.empty())
            text += RichText("<p><i>%1</i></p>", {plainSentence(block.spans[2].text)});
        return text;
    }
    /// One page in the largest type with which it fits, or several in a type that is still read.
    void fit() {
        for (int size = kLargestType; size >= kSmallestType; --size) {
            setType(size);
            if (pages() == 1)
                return;
        }
        setType(kTypeOfSeveral);
    }
    void setType(int size) {
        QFont font = pictureFont();
        font.setPixelSize(size);
        document().setDefaultFont(font);
        document().setPageSize(room());
    }
    std::unique_ptr<QTextDocument> m_document;
    std::vector<QImage> m_figures;
};

void paintRun(QPainter& painter, const view::ViewData& shown, const LessonState& state) {
    PicturePainter picture(shown, handOutPicture(state, shown));
    const double scale = kPage.width() / picture.size().width();
    painter.save();
    painter.scale(scale, scale);
    picture.paint(painter);
    painter.restore();
}

/// With what its run says; `runs` are those of the steps before, and get this one.
void addOutcome(PaperStep& paper, lesson::LessonRuns& runs) {
    const auto run = std::make_shared<const lesson::LessonRun>(paper.run->recording);
    paper.state.outcome = lesson::judgeStep(paper.state.now(), *run, runs);
    paper.state.origin = sentence(lesson::originText(*paper.run->recording));
    paper.state.revealed = true;
    if (const std::string& name = paper.state.now().experiment->name; !name.empty())
        runs[name] = run;
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
    return lessonPdf({{state, shown}});
}

std::vector<PaperStep> paperSteps(const lesson::Lesson& lesson, bool isTeachers,
                                  const std::function<view::ViewDataPtr(std::size_t)>& runOf) {
    std::vector<PaperStep> steps;
    lesson::LessonRuns runs;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        PaperStep& paper =
            steps.emplace_back(PaperStep{{.lesson = &lesson, .step = step}, nullptr, isTeachers});
        if (isTeachers && lesson.steps[step].experiment && (paper.run = runOf(step)))
            addOutcome(paper, runs);
    }
    return steps;
}

QByteArray lessonPdf(const std::vector<PaperStep>& steps) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter device(&buffer);
        device.setResolution(72); // a point is a pixel
        device.setPageSize(QPageSize(kPage, QPageSize::Point, {}, QPageSize::ExactMatch));
        device.setPageMargins({});
        device.setTitle(steps.empty() ? QString() : fromText(steps.front().state.lesson->title));
        device.setCreator(QStringLiteral("Overlap Lab ") + QStringLiteral(OLAB_VERSION));
        QPainter painter(&device);
        bool isFirst = true;
        const auto nextPage = [&] { return std::exchange(isFirst, false) || device.newPage(); };
        for (const PaperStep& step : steps) {
            StepPaper paper(step, device);
            for (int page = 0; page < paper.pages() && nextPage(); ++page)
                paper.paint(painter, page);
            if (step.run && step.state.revealed && nextPage()) // its verdicts are the answer
                paintRun(painter, *step.run, step.state);
        }
    }
    return bytes;
}

} // namespace olab::ui
