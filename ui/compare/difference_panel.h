// What the difference of two runs is made of, beside their lanes: the two accounts line by line, which add up
// to it, findings that came and went, verdicts that changed. GUI thread.
#pragma once

#include <olab/comparison/comparison.h>

#include <QScrollArea>

namespace olab::ui {

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
