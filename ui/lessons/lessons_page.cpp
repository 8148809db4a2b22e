#include "lessons/lessons_page.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "lessons/lesson_memory.h"
#include "lessons/step_text.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

QString progressText(int done, std::size_t steps) {
    if (done <= 0)
        return LessonsPage::tr("not begun");
    return static_cast<std::size_t>(done) >= steps ? LessonsPage::tr("✓ done")
                                                   : LessonsPage::tr("%1 of %2 steps").arg(done).arg(steps);
}

} // namespace

LessonsPage::LessonsPage(const LessonMemory& memory, QWidget* parent)
    : QScrollArea(parent)
    , m_memory(memory) {
    nameWidget(*this, "lessons", tr("Lessons"));
    scrollPage(*this);
    setFocusPolicy(Qt::NoFocus);
    new LookWatch(*this, [this] {
        if (widget())
            refresh();
    });
}

QString LessonsPage::keyOf(const lesson::FoundLesson& found) {
    return QStringLiteral("own/%1").arg(nameOf(found.file.stem()));
}

QWidget* LessonsPage::row(const lesson::Lesson& lesson, const QString& key) {
    auto* box = new QFrame;
    box->setFrameShape(QFrame::StyledPanel);
    auto* columns = new QHBoxLayout(box);
    auto* texts = new QVBoxLayout;
    const QString title = fromText(lesson.title);
    texts->addWidget(wordsLabel(title, true));
    if (!lesson.about.empty())
        texts->addWidget(wordsLabel(plainSentence(lesson.about)));
    const int done = m_memory.stepsDone(key);
    const QString progress = progressText(done, lesson.steps.size());
    texts->addWidget(wordsLabel(tr("%1 minutes, %2").arg(lesson.minutes).arg(progress)));
    columns->addLayout(texts, 1);
    const bool isPartly = done > 0 && static_cast<std::size_t>(done) < lesson.steps.size();
    auto* start = makeButton(isPartly   ? tr("Continue")
                             : done > 0 ? tr("Again")
                                        : tr("Start"),
                             QStringLiteral("start ") + key);
    start->setAccessibleName(
        tr("%1: %2. %3 minutes, %4").arg(start->text(), title).arg(lesson.minutes).arg(progress));
    connect(start, &QPushButton::clicked, this, [this, &lesson, key] { emit chosen(lesson, key); });
    columns->addWidget(start);
    return box;
}

void LessonsPage::refresh() {
    auto* page = new QWidget;
    auto* column = columnIn(page, {12, 10, 12, 12});
    column->addWidget(wordsLabel(tr("Lessons: predict, run, and see"), true));
    column->addWidget(wordsLabel(
        tr("Each takes a few minutes and needs no GPU: where there is none it shows runs that were "
           "recorded on one, or simulates. Results are always labelled.")));
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const QString& text, const char* name, const std::function<void()>& wish) {
        auto* button = makeButton(text, QLatin1String(name));
        connect(button, &QPushButton::clicked, this, wish);
        buttons->addWidget(button);
    };
    add(tr("Back"), "lessonsBack", [this] { emit backRequested(); });
    add(tr("Open a lesson..."), "lessonsOpen", [this] { emit openRequested(); });
    buttons->addStretch(1);
    column->addLayout(buttons);
    if (!m_problems.empty())
        column->addWidget(wordsLabel(tr("This lesson cannot be opened:"), true));
    for (const std::string& problem : std::exchange(m_problems, {})) {
        QLabel* const line = wordsLabel(sentence(problem));
        line->setObjectName(QStringLiteral("lessonProblem"));
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(line);
    }
    const std::filesystem::path folder = lesson::ownLessonFolder();
    const QWidget* const now = window()->focusWidget();
    const QString focused = now && isAncestorOf(now) ? now->objectName() : QString();
    auto* old = takeWidget(); // its rows refer to the lessons that are read anew
    m_own = lesson::lessonsIn(folder);
    if (old)
        old->deleteLater();
    addOwn(*column); // who has some came for them
    if (!m_own.empty())
        column->addWidget(wordsLabel(tr("Those of the program"), true));
    for (const lesson::Lesson& lesson : lesson::shippedLessons())
        column->addWidget(row(lesson, exactText(lesson.id)));
    column->addWidget(wordsLabel(tr("Your own lessons are Markdown files in %1. The file lessons.md of "
                                    "the documentation says how one is "
                                    "written; olab lesson FILE.md --check tries it.")
                                     .arg(shownText(nameOf(folder)))));
    column->addStretch(1);
    setWidget(page);
    if (auto* again = focused.isEmpty() ? nullptr : page->findChild<QPushButton*>(focused))
        again->setFocus(Qt::OtherFocusReason);
}

void LessonsPage::addOwn(QVBoxLayout& column) {
    if (!m_own.empty())
        column.addWidget(wordsLabel(tr("Your own"), true));
    for (const lesson::FoundLesson& found : m_own) {
        if (found.lesson)
            column.addWidget(row(*found.lesson, keyOf(found)));
        for (const std::string& problem : found.problems)
            column.addWidget(wordsLabel(sentence(problem)));
    }
}

void LessonsPage::focusFirst() {
    for (QPushButton* button : widget()->findChildren<QPushButton*>())
        if (button->objectName().startsWith(QStringLiteral("start ")))
            return button->setFocus(Qt::OtherFocusReason);
}

void LessonsPage::focusAfter(const QString& key) {
    QPushButton* finished = nullptr;
    for (QPushButton* button : widget()->findChildren<QPushButton*>()) {
        if (!button->objectName().startsWith(QStringLiteral("start ")))
            continue;
        if (finished)
            return button->setFocus(Qt::OtherFocusReason);
        if (button->objectName() == QStringLiteral("start ") + key)
            finished = button;
    }
    if (finished)
        finished->setFocus(Qt::OtherFocusReason);
}

void LessonsPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return emit backRequested();
    QScrollArea::keyPressEvent(event);
}

} // namespace olab::ui
