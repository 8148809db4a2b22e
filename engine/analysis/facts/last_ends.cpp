#include "facts/last_ends.h"

namespace olab::analysis {

LastEnds::LastEnds(const Facts& facts)
    : m_streams(facts.trace().queues().size())
    , m_units(facts.trace().devices().size() * kEngineCount)
    , m_classes(facts.trace().devices().size() * kDeviceClassCount) {
    for (const DeviceRecord& device : facts.trace().devices())
        m_oneCopyEngine.push_back(device.copyEngines == 1);
}

void LastEnds::append(const LastEnds& later) {
    const auto put = [](std::vector<Last>& here, const std::vector<Last>& behind) {
        for (std::size_t i = 0; i < here.size(); ++i)
            here[i].keep(behind[i]);
    };
    put(m_streams, later.m_streams);
    put(m_units, later.m_units);
    put(m_classes, later.m_classes);
}

} // namespace olab::analysis
