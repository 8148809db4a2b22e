#include <olab/view/run.h>

#include <olab/recording/recording.h>

namespace olab::view {

Run::Run(const recording::Recording& recording)
    : m_ownTitle(recording.label.title.empty()
                     ? recording.title
                     : recording.file.filename().string()) // if its name is removed again
    , m_label(recording.label) {}

io::RunLabel Run::label() const {
    const std::lock_guard lock(m_mutex);
    return m_label;
}

void Run::setLabel(io::RunLabel label) const {
    const std::lock_guard lock(m_mutex);
    m_label = std::move(label);
}

std::string Run::title() const {
    const io::RunLabel named = label();
    return named.title.empty() ? m_ownTitle : named.title;
}

} // namespace olab::view
