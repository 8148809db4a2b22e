#include "opened_recording.h"

#include "text_report.h"

namespace olab::cli {

std::shared_ptr<recording::Recording> openJudged(const std::filesystem::path& file,
                                                 const RunControl& control) {
    auto recording =
        recording::makeRecording(io::readRecording(file, control), file.filename().string(), false, control);
    recording->file = file;
    if (recording->facts->deviceWork().size() <= kAccountUpTo)
        recording::addAccount(*recording, control);
    return recording;
}

} // namespace olab::cli
