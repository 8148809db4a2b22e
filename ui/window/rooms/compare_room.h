// Runs compared at full size: those that are selected in the list, or the two that were compared last. Owned
// by the window. GUI thread.
#pragma once

#include "compare/full_comparison.h"

#include <QObject>

namespace olab::ui {

struct WindowParts;

class CompareRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit CompareRoom(const WindowParts& parts);
    /// Two or more that are selected, else the two that were compared last; says so where there are none.
    void showChosen();
    void show(const std::vector<view::RunPtr>& runs); ///< the oldest first
    FullComparison& page();

signals:
    void shown(); ///< all of a comparison is on the screen

private:
    const WindowParts& m_parts;
    FullComparison* m_page = nullptr;                   ///< null until somebody wants it
    std::vector<std::weak_ptr<const view::Run>> m_last; ///< compared, wherever
};

} // namespace olab::ui
