// Under the verdicts of a simulated run: how far to trust it, in the simulator's own words. Not there for
// what was measured.
#pragma once

#include "results/wrapped_line.h"

#include <olab/ui/shown.h>

namespace olab {

class TrustLine final : public WrappedLine {
    Q_OBJECT
public:
    explicit TrustLine(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);
};

} // namespace olab
