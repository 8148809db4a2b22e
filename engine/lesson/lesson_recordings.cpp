#include <olab/experiment/option_table.h>
#include <olab/lesson/lesson_file.h>
#include <olab/recording/recording.h>
#include <olab/recording/stored_recording.h>

#include <algorithm>
#include <cctype>

namespace olab::lesson {
std::filesystem::path recordingFile(const LessonExperiment& experiment, const std::filesystem::path& folder,
                                    const std::filesystem::path& own) {
    if (experiment.recording.empty())
        return {};
    const std::string name = experiment.recording + ".olab";
    std::error_code ignored;
    for (const std::filesystem::path& place : {own, folder, folder.empty() ? folder : folder / "lessons"})
        if (!place.empty() && std::filesystem::is_regular_file(place / name, ignored))
            return place / name;
    return {};
}

std::string recordingProblem(const LessonExperiment& asked, const std::filesystem::path& folder,
                             const std::filesystem::path& own) {
    if (asked.recording.empty())
        return {};
    const std::filesystem::path file = recordingFile(asked, folder, own);
    if (file.empty())
        return "there is no recording '" + asked.recording +
               ".olab' among those of the program or beside the lesson";
    try {
        const recording::RecordingPtr found = recording::openRecording(file);
        if (!found->experiment)
            return "the recording '" + asked.recording + "' does not say with which settings it was made";
        for (const auto& row : experiment::optionTable())
            if (const std::string was = experiment::optionText(*found->experiment, row.key),
                is = experiment::optionText(asked.experiment, row.key);
                was != is)
                return "the recording '" + asked.recording +
                       "' is of another experiment: " + std::string(row.key) + "=" + was + ", and here " + is;
    } catch (const Error& error) {
        return "the recording '" + asked.recording + "' cannot be read: " + error.what();
    }
    return {};
}

std::filesystem::path lessonRecordingOf(const experiment::Experiment& experiment, std::string_view device,
                                        const std::filesystem::path& folder) {
    std::string small(device);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& step : lesson.steps) {
            if (!step.experiment || !(step.experiment->experiment == experiment::HeldExperiment(experiment)))
                continue;
            const std::string& name = step.experiment->recording;
            if (small.empty() || small.find(name.substr(name.rfind('-') + 1)) != small.npos)
                if (std::filesystem::path file = recordingFile(*step.experiment, folder); !file.empty())
                    return file;
        }
    return {};
}

std::vector<std::string> recordingProblems(const Lesson& lesson, const std::filesystem::path& folder) {
    std::vector<std::string> problems;
    for (const LessonStep& step : lesson.steps)
        if (step.experiment)
            if (const std::string why = recordingProblem(*step.experiment, folder, lesson.folder);
                !why.empty())
                problems.push_back(lesson.id + ".md:" + std::to_string(step.experiment->line) + ": " + why);
    return problems;
}

} // namespace olab::lesson
