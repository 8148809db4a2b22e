// A run in the window: its current title and note, along with its recordings.
#pragma once

#include <olab/io/run_label.h>
#include <olab/view/run_ptr.h>

#include <memory>
#include <mutex>
#include <string>

namespace olab::recording {
struct Recording;
} // namespace olab::recording

namespace olab::view {

/// One run in the window with its current title and note, independent of which recording represents it and
/// where that is stored. A recording never changes, its label may: any thread reads it, the GUI thread writes
/// it (Runs).
class Run {
public:
    explicit Run(const recording::Recording& recording);
    io::RunLabel label() const;
    void setLabel(io::RunLabel label) const;
    std::string title() const; ///< of the label, else the recording's own; as its file has it (titleText)

private:
    const std::string m_ownTitle;
    mutable std::mutex m_mutex; ///< a picture may be rendered while a run is renamed
    mutable io::RunLabel m_label;
};

} // namespace olab::view
