#include <olab/lesson/lesson_record.h>

#include <olab/lesson/lesson_file.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::lesson {
namespace {

std::string plain(std::string_view markdown) {
    return plainWords(lessonText(markdown));
}

/// Writes the rows of one step.
class RecordRows {
public:
    RecordRows(const Lesson& lesson, std::size_t number, const StepRecord& record)
        : m_lesson(lesson)
        , m_step(lesson.steps[number])
        , m_record(record)
        , m_number(number) {}
    std::string text() {
        answers();
        if (m_step.bars && !m_record.placed.empty())
            bars();
        if (m_step.writing && !m_record.written.empty())
            row("words", plain(m_step.writing->text), m_record.written, "", "");
        if (m_step.exercise)
            for (const std::string& attempt : m_record.attempts)
                row("exercise", plain(m_step.exercise->task), attempt, "", "");
        return std::move(m_text);
    }

private:
    void answers() {
        if (!m_step.question)
            return;
        const std::string asked = plain(m_step.question->text);
        const auto count = static_cast<int>(m_step.question->answers.size());
        for (int i = 0; i < count; ++i) {
            const std::string answer = plain(m_step.question->answers[static_cast<std::size_t>(i)].text);
            const std::string right = !m_record.rightAnswer ? "" : *m_record.rightAnswer == i ? "yes" : "no";
            if (m_record.predicted == i)
                row("prediction", asked, answer, "1", right);
            if (m_record.votes.size() == static_cast<std::size_t>(count))
                row("vote", asked, answer, std::to_string(m_record.votes[static_cast<std::size_t>(i)]),
                    right);
        }
    }
    void bars() {
        std::string at;
        for (std::size_t i = 0; i < std::min(m_step.bars->bars.size(), m_record.placed.size()); ++i)
            at += (i ? "; " : "") + m_step.bars->bars[i].label + " at " + fixedText(m_record.placed[i], 2);
        const std::string right = m_record.pairs == 0 ? ""
                                                      : std::to_string(m_record.pairsRight) + " of " +
                                                            std::to_string(m_record.pairs) + " pairs";
        row("bars", plain(m_step.bars->text), at, "1", right);
    }
    void row(std::string_view kind, const std::string& asked, const std::string& answer,
             const std::string& count, const std::string& right) {
        m_text += csvText(m_lesson.title) + ',' + std::to_string(m_number + 1) + ',' + csvText(m_step.title) +
                  ',' + std::string(kind) + ',' + csvText(asked) + ',' + csvText(answer) + ',' + count + ',' +
                  csvText(right) + ',' + csvText(m_record.origin) + ',' + csvText(m_record.when) + "\r\n";
    }
    const Lesson& m_lesson;
    const LessonStep& m_step;
    const StepRecord& m_record;
    std::size_t m_number;
    std::string m_text;
};

} // namespace

bool StepRecord::empty() const {
    return !predicted && placed.empty() && written.empty() && attempts.empty() &&
           std::ranges::all_of(votes, [](int count) { return count == 0; });
}

std::string recordCsv(const Lesson& lesson, const LessonRecord& record) {
    std::string text = "lesson,step,title,kind,question,answer,count,right,run,when\r\n";
    for (const auto& [number, step] : record)
        if (number < lesson.steps.size())
            text += RecordRows(lesson, number, step).text();
    return text;
}

} // namespace olab::lesson
