// A pass of the experiment that runs over and over, as the window shows it. A plain value, shared and const;
// any thread.
#pragma once

#include <olab/recording/live_run.h>
#include <olab/view/view_data_ptr.h>

#include <memory>
#include <vector>

namespace olab::ui {

struct LiveNews {
    recording::LivePass pass;
    view::ViewDataPtr shown;
};
using LiveNewsPtr = std::shared_ptr<const LiveNews>;

} // namespace olab::ui
