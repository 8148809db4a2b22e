// The left side of the window: which backend, which preset, the form, Run and Cancel with progress.
#pragma once

#include <olab/ui/experiment_form.h>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace olab {

enum class BackendChoice : std::uint8_t;

class ExperimentPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentPanel(QWidget* parent = nullptr);
    ExperimentForm& form() { return *m_form; }
    void choosePreset(int index);
    void setBackend(BackendChoice choice);
    /// `why` says why there is no GPU to run on; empty when there is.
    void setGpu(const QString& name, const QString& why);
    void setRunning(bool running);
    void setProgress(double share, const QString& what);

signals:
    void runRequested();
    void cancelRequested();
    void backendChosen(olab::BackendChoice choice);

private:
    QWidget* buildBackends();
    QWidget* buildPresets();
    void fillPresets();
    QWidget* buildRun();
    void refreshRun();
    void refreshPreset();
    ExperimentForm* m_form;
    QToolButton *m_gpu = nullptr, *m_simulator = nullptr;
    QComboBox* m_presets = nullptr;
    QLabel *m_presetText = nullptr, *m_what = nullptr;
    QPushButton *m_run = nullptr, *m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    bool m_running = false;
};

} // namespace olab
