// Under the verdicts of a simulated run: how far to trust it, in the simulator's own words. Not there for
// what was measured.
#pragma once

#include <olab/ui/shown.h>

#include <QLabel>

namespace olab {

class TrustLine final : public QLabel {
    Q_OBJECT
public:
    explicit TrustLine(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
};

} // namespace olab
