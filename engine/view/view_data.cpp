#include <olab/view/view_data.h>

#include <olab/analysis/analyze.h>
#include <olab/recording/recording.h>

#include <algorithm>

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

ViewData::ViewData(recording::RecordingPtr shownRecording, const RunControl& control, RunPtr ofRun)
    : recording(std::move(shownRecording))
    , run(ofRun ? std::move(ofRun) : std::make_shared<const Run>(*recording))
    , facts(*recording->facts)
    , index(recording->trace, *recording->lanes, control)
    , links(facts, control) {
    if (recording->report.ledger)
        m_account =
            std::make_shared<const Account>(facts, *recording->lanes, recording->report.ledger, control);
    if (recording::wantsIdleTimes(*recording, recording->report.ledger.get()))
        m_idle = recording::idleTimes(*recording, control);
}

AccountPtr ViewData::account() const {
    const std::scoped_lock lock(m_mutex);
    return m_account;
}

std::vector<recording::DeviceIdle> ViewData::idle() const {
    const std::scoped_lock lock(m_mutex);
    return m_idle;
}

analysis::ExplainedWaits ViewData::waits() const {
    const AccountPtr shownAccount = account();
    return analysis::ExplainedWaits(facts, shownAccount ? shownAccount->sharedLedger() : nullptr);
}

std::shared_ptr<const analysis::SteadyState> ViewData::steadyState() const {
    const std::scoped_lock lock(m_mutex);
    return m_steadyState ? m_steadyState : recording->report.steadyState;
}

namespace {

using SteadyStatePtr = std::shared_ptr<const analysis::SteadyState>;

/// The report as if both had been available from the start.
std::shared_ptr<const analysis::Report> remade(const recording::Recording& recording,
                                               const AccountPtr& account, const SteadyStatePtr& steadyState) {
    auto report = std::make_shared<analysis::Report>(recording.report);
    report->steadyState = steadyState;
    if (account && account->ledger().waits.size() == recording.facts->deviceWork().size()) {
        report->ledger = account->sharedLedger();
        analysis::judge(*report, *recording.facts);
        recording::applyNotes(recording, *report);
    }
    return report;
}

} // namespace

// Set by one job at a time; slow work is done outside the lock.
void ViewData::setAccount(AccountPtr account) const {
    auto judged = steadyState();
    if (judged)
        judged = recording::judgedBy(account ? account->sharedLedger() : nullptr, *judged, *recording);
    auto report = remade(*recording, account, judged);
    std::vector<recording::DeviceIdle> idleNow;
    if (account && recording::wantsIdleTimes(*recording, &account->ledger()))
        idleNow = recording::idleTimes(*recording);
    const std::scoped_lock lock(m_mutex);
    m_idle = std::move(idleNow);
    m_account = std::move(account);
    m_steadyState = std::move(judged);
    m_report = std::move(report);
}

void ViewData::setSteadyState(SteadyStatePtr found) const {
    auto report = remade(*recording, account(), found);
    const std::scoped_lock lock(m_mutex);
    m_steadyState = std::move(found);
    m_report = std::move(report);
}

std::shared_ptr<const analysis::Report> ViewData::report() const {
    const std::scoped_lock lock(m_mutex);
    return m_report ? m_report : std::shared_ptr<const analysis::Report>(recording, &recording->report);
}

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
    const AccountPtr shownAccount = account();
    return sizeof(*this) + recording->memoryBytes() + index.allBytes() + links.memoryBytes() +
           (shownAccount ? shownAccount->memoryBytes() : 0);
}

} // namespace olab::view
