// What "Find the fix" found: the best pipeline that its options can reach, the changes that were measured
// with their intervals, and those that were only predicted.
#pragma once

#include <olab/comparison/fix.h>

#include <QScrollArea>

#include <memory>

namespace olab::ui {

class FixPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit FixPage(QWidget* parent = nullptr);
    void setFix(const std::shared_ptr<const comparison::Fix>& fix);
    bool empty() const { return !m_fix; }
    int wantedHeight() const; ///< all of it without scrolling

signals:
    /// The experiment with all its options, as JSON.
    void settingsChosen(const std::string& experiment);

private:
    void rebuild();
    QWidget* table() const;
    std::shared_ptr<const comparison::Fix> m_fix;
};

} // namespace olab::ui
