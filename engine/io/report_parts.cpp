#include "report_parts.h"

namespace olab::io {

nlohmann::ordered_json ledgerJson(const analysis::Ledger* ledger) {
    using Json = nlohmann::ordered_json;
    if (!ledger || !ledger->missing.empty())
        return nullptr;
    Json causes = Json::array();
    for (const analysis::LedgerEntry& entry : ledger->entries) {
        causes.push_back({{"id", analysis::lossCauseId(entry.cause)},
                          {"cost_ns", entry.cost},
                          {"gain_ns", entry.gain},
                          {"waited_ns", entry.waited},
                          {"count", entry.count},
                          {"activities", entry.activities},
                          {"text", entry.text}});
        for (const analysis::LossCause other : entry.onlyWith)
            causes.back()["only_with"].push_back(analysis::lossCauseId(other));
        if (entry.isAtMost)
            causes.back()["at_most"] = true;
        if (entry.brought.programs > 0)
            causes.back()["brought"] = {{"part", entry.brought.part}, {"programs", entry.brought.programs}};
        if (entry.brought.high > 0)
            causes.back()["brought"].update({{"low", entry.brought.low}, {"high", entry.brought.high}});
        if (entry.isInferred)
            causes.back()["inferred"] = true;
        if (entry.more > 0)
            causes.back()["more_ns"] = entry.more;
    }
    Json json{{"measured_ns", ledger->measured},
              {"ideal_ns", ledger->ideal},
              {"unexplained_ns", ledger->unexplained},
              {"causes", std::move(causes)}};
    if (ledger->part)
        json["part"] = {{"begin_ns", ledger->part->time.begin},
                        {"end_ns", ledger->part->time.end},
                        {"iterations", ledger->part->iterations}};
    if (ledger->part && ledger->part->unusual > 0) {
        json["part"]["left_out"] = ledger->part->unusual;
        json["part"]["longest_left_out_ns"] = ledger->part->longestUnusual;
    }
    if (ledger->otherWay != analysis::LossCause::None)
        json["other_way"] = analysis::lossCauseId(ledger->otherWay);
    if (const analysis::IfIndependent& told = ledger->ifIndependent; told.gain > 0)
        json["if_independent"] = {{"gain_ns", told.gain},          {"kernels", told.kernels},
                                  {"sequence", told.sequence},     {"share", told.share},
                                  {"activities", told.activities}, {"text", told.text}};
    if (ledger->cut > 0)
        json["ideal_cut_ns"] = ledger->cut;
    return json;
}

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string idOf(const Trace& trace, std::size_t device) {
    return std::to_string(trace.devices()[device].device);
}

/// The keys of `devices` that are of this rank.
OrderedJson devicesOf(const Trace& trace, std::uint32_t rank) {
    OrderedJson ids = OrderedJson::array();
    for (std::size_t d = 0; d < trace.devices().size(); ++d)
        if (trace.devices()[d].rank == rank)
            ids.push_back(idOf(trace, d));
    return ids;
}

OrderedJson rankJson(const RankRecord& rank, const Trace& trace) {
    const bool isAligned = rank.alignment != RankAlignment::Unaligned;
    return {{"rank", rank.rank},
            {"name", rank.name},
            {"file", rank.file},
            {"devices", devicesOf(trace, rank.rank)},
            {"aligned_by", rankAlignmentName(rank.alignment)},
            {"shift_ns", rank.shift},
            {"clock_wrong_by_ns", isAligned ? OrderedJson(rank.correction) : OrderedJson()},
            {"error_ns", rank.error >= 0 ? OrderedJson(rank.error) : OrderedJson()},
            {"shared_collectives", rank.shared},
            {"left_out", rank.leftOut}};
}

OrderedJson rankJson(const analysis::Collectives& all, std::size_t at, const Trace& trace) {
    const analysis::CollectiveDevice& device = all.devices[at];
    return {{"name", device.name},        {"device", idOf(trace, device.device)},
            {"count", device.count},      {"alone", device.alone},
            {"last", device.last},        {"last_share", all.lastShare(at)},
            {"waited_ns", device.waited}, {"waited_for_ns", device.waitedFor}};
}

OrderedJson waitJson(const analysis::CollectiveWait& wait, const analysis::Collectives& all,
                     const Trace& trace) {
    std::string last;
    for (const analysis::CollectiveDevice& device : all.devices)
        if (device.device == wait.device)
            last = device.name;
    return {{"activity", wait.latest},
            {"name", analysis::collectiveName(trace.text(trace.nameOf(wait.latest)))},
            {"last", last},
            {"begin_ns", trace.begin(wait.latest)},
            {"waiting", wait.waiting},
            {"waited_ns", wait.waited}};
}

OrderedJson timesJson(const analysis::CommunicationTimes& times) {
    return {{"count", times.count},
            {"total_ns", times.total},
            {"hidden_ns", times.hidden},
            {"exposed_ns", times.exposed()},
            {"hidden_share", times.hiddenShare()}};
}

/// Those that occur.
OrderedJson kindsJson(const analysis::CommunicationTable& kinds) {
    OrderedJson json = OrderedJson::array();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (kinds[kind].count == 0)
            continue;
        OrderedJson& row = json.emplace_back(
            OrderedJson{{"kind", communicationKindName(static_cast<analysis::CommunicationKind>(kind))}});
        row.update(timesJson(kinds[kind]));
    }
    return json;
}

} // namespace

