// Above the verdicts of a run whose data came out wrong: that it did, and what to do. It belongs to the run
// that is shown: there whenever that is, gone with it.
#pragma once

#include "results/wrapped_line.h"

#include <olab/view/view_data.h>

namespace olab::ui {

class RaceLine final : public WrappedLine {
    Q_OBJECT
public:
    explicit RaceLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace olab::ui
