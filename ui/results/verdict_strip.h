// The answer at a glance: one chip per pair of classes of the first device, and how much of the possible gain
// was reached. Each chip has a word, a number, a shape and a colour: none of them is needed to read the
// others.
#pragma once

#include <olab/ui/shown.h>

#include <QWidget>

namespace olab {

class FlowLayout;

class VerdictStrip final : public QWidget {
    Q_OBJECT
public:
    explicit VerdictStrip(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);

private:
    void addEfficiency(const Bounds& bounds);
    FlowLayout* m_flow;
};

/// The verdicts worth a chip: those of the first device whose classes are both present.
std::vector<const Verdict*> shownVerdicts(const Report& report);

} // namespace olab
