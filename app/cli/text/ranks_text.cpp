#include "ranks_text.h"

#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>
#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

namespace olab::cli {
namespace {

Printed placeText(const RankRecord& rank) {
    Printed text;
    switch (rank.alignment) {
    case RankAlignment::Unaligned:
        return text << "not aligned, shown from its begin on";
    case RankAlignment::Reference:
        return text << "the others are aligned with it";
    case RankAlignment::Clocks:
        text << "aligned by its clock";
        break;
    case RankAlignment::Collectives:
        text << "aligned by the ends of collectives";
        if (rank.correction != 0)
            text << ", its clock was wrong by " << analysis::timeText(rank.correction);
        break;
    }
    if (rank.error >= 0)
        return text << ", within " << analysis::timeText(rank.error) << " as " << rank.shared
                    << " collectives show";
    return text << ", how exactly is not known";
}

Printed rankLines(const Trace& trace) {
    Printed text;
    for (const RankRecord& rank : trace.ranks()) {
        text << "  " << trace.rankText(rank.rank) << " (" << rank.file << ")";
        for (std::size_t d = 0; d < trace.devices().size(); ++d)
            if (trace.devices()[d].rank == rank.rank)
                text << ", device " << std::to_string(trace.devices()[d].device);
        text << ": " << placeText(rank) << "\n";
        if (!rank.leftOut.empty())
            text << "      not in this view: " << rank.leftOut << "\n";
    }
    return text;
}

Printed deviceLines(const analysis::Collectives& all) {
    Printed text;
    for (std::size_t at = 0; at < all.devices.size(); ++at) {
        const analysis::CollectiveDevice& device = all.devices[at];
        text << "  " << device.name << ": last at " << device.last << " of " << device.count << ", waited "
             << analysis::timeText(device.waited) << ", was waited for "
             << analysis::timeText(device.waitedFor);
        if (device.alone > 0)
            text << "; " << device.alone << " more that no other device was seen in";
        text << "\n";
    }
    return text;
}

Printed timesLine(std::string_view name, const analysis::CommunicationTimes& times) {
    return Printed() << "  " << name << ": " << analysis::timeText(times.total) << " in " << times.count
                     << ", " << fixedText(times.hiddenShare() * 100, 1) << " % hidden, "
                     << analysis::timeText(times.exposed()) << " exposed\n";
}

Printed communicationLines(const analysis::Communication& found) {
    Printed text;
    text << "\n" << found.text << "\n";
    for (std::size_t kind = 0; kind < found.kinds.size(); ++kind)
        if (found.kinds[kind].count > 0)
            text << timesLine(communicationKindName(static_cast<analysis::CommunicationKind>(kind)),
                              found.kinds[kind]);
    for (const analysis::CommunicationDevice& device : found.devices)
        if (found.devices.size() > 1)
            text << timesLine(device.name, device.all);
    return text;
}

} // namespace

Printed ranksText(const recording::Recording& recording) {
    Printed text;
    if (!recording.trace.ranks().empty())
        text << "\nrecordings in this view\n" << rankLines(recording.trace);
    if (const auto& found = recording.report.communication)
        text << communicationLines(*found);
    if (const auto& all = recording.report.collectives)
        text << "\ncollectives\n  " << all->text << "\n" << deviceLines(*all);
    return text;
}

} // namespace olab::cli
