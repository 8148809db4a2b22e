#include <olab/view/view_data.h>

#include <algorithm>

namespace olab {

ViewData::ViewData(RecordingPtr shownRecording, const RunControl& control, RunPtr ofRun)
    : recording(std::move(shownRecording))
    , run(ofRun ? std::move(ofRun) : std::make_shared<const Run>(*recording))
    , facts(*recording->facts)
    , index(recording->trace, *recording->lanes, control)
    , links(facts, control) {}

std::vector<ActivityIndex> ViewData::sameOp(ActivityIndex activity) const {
    std::vector<ActivityIndex> same{activity};
    if (activity >= trace().size())
        return same;
    if (const ActivityIndex call = facts.apiOf(activity); call != kNoActivity)
        same.push_back(call);
    const auto work = facts.issuedBy(activity);
    same.insert(same.end(), work.begin(), work.end());
    std::ranges::sort(same);
    return same;
}

Ns ViewData::zero() const {
    const Interval device = trace().deviceSpan();
    return device.length() > 0 ? device.begin : trace().span().begin;
}

Interval ViewData::limits() const {
    const Interval span = trace().span();
    const Ns air = std::max<Ns>(span.length() / 100, 1);
    return {span.begin - air, span.end + air};
}

std::size_t ViewData::memoryBytes() const {
    return sizeof(*this) + recording->memoryBytes() + index.allBytes() + links.memoryBytes();
}

} // namespace olab
