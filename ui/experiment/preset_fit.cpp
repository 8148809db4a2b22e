#include "experiment/preset_fit.h"

#include "base/plain_text.h"

#include <olab/experiment/option_table.h>
#include <olab/lesson/lesson_file.h>
#include <olab/trace/value_text.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace olab::ui {

PresetFit fitOf(const experiment::Experiment& experiment, const PresetMachine& machine) {
    if (const auto refused = experiment::conflicts(experiment); !refused.empty())
        return {false, tr("cannot run"), sentence(refused.front())};
    if (const auto simulated = experiment::simulatorOnly(experiment); !simulated.empty()) {
        QStringList what;
        for (const std::string& assignment : simulated)
            what << fromText(assignment);
        return {true, tr("simulator only"),
                tr("No GPU can be this (%1): it is simulated, also where a GPU is chosen.")
                    .arg(what.join(QStringLiteral(", ")))};
    }
    if (experiment::optionText(experiment, "devices") == "all" && machine.gpus < 2)
        return {false, tr("needs two GPUs"),
                machine.gpus == 1 ? tr("This machine has one GPU: there is no second one to run beside it.")
                                  : tr("It shows what two GPUs do side by side, and none was found here.")};
    if (machine.simulates || machine.gpus == 0)
        return {true, tr("simulated here"), tr("It runs on the simulator: nothing is measured.")};
    return {true, tr("runs here"), tr("It runs on the GPU of this machine.")};
}

namespace {

bool isKeyLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}
bool isValueLetter(char c) {
    return isKeyLetter(c) || (c >= 'A' && c <= 'Z') || c == ':' || c == '-';
}

const experiment::Preset* presetOf(const experiment::Experiment& experiment) {
    const auto found = std::ranges::find(experiment::presets(), experiment::HeldExperiment(experiment),
                                         &experiment::Preset::experiment);
    return found == experiment::presets().end() ? nullptr : &*found;
}

/// The text before and after "=" at `equals`, as far as keys and values reach; a full stop ends a sentence.
PresetLink assignmentAt(const std::string& text, std::size_t equals) {
    PresetLink link;
    link.begin = link.end = equals;
    while (link.begin > 0 && isKeyLetter(text[link.begin - 1]))
        --link.begin;
    ++link.end;
    while (link.end < text.size() && isValueLetter(text[link.end]))
        ++link.end;
    while (link.end > equals && (text[link.end - 1] == '.' || text[link.end - 1] == ':'))
        --link.end;
    link.change = text.substr(link.begin, link.end - link.begin);
    return link;
}

/// False when the words are no change.
bool apply(PresetLink& link, const experiment::Preset& preset) {
    const std::size_t equals = link.change.find('=');
    if (!experiment::findOption(link.change.substr(0, equals)))
        return false;
    link.experiment = preset.experiment;
    try {
        experiment::setOption(link.experiment, link.change);
    } catch (const Error&) { // words that only look like a setting
        return false;
    }
    link.preset = presetOf(link.experiment);
    return link.experiment != preset.experiment;
}

/// "kernel.us=800 with kernel.blocks=fill:1" is one link; behind a "with" so are further changes, behind
/// a comma or an "and".
void joinChanges(const experiment::Preset& preset, std::vector<PresetLink>& links) {
    bool isJoined = false;
    for (std::size_t i = 1; i < links.size();) {
        PresetLink &one = links[i - 1], &next = links[i];
        const std::string between = preset.text.substr(one.end, next.begin - one.end);
        isJoined = between == " with " || (isJoined && (between == ", " || between == " and "));
        experiment::HeldExperiment both = one.experiment;
        if (isJoined)
            experiment::setOption(both, next.change.substr(next.change.rfind(' ') + 1));
        if (!isJoined || !experiment::conflicts(both).empty()) {
            ++i;
            continue;
        }
        one.experiment = both;
        one.preset = presetOf(both);
        one.change += ' ' + next.change;
        one.end = next.end;
        links.erase(links.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::erase_if(links, [&](const PresetLink& link) {
        return link.experiment == preset.experiment || !experiment::conflicts(link.experiment).empty();
    });
}

void addAssignments(const experiment::Preset& preset, std::vector<PresetLink>& links) {
    for (std::size_t at = preset.text.find('='); at != std::string::npos;
         at = preset.text.find('=', at + 1)) {
        PresetLink link = assignmentAt(preset.text, at);
        if (apply(link, preset))
            links.push_back(std::move(link));
    }
    joinChanges(preset, links);
}

void addRelated(const experiment::Preset& preset, std::vector<PresetLink>& links) {
    for (const auto& [words, id] : preset.related) {
        const std::size_t at = preset.text.rfind(words); // what to do next stands at the end
        const experiment::Preset* other = experiment::findPreset(id);
        if (at != std::string::npos && other)
            links.push_back({at, at + words.size(), other, {}, other->experiment});
    }
}

} // namespace

std::vector<PresetLink> linksIn(const experiment::Preset& preset) {
    std::vector<PresetLink> links;
    addAssignments(preset, links);
    addRelated(preset, links);
    std::ranges::stable_sort(links, {}, &PresetLink::begin);
    std::size_t end = 0;
    std::erase_if(links, [&end](const PresetLink& link) {
        const bool overlaps = link.begin < end;
        end = std::max(end, link.end);
        return overlaps;
    });
    return links;
}

bool matchesQuery(const experiment::Preset& preset, std::string_view query) {
    std::string all =
        preset.id + '\n' + preset.title + '\n' + preset.group + '\n' + preset.source + '\n' + preset.text;
    for (const std::string& option : experiment::differsFromDefault(preset.experiment))
        all += '\n' + option;
    all = lowerText(all);
    const std::string wanted = lowerText(query);
    for (std::size_t at = wanted.find_first_not_of(' '); at != std::string::npos;) {
        const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
        if (all.find(wanted.substr(at, end - at)) == std::string::npos)
            return false;
        at = wanted.find_first_not_of(' ', end);
    }
    return true;
}

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