OrderedJson ranksJson(const Trace& trace) {
    OrderedJson ranks = OrderedJson::array();
    for (const RankRecord& rank : trace.ranks())
        ranks.push_back(rankJson(rank, trace));
    return ranks;
}

OrderedJson collectivesJson(const analysis::Collectives& all, const Trace& trace) {
    OrderedJson devices = OrderedJson::array(), worst = OrderedJson::array();
    for (std::size_t at = 0; at < all.devices.size(); ++at)
        devices.push_back(rankJson(all, at, trace));
    for (const analysis::CollectiveWait& wait : all.worst)
        worst.push_back(waitJson(wait, all, trace));
    return {{"shared", all.shared},
            {"together", all.together},
            {"alone", all.alone},
            {"waited_ns", all.waited},
            {"span_ns", all.span},
            {"end_spread_ns", all.spread},
            {"error_ns", all.error},
            {"straggler", all.straggler ? OrderedJson(all.devices[*all.straggler].name) : OrderedJson()},
            {"text", all.text},
            {"devices", devices},
            {"worst", worst}};
}

OrderedJson communicationJson(const analysis::Communication& all, const Trace& trace) {
    OrderedJson json = timesJson(all.all), devices = OrderedJson::array();
    for (const analysis::CommunicationDevice& device : all.devices) {
        OrderedJson& row =
            devices.emplace_back(OrderedJson{{"name", device.name}, {"device", idOf(trace, device.device)}});
        row.update(timesJson(device.all));
        row["kinds"] = kindsJson(device.kinds);
    }
    json["text"] = all.text;
    json["kinds"] = kindsJson(all.kinds);
    json["devices"] = std::move(devices);
    return json;
}

namespace {

OrderedJson iterationJson(const analysis::JudgedIteration& iteration, const IterationWriters& write) {
    OrderedJson devices = OrderedJson::object(), verdicts = OrderedJson::array();
    for (const analysis::DeviceReport& device : iteration.devices)
        devices[device.id] = write.device(device);
    for (const analysis::Verdict& verdict : iteration.verdicts)
        verdicts.push_back(write.verdict(verdict));
    return {{"number", iteration.number},   {"begin_ns", iteration.time.begin},
            {"end_ns", iteration.time.end}, {"devices", devices},
            {"verdicts", verdicts},         {"bounds", write.bounds(iteration.bounds)}};
}

} // namespace

OrderedJson steadyStateJson(const analysis::SteadyState* found, const IterationWriters& write) {
    if (!found)
        return {};
    if (!found->missing.empty())
        return {{"found_by", "none"}, {"missing", found->missing}};
    OrderedJson json{{"found_by", analysis::iterationMarkName(found->mark)},
                     {"name", found->name},
                     {"operations", found->operations > 0 ? OrderedJson(found->operations) : OrderedJson()},
                     {"iterations", found->iterations.size()},
                     {"begin_ns", found->time.begin},
                     {"end_ns", found->time.end},
                     {"ramp_up_ns", found->rampUp},
                     {"ramp_up_iterations", found->before},
                     {"ramp_down_ns", found->rampDown},
                     {"period_ns", found->period},
                     {"jitter_ns", found->jitter},
                     {"shortest_ns", found->shortest},
                     {"longest_ns", found->longest},
                     {"text", found->text}};
    const char* const names[] = {"typical", "worst"};
    for (std::size_t i = 0; i < found->judged.size() && i < std::size(names); ++i)
        json[names[i]] = iterationJson(found->judged[i], write);
    return json;
}

namespace {

using Json = nlohmann::ordered_json;

Json namedJson(const Trace& trace, ActivityIndex activity) {
    return activity == kNoActivity
               ? Json()
               : Json{{"activity", activity}, {"name", trace.text(trace.nameOf(activity))}};
}

Json waitJson(const analysis::CostlyWait& costly, const Trace& trace) {
    const analysis::ExplainedWait& wait = costly.wait;
    Json ranges = Json::array();
    for (const ActivityIndex range : costly.ranges)
        ranges.push_back(trace.text(trace.nameOf(range)));
    return {{"activity", wait.op},
            {"name", trace.text(trace.nameOf(wait.op))},
            {"begin_ns", costly.own.begin},
            {"own_ns", costly.own.length()},
            {"waited_ns", wait.held},
            {"cause", analysis::waitCauseId(wait.cause)},
            {"blocker", wait.blocker == kNoActivity ? Json() : Json(wait.blocker)},
            {"rests_on", analysis::restsOnName(wait.rests)},
            {"call", namedJson(trace, costly.call)},
            {"ranges", std::move(ranges)}};
}

} // namespace

nlohmann::ordered_json waitsJson(const analysis::TraceFacts& facts,
                                 const std::shared_ptr<const analysis::Ledger>& account) {
    Json json = Json::array();
    for (const analysis::CostlyWait& costly : analysis::costliestWaits(facts, account))
        json.push_back(waitJson(costly, facts.trace()));
    return json;
}

} // namespace olab::io
