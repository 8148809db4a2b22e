#include "command.h"
#include "console.h"
#include "engines.h"

#include <olab/experiment/planned_change.h>
#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>
#include <olab/run/programs.h>
#include <olab/sim/sim_backend.h>

#include <algorithm>
#include <optional>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kLessonOptions[] = {
    {"--check", "", "", "run its experiments and check all that it says of them"},
    {"--backend", "", "recorded|sim|cuda",
     "where --check runs them: recorded (default) takes the recordings that come with the program, and the "
     "simulator where there is none"},
    {"--recordings", "", "DIR", "the folder of the recordings, if it is not next to the program"},
};

constexpr std::string_view kLessonText =
    "Without a name, or with list, it lists the lessons: those of the program and those of your own folder,\n"
    "$XDG_DATA_HOME/overlap-lab/lessons. A name is that of a lesson or a file; all means every lesson.\n"
    "\n"
    "--check is for lesson authors: it checks each statement against its run; of the answers\n"
    "to each question exactly one must be right. Exit code 1 if one does not hold or a recording is\n"
    "missing.";

struct Tally {
    int held = 0, failed = 0;   ///< statements
    std::size_t recordings = 0; ///< missing, or not of the lesson's settings
};

fs::path recordingsFolder(const Arguments& arguments) {
    if (arguments.has("--recordings"))
        return arguments.value("--recordings");
    const fs::path beside = run::ownProgram().parent_path();
    std::error_code ignored;
    for (const fs::path& folder : {beside / "../share/overlap-lab/recordings",
                                   beside / "../resources/recordings", fs::path(OLAB_RECORDINGS_DIR)})
        if (fs::is_directory(folder, ignored))
            return folder;
    return {};
}

enum class Place : std::uint8_t { Recorded, Simulator, Gpu };

Place placeOf(const Arguments& arguments) {
    const std::string wanted = arguments.value("--backend");
    if (wanted.empty() || wanted == "recorded")
        return Place::Recorded;
    if (wanted == "sim" || wanted == "cuda")
        return wanted == "sim" ? Place::Simulator : Place::Gpu;
    throw Error(ErrorKind::Usage, "bad-backend", "There is no place '" + wanted + "' to check a lesson.",
                "The places are recorded, sim and cuda.");
}

/// The words of a lesson as a terminal shows them.
Printed textOf(const lesson::LessonText& text) {
    Printed made;
    for (const lesson::TextBlock& block : text) {
        if (block.kind == lesson::BlockKind::Excerpt) {
            for (const lesson::TextSpan& line : block.spans)
                made << (line.style == lesson::SpanStyle::Strong ? Literal("  > ") : Literal("    "))
                     << line.text << "\n";
            continue;
        }
        if (block.kind == lesson::BlockKind::Figure)
            made << "  [picture] ";
        made << (block.kind == lesson::BlockKind::Item || block.kind == lesson::BlockKind::Numbered
                     ? Literal("  - ")
                     : Literal("  "));
        made << lesson::plainWords({block}) << "\n";
    }
    return made;
}

Printed stepText(const lesson::LessonStep& step, std::size_t number) {
    Printed text;
    text << "\n" << number << ". " << step.title << "\n" << textOf(step.text);
    if (step.experiment) {
        text << "  [experiment";
        if (!step.experiment->preset.empty())
            text << " of the preset " << step.experiment->preset;
        text << "]\n";
    }
    if (step.question) {
        text << "  ? " << step.question->text << "\n";
        for (const lesson::LessonAnswer& answer : step.question->answers)
            text << "    ( ) " << answer.text << "\n";
        if (!step.question->hint.empty())
            text << "    Hint: " << step.question->hint << "\n";
    }
    if (step.bars) {
        text << "  ? " << step.bars->text << "\n";
        for (const lesson::LessonBar& bar : step.bars->bars)
            text << "    [ ] " << bar.label << "\n";
    }
    if (step.exercise) {
        text << "  ! " << step.exercise->task << "\n    One of:";
        for (const std::string& option : step.exercise->options)
            text << " " << option;
        text << "\n";
    }
    if (step.writing)
        text << "  ? " << step.writing->text << "\n";
    return text;
}

Printed lessonPage(const lesson::Lesson& lesson) {
    Printed text;
    text << lesson.title << " (" << lesson.minutes << " minutes)\n";
    if (!lesson.about.empty())
        text << lesson.about << "\n";
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        text << stepText(lesson.steps[i], i + 1);
    return text;
}

/// Runs one lesson's experiments and says what came of them.
class LessonCheckRun {
public:
    LessonCheckRun(const Arguments& arguments, const Console& console)
        : m_arguments(arguments)
        , m_console(console)
        , m_place(placeOf(arguments))
        , m_folder(recordingsFolder(arguments)) {}

