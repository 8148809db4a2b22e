#include <olab/lesson/lesson.h>

namespace olab::lesson {

std::filesystem::path recordingFile(const LessonExperiment& experiment, const std::filesystem::path& folder) {
    if (experiment.recording.empty() || folder.empty())
        return {};
    const std::string name = experiment.recording + ".olab";
    std::error_code ignored;
    for (const std::filesystem::path& file : {folder / name, folder / "lessons" / name})
        if (std::filesystem::is_regular_file(file, ignored))
            return file;
    return {};
}

} // namespace olab::lesson
