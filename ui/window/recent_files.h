// The files opened last, with what each one is, kept in the settings.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace olab::recording {
struct Recording;
} // namespace olab::recording

namespace olab::ui {

struct RecentFile {
    QString path;
    QString about; ///< "Nsight Systems SQLite export, NVIDIA H200, 2026-01-30"; empty: not known
};
std::vector<RecentFile> recentFiles(); ///< newest first
/// `about` empty: what is known of it stays.
void rememberFile(const QString& path, const QString& about);
void forgetFile(const QString& path);
/// "~/runs/h200"; a long one is cut in the middle.
QString folderOf(const QString& path);
/// Its format, its devices, and when it was recorded.
QString aboutRecording(const recording::Recording& recording);

} // namespace olab::ui