    Tally check(const lesson::Lesson& lesson) {
        lesson::LessonRuns runs;
        Tally tally;
        m_own = lesson.folder;
        show(Printed() << lesson.id << ": " << lesson.title << "\n");
        const std::vector<std::string> problems = lesson::recordingProblems(lesson, m_folder);
        tally.recordings = problems.size();
        for (const std::string& problem : problems)
            show(Printed() << "  " << problem << "\n");
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const lesson::LessonStep& step = lesson.steps[i];
            if (!step.experiment)
                continue;
            const auto run = std::make_shared<const lesson::LessonRun>(execute(*step.experiment));
            report(step, i + 1, *run, lesson::judgeStep(step, *run, runs), tally);
            if (step.exercise)
                tryExercise(step, *run, runs, tally);
            if (step.experiment->alsoSimulated && m_place != Place::Simulator)
                simulateToo(step, i + 1, tally);
            if (!step.experiment->name.empty())
                runs[step.experiment->name] = run;
        }
        return tally;
    }

private:
    void show(const Printed& text) const {
        m_console.clearLine();
        print(text);
    }
    /// Its solution reaches what is asked for, and the run without it does not.
    void tryExercise(const lesson::LessonStep& step, const lesson::LessonRun& run,
                     const lesson::LessonRuns& runs, Tally& tally) const {
        const lesson::LessonExercise& exercise = *step.exercise;
        lesson::LessonExperiment changed = *step.experiment;
        changed.recording.clear();
        changed.experiment = experiment::withChanges(changed.experiment, {exercise.solution});
        const lesson::LessonRun solved(solution(changed));
        const lesson::CheckOutcome after = lesson::judgeExercise(exercise, solved, runs),
                                   before = lesson::judgeExercise(exercise, run, runs);
        Printed text;
        text << "     exercise: " << exercise.solution.first << "=" << exercise.solution.second << " ("
             << lesson::originText(*solved.recording()) << ")\n";
        say(text, after.outcome == lesson::Outcome::Holds, after, tally);
        if (before.outcome == lesson::Outcome::Holds)
            say(text, false,
                {lesson::Outcome::Differs, "The exercise asks for what the run shows without a change.",
                 before.found},
                tally);
        show(text);
    }
    recording::RecordingPtr solution(const lesson::LessonExperiment& changed) const {
        if (m_place == Place::Recorded)
            if (const fs::path file = lesson::lessonRecordingOf(changed.experiment, {}, m_folder);
                !file.empty())
                return recording::openRecording(file, m_console.control());
        return execute(changed);
    }
    /// What a step says that shows the simulator's run beside its own.
    void simulateToo(const lesson::LessonStep& step, std::size_t number, Tally& tally) const {
        sim::SimBackend simulator;
        const lesson::LessonRun run(recording::runExperiment(
            step.experiment->experiment, {&simulator, nullptr}, "lesson", m_console.control()));
        lesson::StepOutcome outcome = lesson::judgeStep(step, run, {});
        std::erase_if(outcome.checks,
                      [](const lesson::CheckOutcome& check) { // it compares with a recorded run
                          return check.outcome == lesson::Outcome::Unknown;
                      });
        outcome.answers.clear(); // those are of the step's own run
        report(step, number, run, outcome, tally);
    }
    static void say(Printed& text, bool good, const lesson::CheckOutcome& what, Tally& tally) {
        ++(good ? tally.held : tally.failed);
        text << (good                                       ? Literal("     holds    ")
                 : what.outcome == lesson::Outcome::Unknown ? Literal("     UNKNOWN  ")
                                                            : Literal("     DIFFERS  "))
             << what.text << "\n              " << what.found << "\n";
    }
    recording::RecordingPtr execute(const lesson::LessonExperiment& asked) const {
        const RunControl control = m_console.control();
        const bool isSimulated = !experiment::simulatorOnly(asked.experiment).empty();
        if (m_place == Place::Recorded)
            if (const fs::path file = lesson::recordingFile(asked, m_folder, m_own); !file.empty())
                return recording::openRecording(file, control);
        if (m_place != Place::Gpu || isSimulated) {
            sim::SimBackend simulator;
            return recording::runExperiment(asked.experiment, {&simulator, nullptr}, "lesson", control);
        }
        const Engines engines(m_arguments, asked.experiment, {}, control);
        return recording::runExperiment(asked.experiment, engines.pair(), "lesson", control);
    }
    void report(const lesson::LessonStep& step, std::size_t number, const lesson::LessonRun& run,
                const lesson::StepOutcome& outcome, Tally& tally) const {
        Printed text;
        text << "  " << number << ". " << step.title << " (" << lesson::originText(*run.recording()) << ")\n";
        if (step.question && !outcome.answers.empty()) {
            const auto right =
                std::ranges::count(outcome.answers, lesson::Outcome::Holds, &lesson::CheckOutcome::outcome);
            for (const lesson::CheckOutcome& answer : outcome.answers)
                if (right != 1 || answer.outcome == lesson::Outcome::Holds)
                    say(text, right == 1, answer, tally);
        }
        if (step.bars && !outcome.bars.missing.empty())
            say(text, false, {lesson::Outcome::Unknown, step.bars->text, outcome.bars.missing}, tally);
        for (const lesson::CheckOutcome& check : outcome.checks)
            say(text, check.outcome == lesson::Outcome::Holds, check, tally);
        show(text);
    }
    const Arguments& m_arguments;
    const Console& m_console;
    Place m_place;
    fs::path m_folder;
    fs::path m_own; ///< of the lesson that is checked
};

