// The left side of the window: which backend, which preset, the form, Run and Cancel with progress.
#pragma once

#include "experiment/preset_fit.h"

#include <olab/ui/experiment_form.h>

#include <QString>
#include <QToolButton>

#include <filesystem>

class QAction;
class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace olab::ui {

class PresetButton;

/// Which machine's GPU is meant: this one's, or that of another one, which the user's own ssh reaches. A
/// small button with a menu.
class MachineButton final : public QToolButton {
    Q_OBJECT
public:
    explicit MachineButton(QWidget* parent = nullptr);
    /// Empty: this one.
    void setHost(const QString& host);
    /// Whose ~/.ssh/config suggests names; for tests.
    void setHome(const std::filesystem::path& home) { m_home = home; }

signals:
    void hostChosen(const QString& host);

private:
    void fill();
    void ask();
    QString m_host;
    std::filesystem::path m_home;
};

enum class BackendChoice : std::uint8_t;
class MachineButton;

class ExperimentPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentPanel(QWidget* parent = nullptr);
    ExperimentForm& form() { return *m_form; }
    /// Fills the form; the focus goes where Run and undo are.
    void choose(const experiment::Experiment& experiment);
    /// The chooser of presets, over the window.
    void openChooser();
    void setRecordings(std::vector<ShippedRecording> recordings);
    void setMachine(const PresetMachine& machine) { m_machine = machine; }
    QAction* undoAction() const { return m_undo; }
    void setBackend(BackendChoice choice);
    /// `why` says why there is no GPU to run on; empty when there is.
    void setGpu(const QString& name, const QString& why);
    /// The machine whose GPU that is; empty: this one.
    void setHost(const QString& host);
    void setRunning(bool running);
    void setProgress(double share, const QString& what);
    /// What the settings have to do with the run that is shown, beside the button; empty: they are its own.
    void setWhose(const QString& text, const QString& tip);
    /// Whether the run shown has others, which a button takes over.
    void setShownDiffers(bool differs);

signals:
    void filled(); ///< by a choice of a person, about to
    void runRequested();
    void cancelRequested();
    void settingsRequested(); ///< those of the run shown
    void backendChosen(olab::ui::BackendChoice choice);
    void hostChosen(const QString& host);
    void recordingRequested(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildBackends();
    QWidget* buildPresets();
    void buildUndo();
    void fitRow();
    QWidget* buildRun();
    void refreshRun();
    void refreshPreset();
    ExperimentForm* m_form;
    QToolButton *m_gpu = nullptr, *m_simulator = nullptr;
    MachineButton* m_machineButton = nullptr;
    std::vector<ShippedRecording> m_recordings;
    PresetMachine m_machine;
    PresetButton* m_presets = nullptr;
    QPushButton* m_openRun = nullptr;
    QBoxLayout* m_runRow = nullptr;
    QAction* m_undo = nullptr;
    QLabel *m_presetText = nullptr, *m_what = nullptr, *m_whose = nullptr;
    QPushButton* m_useSettings = nullptr;
    QPushButton *m_run = nullptr, *m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    bool m_running = false;
};

} // namespace olab::ui
