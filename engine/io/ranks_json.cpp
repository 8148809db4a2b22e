#include "ranks_json.h"

namespace olab::io {
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

} // namespace olab::io
