#include <olab/analysis/device_work.h>

#include <algorithm>

namespace olab::analysis {
namespace {

/// Counts in blocks of a known length, so that the compiler can vectorize it.
std::size_t countWork(std::span<const ActivityClass> classes) {
    constexpr std::size_t kBlock = 128; // whose count fits in a byte
    std::size_t count = 0;
    for (; classes.size() >= kBlock; classes = classes.subspan(kBlock)) {
        std::uint8_t inBlock = 0;
        for (std::size_t row = 0; row < kBlock; ++row)
            inBlock = static_cast<std::uint8_t>(inBlock + isDeviceClass(classes[row]));
        count += inBlock;
    }
    return count + static_cast<std::size_t>(std::ranges::count_if(classes, isDeviceClass));
}

} // namespace

DeviceWork::DeviceWork(const Trace& trace) {
    const auto classes = trace.classes();
    m_size = countWork(classes);
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
    if (m_size == 0) // never empty: that would mean that all rows are device work
        m_rows.push_back(kNoActivity);
}

} // namespace olab::analysis
