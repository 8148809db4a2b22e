// All lessons: title, what it is about, how long it takes, how far a person came. Those of the person's own
// folder first, then those of the program; one that cannot be read says why and where. GUI thread.
#pragma once

#include <olab/lesson/lesson_file.h>

#include <QScrollArea>

class QVBoxLayout;

namespace olab::ui {

class LessonMemory;

class LessonsPage final : public QScrollArea {
    Q_OBJECT
public:
    /// `memory` must outlive it.
    explicit LessonsPage(const LessonMemory& memory, QWidget* parent = nullptr);
    /// Looks at the folder again.
    void refresh();
    /// What is wrong with a file that was to be opened; until the page is built again.
    void setProblems(const std::vector<std::string>& problems) { m_problems = problems; }
    void focusFirst();
    /// The lesson behind the one with this key, else that one: what comes next for who has finished it.
    void focusAfter(const QString& key);
    /// "memset-is-a-kernel", "own/mine": what the progress of a lesson is kept under.
    static QString keyOf(const lesson::FoundLesson& found);

signals:
    void chosen(const olab::lesson::Lesson& lesson, const QString& key);
    void openRequested();
    void backRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addOwn(QVBoxLayout& column);
    QWidget* row(const lesson::Lesson& lesson, const QString& key);
    std::vector<lesson::FoundLesson> m_own;
    std::vector<std::string> m_problems; ///< of the file that was opened last; shown once
    const LessonMemory& m_memory;
};

} // namespace olab::ui
