#include "experiment/shipped_recordings.h"

#include "base/plain_text.h"

#include <olab/experiment/held_experiment.h>
#include <olab/lesson/lesson_file.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace olab::ui {

namespace {

/// The preset whose id the name begins with; the longest one, since "graph" begins others too.
const experiment::Preset* presetOfName(const QString& name) {
    const experiment::Preset* best = nullptr;
    for (const experiment::Preset& preset : experiment::presets())
        if (name.startsWith(exactText(preset.id) + QLatin1Char('-')) &&
            (!best || preset.id.size() > best->id.size()))
            best = &preset;
    return best;
}

ShippedRecording recordingAt(const QFileInfo& file) {
    ShippedRecording made;
    made.path = file.absoluteFilePath();
    made.name = file.completeBaseName();
    made.device = cutText(shownText(made.name.section(QLatin1Char('-'), -1).toUpper()), 24);
    made.preset = presetOfName(made.name);
    const QString rest =
        made.preset ? made.name.mid(static_cast<qsizetype>(made.preset->id.size()) + 1) : QString();
    made.exactly = made.preset && !rest.contains(QLatin1Char('-'));
    return made;
}

} // namespace

std::vector<ShippedRecording> shippedRecordings(const QString& folder) {
    std::vector<ShippedRecording> found;
    if (folder.isEmpty())
        return found;
    const QDir directory(folder);
    for (const QFileInfo& file :
         directory.entryInfoList({QStringLiteral("*.olab")}, QDir::Files | QDir::Readable, QDir::Name))
        found.push_back(recordingAt(file));
    const auto order = [](const ShippedRecording& r) {
        return r.preset ? static_cast<std::size_t>(r.preset - experiment::presets().data())
                        : experiment::presets().size();
    };
    std::ranges::stable_sort(found, {}, order);
    return found;
}

const ShippedRecording* recordingOf(const std::vector<ShippedRecording>& all,
                                    const experiment::Preset* preset) {
    const auto found = std::ranges::find_if(
        all, [&](const ShippedRecording& r) { return preset && r.preset == preset && r.exactly; });
    return found == all.end() ? nullptr : &*found;
}

const experiment::Preset* presetWith(const experiment::Experiment& experiment) {
    const auto found = std::ranges::find(experiment::presets(), experiment::HeldExperiment(experiment),
                                         &experiment::Preset::experiment);
    return found == experiment::presets().end() ? nullptr : &*found;
}

QString shippedRunOf(const experiment::Experiment& experiment, const QString& device, const QString& folder) {
    const auto isOfDevice = [&device](const QString& name) {
        return device.contains(name.section(QLatin1Char('-'), -1), Qt::CaseInsensitive);
    };
    const experiment::Preset* const preset = presetWith(experiment);
    const std::vector<ShippedRecording> all =
        preset ? shippedRecordings(folder) : std::vector<ShippedRecording>{};
    if (const ShippedRecording* found = recordingOf(all, preset); found && isOfDevice(found->name))
        return found->path;
    return folder.isEmpty()
               ? QString()
               : nameOf(lesson::lessonRecordingOf(experiment, device.toStdString(), fileOf(folder)));
}

QString openRunText(const ShippedRecording& recording) {
    return tr("Open the %1's run").arg(recording.device);
}

} // namespace olab::ui
