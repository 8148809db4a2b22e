// What the difference of two runs is made of, beside their lanes: the two accounts line by line, which add up
// to it, findings that came and went, verdicts that changed. GUI thread.
#pragma once

#include "compare/compared_runs.h"

#include <olab/comparison/comparison.h>

#include <QScrollArea>
#include <QString>
#include <QWidget>

namespace olab::ui {

/// "vectorAdd: 1.20 ms before, 3.40 ms after (+2.20 ms), begins 0.30 ms later".
/// Of an operation of the first run: what became of it in the run `inUse`.
QString textOfPair(const ComparedRuns& runs, std::size_t side, ActivityIndex activity, std::size_t inUse);

/// Which colour says what became of an operation.
class FateLegend final : public QWidget {
    Q_OBJECT
public:
    explicit FateLegend(QWidget* parent = nullptr);
};

class DifferencePanel final : public QScrollArea {
    Q_OBJECT
public:
    explicit DifferencePanel(QWidget* parent = nullptr);
    void setComparison(const comparison::Comparison& comparison);
    QSize sizeHint() const override;
    QStringList lines() const { return m_lines; } ///< all that stands there, from top to bottom

private:
    QStringList m_lines;
};

} // namespace olab::ui
