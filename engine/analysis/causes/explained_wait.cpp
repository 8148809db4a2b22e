#include <olab/analysis/explained_wait.h>

#include <olab/analysis/cause_table.h>

#include "causes/wait_words.h"
#include "facts/sentences.h"

#include <olab/trace/index_search.h>

#include <algorithm>

namespace olab::analysis {
namespace {

bool waited(const OwnedWait& wait, Ns begin) {
    return wait.cause != LossCause::None && wait.ready < begin;
}

/// Explains unexpected hardware behaviour.
std::string engineSentence(const Activity& a) {
    const bool hostCopy = a.cls == ActivityClass::MemcpyH2D || a.cls == ActivityClass::MemcpyD2H;
    return hostCopy && a.engine == EngineKind::Compute ? " It ran on a compute channel, to which the driver "
                                                         "sends some small copies, and not on a copy engine."
                                                       : "";
}

} // namespace

ExplainedWaits::ExplainedWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account)
    : m_facts(facts)
    , m_account(std::move(account)) {
    if (!m_account || m_account->waits.size() != size())
        return;
    m_end = size();
    if (!m_account->part)
        return;
    const auto begin = [&facts](std::size_t n) { return facts.trace().begin(facts.deviceWork().row(n)); };
    const Interval judged = m_account->part->time;
    m_first =
        firstNotBefore(0, size(), [&](std::size_t n) { return begin(n) < judged.begin; }); // in begin order
    m_end = firstNotBefore(0, size(), [&](std::size_t n) { return begin(n) <= judged.end; });
}

LossCause ExplainedWaits::cause(std::size_t number) const {
    const LossCause seen = m_facts.waitTable().cause(number);
    const OwnedWait* const own = owned(number);
    if (!own)
        return seen;
    if (waited(*own, m_facts.trace().begin(m_facts.deviceWork().row(number))))
        return own->cause;
    return seen == LossCause::StreamOrder ? LossCause::StreamOrder : LossCause::None;
}

ActivityIndex ExplainedWaits::blocker(std::size_t number) const {
    const OwnedWait* const own = owned(number);
    const bool isOwn = own && waited(*own, m_facts.trace().begin(m_facts.deviceWork().row(number)));
    if (own && !isOwn && cause(number) != LossCause::StreamOrder)
        return kNoActivity;
    return isOwn ? own->blocker : m_facts.waitTable().blocker(number);
}

Ns ExplainedWaits::length(std::size_t number) const {
    const OwnedWait* const own = owned(number);
    return own ? std::max<Ns>(0, m_facts.trace().begin(m_facts.deviceWork().row(number)) - own->ready)
               : m_facts.waitTable().wait(number);
}

Ns ExplainedWaits::held(std::size_t number) const {
    return owned(number) ? length(number) : m_facts.waitTable().held(number);
}

ExplainedWait ExplainedWaits::operator[](std::size_t number) const {
    const ExplainedWait seen = m_facts.waits()[number];
    if (!owned(number))
        return seen;
    const Ns begin = m_facts.trace().begin(seen.op), took = length(number);
    return {seen.op, cause(number),  blocker(number),      {begin - took, begin},
            took,    seen.stretched, owned(number)->rests, true};
}

std::optional<ExplainedWait> ExplainedWaits::of(ActivityIndex row) const {
    if (row >= m_facts.trace().size() || !isDeviceClass(m_facts.trace().cls(row)))
        return std::nullopt;
    return (*this)[m_facts.deviceWork().numberOf(row)];
}

std::string_view waitCauseId(LossCause cause) {
    return causeRow(cause).id;
}

std::string causeSentence(const TraceFacts& facts, const ExplainedWait& wait) {
    const CauseRow& row = causeRow(wait.cause);
    return row.sentence ? row.sentence(facts, wait) : plainSentence(facts, wait);
}

std::string waitSentence(const TraceFacts& facts, const ExplainedWait& wait) {
    std::string text = causeSentence(facts, wait) + engineSentence(facts.trace()[wait.op]);
    const Ns solo = facts.solo(wait.op);
    if (!isNoticeable(wait.stretched, solo))
        return text;
    text +=
        " Ran " + timeText(facts.trace().time(wait.op).length()) + " instead of " + timeText(solo) + " alone";
    if (const ActivityIndex stretcher = facts.stretcherOf(wait.op); stretcher != kNoActivity)
        text += ", with " + activityName(facts, stretcher) + " beside it";
    return text + ".";
}

} // namespace olab::analysis
