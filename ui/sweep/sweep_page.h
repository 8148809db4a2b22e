// A sweep: what is varied, its map, one line of it with the account, and what there is to say. It shows, and
// tells what a person wants. GUI thread.
#pragma once

#include "sweep/sweep_chart.h"
#include "sweep/sweep_map.h"

#include <olab/sweep/grid.h>
#include <olab/ui/news.h>

#include <QWidget>

#include <array>
#include <optional>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace olab::ui {

class ElidedLabel;

/// What a sweep varies: one option or two, each with the text of its values as the command line takes it, and
/// how often each cell is measured. GUI thread.
class SweepSetup final : public QWidget {
public:
    explicit SweepSetup(QWidget* parent = nullptr);
    /// The axes of `base`; empty where they do not read, and the problem is shown.
    std::vector<sweep::Axis> axes() const;
    int repeats() const;
    void setAxes(const std::vector<sweep::Axis>& axes, int repeats);
    /// Values are proposed around those of this experiment.
    void setBase(const experiment::HeldExperiment& base) { m_base = base; }
    void setLocked(bool locked); ///< while it runs
    void showProblem(const QString& text);
    QLineEdit& values(std::size_t axis) const { return *m_axes[axis].values; }
    QComboBox& key(std::size_t axis) const { return *m_axes[axis].key; }
    QSpinBox& repeatBox() const { return *m_repeats; }

private:
    struct AxisRow {
        QComboBox* key = nullptr;
        QLineEdit* values = nullptr;
    };
    AxisRow makeAxis(QGridLayout& grid, int row, const QString& name);
    void propose(std::size_t axis);
    experiment::HeldExperiment m_base;
    std::array<AxisRow, sweep::kMostAxes> m_axes;
    QSpinBox* m_repeats;
    QLabel* m_problem;
};

class SweepPage final : public QWidget {
    Q_OBJECT
public:
    explicit SweepPage(QWidget* parent = nullptr);

    void begin(const sweep::Grid& grid); ///< its cells are empty
    void take(const SweepNews& news);
    /// Whether it runs, and where: "on NVIDIA H200", "the simulator".
    void setState(bool running, const QString& where);
    void say(const QString& text); ///< in place of what the chosen cell says, until another is chosen
    const sweep::Sweep* sweep() const { return m_sweep ? &*m_sweep : nullptr; } ///< null: none yet
    SweepSetup& setup() { return *m_setup; }
    SweepMap& map() { return *m_map; }
    SweepChart& chart() { return *m_chart; }
    sweep::Figure figure() const;
    QString sentences() const;
    /// Title, map, line and sentences, without what is only there to be pressed.
    QImage picture() const;

signals:
    void startRequested(); ///< or to stop
    void openRequested();
    void saveRequested();
    void backRequested();
    void cellOpened(std::size_t cell);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildChoices();
    void showAll();
    void showLine();
    std::optional<sweep::Sweep> m_sweep;
    bool m_figureChosen = false; ///< by the person: another sweep keeps it
    ElidedLabel* m_title = nullptr;
    QPushButton *m_start = nullptr, *m_save = nullptr;
    QComboBox *m_figures = nullptr, *m_lines = nullptr;
    SweepSetup* m_setup;
    QWidget* m_body;
    SweepMap* m_map;
    SweepChart* m_chart;
    ElidedLabel* m_cell;
    QLabel* m_words;
};

} // namespace olab::ui
