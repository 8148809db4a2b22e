#include "window/opening.h"

#include "base/plain_text.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"

#include <olab/recording/recording.h>
#include <olab/run/runner.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>

#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QSettings>
#include <QTimer>

#include <utility>

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

Opening::Opening(Session& session, Messages& messages, QObject* owner)
    : QObject(owner)
    , m_session(session)
    , m_messages(messages) {
    connect(&session, &Session::failed, this, [this] { m_failed += m_active && !m_isHeld ? 1 : 0; });
    connect(&session, &Session::cancelRequested, this, [this] {
        if (!m_isHeld)
            m_waiting.clear(); // all were meant
    });
    // Queued: what a job leaves is told after its end.
    connect(&session, &Session::ended, this, &Opening::stepEnded, Qt::QueuedConnection);
}

void Opening::open(const QStringList& paths) {
    if (paths.isEmpty())
        return;
    if (m_active && m_waiting.isEmpty() && !m_session.busy()) // only its last word is missing
        finish();
    m_waiting << paths;
    m_asked += static_cast<int>(paths.size());
    if (std::exchange(m_active, true))
        return;
    m_session.busy() ? hold() : next();
}

void Opening::hold() {
    constexpr int kSoonMs = 400; // what ends by then needs no word
    m_isHeld = true;
    QTimer::singleShot(kSoonMs, this, [this] {
        if (m_isHeld)
            m_messages.notice().say(tr("Something else is running. %1 as soon as it has ended; Esc ends it.")
                                        .arg(counted("%n files are opened", "The file is opened",
                                                     static_cast<std::uint64_t>(m_waiting.size()))));
    });
    emit waits();
}

bool Opening::arrived(const view::ViewDataPtr& shown) {
    if (!m_active || !std::exchange(m_expectsRun, false))
        return false;
    m_runs.push_back(shown->run);
    m_signs.push_back(recording::rankSigns(*shown->recording));
    return m_runs.size() > 1;
}

void Opening::next() {
    if (m_session.busy()) // something else came between; its end calls again
        return;
    m_isHeld = false;
    if (m_waiting.isEmpty())
        return finish();
    const QString path = m_waiting.takeFirst();
    m_expectsRun = true;
    const int number = m_asked - static_cast<int>(m_waiting.size());
    m_session.open(path,
                   m_asked > 1
                       ? tr("Opening %1 of %2: %3").arg(number).arg(m_asked).arg(QFileInfo(path).fileName())
                       : QString());
}

void Opening::stepEnded() {
    if (!m_active || m_session.busy())
        return;
    next();
}

void Opening::finish() {
    m_active = false;
    const auto runs = std::exchange(m_runs, {});
    const auto signs = std::exchange(m_signs, {});
    if (m_failed > 0 && m_asked > 1)
        m_messages.log(tr("%1 of %2 files could not be opened.").arg(m_failed).arg(m_asked));
    m_asked = m_failed = 0;
    for (const std::vector<std::size_t>& group : recording::likelyRanks(signs)) {
        std::vector<view::RunPtr> ranks;
        for (const std::size_t at : group)
            ranks.push_back(runs[at]);
        emit ranksFound(ranks);
    }
    emit ended();
}

} // namespace olab::ui
