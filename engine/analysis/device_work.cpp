#include <olab/analysis/device_work.h>

namespace olab {

DeviceWork::DeviceWork(const Trace& trace) {
    const auto classes = trace.classes();
    m_size = static_cast<std::size_t>(std::ranges::count_if(classes, isDeviceClass));
    if (m_size == classes.size())
        return;
    m_rows.resize(std::max<std::size_t>(m_size, 1)); // never empty: that would mean that all rows are
    m_words.resize(classes.size() / kBits + 1);
    std::size_t number = 0;
    for (std::size_t w = 0; w < m_words.size(); ++w) {
        Word& word = m_words[w] = {0, number};
        const std::size_t first = w * kBits, last = std::min(first + kBits, classes.size());
        for (std::size_t row = first; row < last; ++row)
            if (isDeviceClass(classes[row])) {
                word.bits |= std::uint64_t{1} << (row - first);
                m_rows[number++] = static_cast<ActivityIndex>(row);
            }
    }
}

} // namespace olab
