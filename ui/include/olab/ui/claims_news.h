// What came of claims that were judged in the window: their results, and the recordings they rest on. A plain
// value, shared and const; any thread.
#pragma once

#include <olab/claims/claim_runs.h>
#include <olab/view/view_data.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace olab::ui {

struct ClaimsNews {
    claims::ClaimsResults results;
    /// A recording of each run that there was ("E01.h2d").
    std::map<std::string, view::ViewDataPtr, std::less<>> runs;
};
using ClaimsNewsPtr = std::shared_ptr<const ClaimsNews>;

} // namespace olab::ui