Printed listText() {
    Printed text;
    const auto row = [&](const lesson::Lesson& lesson) {
        text << lesson.id << ": " << lesson.title << " (" << lesson.minutes << " minutes)\n    "
             << lesson.about << "\n";
    };
    for (const lesson::Lesson& lesson : lesson::shippedLessons())
        row(lesson);
    for (const lesson::FoundLesson& found : lesson::lessonsIn(lesson::ownLessonFolder())) {
        if (found.lesson)
            row(*found.lesson);
        else
            for (const std::string& problem : found.problems)
                text << problem << "\n";
    }
    return text;
}

/// `recordings`: its recordings are checked with the rest of a file; empty: they are not.
lesson::Lesson lessonNamed(const std::string& name, const fs::path& recordings) {
    if (const lesson::Lesson* shipped = lesson::findShippedLesson(name))
        return *shipped;
    for (const lesson::FoundLesson& found : lesson::lessonsIn(lesson::ownLessonFolder()))
        if (found.file.stem() == name)
            return lesson::readLesson(found.file, recordings);
    std::error_code ignored;
    if (fs::exists(name, ignored))
        return lesson::readLesson(name, recordings);
    throw Error(ErrorKind::Usage, "bad-lesson-name", "'" + name + "' is neither a lesson nor a file.",
                "'olab lesson list' lists the lessons.");
}

int checkAll(const Arguments& arguments, const std::vector<lesson::Lesson>& lessons) {
    const Console console;
    LessonCheckRun checker(arguments, console);
    Tally all;
    for (const lesson::Lesson& lesson : lessons) {
        const Tally one = checker.check(lesson);
        all.held += one.held;
        all.failed += one.failed;
        all.recordings += one.recordings;
    }
    Printed text;
    text << all.held << " statements hold, " << all.failed << " do not.";
    if (all.recordings > 0)
        text << " Recordings that are missing or of other settings: " << all.recordings << ".";
    print(text << "\n");
    return all.failed == 0 && all.recordings == 0 ? 0 : 1;
}

int showLessons(const Arguments& arguments) {
    const std::string name = arguments.positional().empty() ? "list" : arguments.positional().front();
    (void)placeOf(arguments); // refused before anything runs
    if (name == "list") {
        if (arguments.has("--check"))
            throw Error(ErrorKind::Usage, "no-lesson", "Which lesson is to be checked?",
                        "Name one, or all: olab lesson all --check");
        print(listText());
        return 0;
    }
    const std::vector<lesson::Lesson> lessons =
        name == "all" ? lesson::shippedLessons()
                      : std::vector<lesson::Lesson>{lessonNamed(
                            name, arguments.has("--check") ? recordingsFolder(arguments) : fs::path())};
    if (arguments.has("--check"))
        return checkAll(arguments, lessons);
    for (const lesson::Lesson& lesson : lessons)
        print(lessonPage(lesson));
    return 0;
}

int runLesson(const Arguments& arguments) {
    try {
        return showLessons(arguments);
    } catch (const lesson::LessonError& error) { // each of its errors has a line of its own
        for (const std::string& problem : error.problems())
            say(Printed() << problem);
        say(Printed() << error.hint());
        return error.exitCode();
    }
}

} // namespace

extern const Command kLessonCommand{"lesson",
                                    "[list|all|LESSON|FILE.md] [--check] [--backend recorded|sim|cuda]",
                                    "Lists, shows and checks the lessons.",
                                    kLessonText,
                                    kLessonOptions,
                                    0,
                                    1,
                                    runLesson};

} // namespace olab::cli
