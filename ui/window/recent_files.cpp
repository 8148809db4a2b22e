#include "window/recent_files.h"

#include "base/plain_text.h"

#include <olab/recording/recording.h>
#include <olab/ui/format.h>

#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QSettings>

namespace olab::ui {

namespace {

constexpr qsizetype kMaxRecent = 10;
const auto kRecentKey = QStringLiteral("recent");
const auto kAboutKey = QStringLiteral("recentAbout");

QString recordedDevices(const Trace& trace) {
    QMap<QString, int> names;
    for (const auto& device : trace.devices())
        if (!device.name.empty())
            ++names[fromText(device.name)];
    QStringList texts;
    for (auto at = names.cbegin(); at != names.cend(); ++at)
        texts << (at.value() == 1 ? at.key() : QStringLiteral("%1 x %2").arg(at.value()).arg(at.key()));
    return texts.join(QStringLiteral(", "));
}

void keepRecent(const QStringList& paths, const QStringList& abouts) {
    QSettings settings;
    settings.setValue(kRecentKey, paths);
    settings.setValue(kAboutKey, abouts);
}

} // namespace

std::vector<RecentFile> recentFiles() {
    const QSettings settings;
    const QStringList paths = settings.value(kRecentKey).toStringList();
    const QStringList abouts = settings.value(kAboutKey).toStringList();
    std::vector<RecentFile> files;
    for (qsizetype i = 0; i < paths.size(); ++i)
        files.push_back({paths[i], abouts.size() == paths.size() ? abouts[i] : QString()});
    return files;
}

void rememberFile(const QString& path, const QString& about) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    QString known = about;
    QStringList paths{whole}, abouts;
    for (const RecentFile& file : recentFiles()) {
        if (file.path == whole && known.isEmpty())
            known = file.about;
        if (file.path != whole)
            paths << file.path, abouts << file.about;
    }
    abouts.prepend(known);
    keepRecent(paths.mid(0, kMaxRecent), abouts.mid(0, kMaxRecent));
}

void forgetFile(const QString& path) {
    QStringList paths, abouts;
    for (const RecentFile& file : recentFiles())
        if (file.path != path)
            paths << file.path, abouts << file.about;
    keepRecent(paths, abouts);
}

QString folderOf(const QString& path) {
    constexpr qsizetype kHalf = 18;
    QString folder = QFileInfo(path).absolutePath();
    if (const QString home = QDir::homePath(); folder == home || folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QStringLiteral("~"));
    if (folder.size() > 2 * kHalf + 1)
        folder = folder.left(kHalf) + QStringLiteral("…") + folder.right(kHalf);
    return shownText(folder);
}

QString aboutRecording(const recording::Recording& recording) {
    QStringList parts;
    const ProvenanceRecord& origin = recording.trace.provenance();
    const bool says = origin.source == SourceKind::Imported && !origin.tool.empty();
    const std::string format = recording.format.substr(0, recording.format.find(", packed"));
    if (says || !format.empty())
        parts << fromText(says ? origin.tool : format);
    if (const QString devices = recordedDevices(recording.trace); !devices.isEmpty())
        parts << devices;
    if (const QString date = fromText(recording.trace.provenance().recordedAt).left(10); !date.isEmpty())
        parts << date;
    return parts.join(QStringLiteral(", "));
}

} // namespace olab::ui
