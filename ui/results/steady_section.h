// The repeating iteration of a recording in words, with the ways to its typical and its worst one. In a long
// recording nobody has looked for it: then a person asks for it here, with progress and Cancel.
#pragma once

#include <olab/view/view_data.h>

#include <QProgressBar>
#include <QWidget>

class QVBoxLayout;

namespace olab::ui {

class SteadySection final : public QWidget {
    Q_OBJECT
public:
    enum class State : std::uint8_t {
        Ready,  ///< it can be asked for
        Busy,   ///< something else runs
        Working ///< it is being found
    };
    SteadySection(const view::ViewData& shown, State state, QWidget* parent = nullptr);
    /// Whether there is anything to say or to offer.
    static bool hasWords(const view::ViewData& shown);
    /// 0 to 1; below 0: not known.
    void setProgress(double share);

signals:
    void requested();
    void cancelRequested();
    void iterationChosen(olab::Interval time);

private:
    void addFound(const analysis::SteadyState& found, QVBoxLayout& column);
    void addOffer(const view::ViewData& shown, State state, QVBoxLayout& column);
    QProgressBar* m_progress = nullptr;
};

} // namespace olab::ui
