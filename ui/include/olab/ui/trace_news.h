// What a program that is being recorded did in the last seconds, as the window shows it. A plain value,
// shared and const; any thread.
#pragma once

#include <olab/recording/last_seconds.h>
#include <olab/view/view_data_ptr.h>

#include <memory>

namespace olab::ui {

struct TraceNews {
    recording::LastLook look;
    view::ViewDataPtr shown;  ///< null: nothing was recorded since the news before
    view::ViewDataPtr judged; ///< what headline and verdicts are of: LastLook::judged
};
using TraceNewsPtr = std::shared_ptr<const TraceNews>;

} // namespace olab::ui
