// A sweep: what is varied, its map, one line of it with the account, and what there is to say. It shows, and
// tells what a person wants. GUI thread.
#pragma once

#include "sweep/sweep_chart.h"
#include "sweep/sweep_map.h"
#include "sweep/sweep_setup.h"

#include <olab/ui/sweep_news.h>

#include <functional>
#include <optional>

class QComboBox;
class QPushButton;

namespace olab::ui {

class ElidedLabel;

class SweepPage final : public QWidget {
public:
    struct Wishes {
        std::function<void()> startOrStop, open, save, back;
        std::function<void(std::size_t)> openCell;
    };
    explicit SweepPage(Wishes wishes, QWidget* parent = nullptr);

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
    void setFigure(sweep::Figure figure);
    QString sentences() const;
    /// Title, map, line and sentences, without what is only there to be pressed.
    QImage picture() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildChoices();
    void showAll();
    void showLine();
    Wishes m_wishes;
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
