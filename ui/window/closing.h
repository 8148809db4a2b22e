// Whether the window may close: what is not saved is asked about, and saved first where a person wants that.
// GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <utility>
#include <vector>

namespace olab::ui {

struct WindowParts;

class Closing final : public QObject {
public:
    explicit Closing(const WindowParts& parts);
    /// Now, or it closes by itself later, or not.
    bool mayClose();

private:
    using File = std::pair<view::RunPtr, QString>; ///< and its path
    void saveAll();
    void saveNext();
    void stopSaving();
    void lookAfterEnd();
    QStringList askFilesFor(const std::vector<view::RunPtr>& runs, const QStringList& taken);
    enum class Step : std::uint8_t { Waiting, Fetching, Saving };
    const WindowParts& m_parts;
    /// One after the other: of those that are on disk only one is in memory at a time.
    std::vector<File> m_toSave;
    Step m_step = Step::Waiting; ///< of the first one
    bool m_isSaved = false;      ///< what was unsaved is saved
};

} // namespace olab::ui
