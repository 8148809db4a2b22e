#include <olab/analysis/device_work.h>

#include <algorithm>

namespace olab {

DeviceWork::DeviceWork(const Trace& trace) {
    const auto classes = trace.classes();
    m_size = static_cast<std::size_t>(std::ranges::count_if(classes, isDeviceClass));
    if (m_size == classes.size())
        return;
    m_rows.reserve(m_size);
    m_isWork.resize(classes.size());
    for (std::size_t row = 0; row < classes.size(); ++row)
        if (isDeviceClass(classes[row])) {
            m_isWork.add(row);
            m_rows.push_back(static_cast<ActivityIndex>(row));
        }
    m_isWork.finish();
    m_rows.fit();
    if (m_size == 0) // never empty: that would mean that all rows are
        m_rows.push_back(kNoActivity);
}

} // namespace olab
