// What a sweep varies: one option or two, each with the text of its values as the command line takes it, and
// how often each cell is measured. GUI thread.
#pragma once

#include <olab/sweep/grid.h>

#include <QWidget>

#include <array>
#include <functional>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace olab::ui {

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

} // namespace olab::ui
