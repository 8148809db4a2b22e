// Whether the window may close: what is not saved is asked about, and saved first where a person wants that.
// GUI thread.
#pragma once

#include <olab/view/run_ptr.h>

#include <QObject>
#include <QStringList>

#include <vector>

class QWidget;

namespace olab::ui {

class Files;
class Messages;
class Runs;
class SaveAll;
class Session;
struct WindowOptions;

class Closing final : public QObject {
public:
    struct Uses {
        QWidget& window; ///< closed when all is saved
        Session& session;
        Runs& runs;
        Files& files;
        Messages& messages;
    };
    Closing(const Uses& uses, const WindowOptions& options);
    /// Now, or it closes by itself later, or not.
    bool mayClose();

private:
    void saveAll();
    QStringList askFilesFor(const std::vector<view::RunPtr>& runs, const QStringList& taken);
    Uses m_uses;
    const WindowOptions& m_options;
    SaveAll* m_saveAll;
    bool m_isSaved = false; ///< what was unsaved is saved
};

} // namespace olab::ui
