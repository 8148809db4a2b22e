#include "timeline/row_names.h"

#include <olab/ui/format.h>

namespace olab {

namespace {

bool isOfDevice(const Lane& lane) {
    return lane.kind == LaneKind::Engine || lane.kind == LaneKind::Stream;
}

QString deviceName(const Trace& trace, const Lane& lane) {
    const auto devices = trace.devices();
    const bool known = lane.device < devices.size() && devices[lane.device].device != kNoNumber;
    return QStringLiteral("gpu%1").arg(known ? QString::number(devices[lane.device].device)
                                             : QStringLiteral("?%1").arg(lane.device));
}

QString groupName(const Trace& trace, const Lane& lane) {
    if (!isOfDevice(lane))
        return QStringLiteral("host");
    return deviceName(trace, lane) + (lane.kind == LaneKind::Stream ? QStringLiteral("/streams") : QString());
}

} // namespace

RowNames::RowNames(const Trace& trace, const LaneSet& lanes) {
    QString thread; // by number: their ids are others in each process
    int threads = 0;
    std::uint16_t queue = 0;
    for (const Lane& lane : lanes.lanes()) {
        const QString place = isOfDevice(lane) ? deviceName(trace, lane) : QStringLiteral("host");
        QString name = fromText(lane.label);
        if (lane.kind == LaneKind::HostThread || isBeneathThread(lane.kind)) {
            if (threads == 0 || lane.queue.value != queue)
                thread = QStringLiteral("thread %1").arg(++threads);
            queue = lane.queue.value;
            name = thread + (lane.kind == LaneKind::HostThread
                                 ? QString()
                                 : QLatin1Char('/') + name.section(QStringLiteral(" · "), -1));
        }
        m_rows.push_back(place + QLatin1Char('/') + name);
        m_groups.push_back(groupName(trace, lane));
    }
}

QString groupLabel(const Trace& trace, const Lane& lane) {
    if (lane.kind == LaneKind::Stream)
        return QStringLiteral("Streams");
    if (!isOfDevice(lane))
        return QStringLiteral("Host");
    const auto devices = trace.devices();
    const bool known = lane.device < devices.size();
    const QString name = known ? fromText(devices[lane.device].name) : QString();
    const QString number = known ? QString::number(devices[lane.device].device) : QStringLiteral("?");
    return QStringLiteral("GPU %1  %2 · engines").arg(number, name);
}

QString rowHelp(const Lane& lane) {
    switch (lane.kind) {
    case LaneKind::Engine:
        return QStringLiteral(
            "A hardware engine of the GPU: what really executed, whatever stream it came from");
    case LaneKind::Stream:
        return QStringLiteral("A CUDA stream: its work is ordered, one after the other");
    case LaneKind::HostFn:
        return QStringLiteral("Host functions that streams called when they reached them");
    case LaneKind::HostRanges:
        return QStringLiteral("What the thread was doing, in its own words: ranges and marks of NVTX");
    case LaneKind::HostWaits:
        return QStringLiteral("Where the thread waited for the GPU, inside its calls");
    case LaneKind::HostOverhead:
        return QStringLiteral("What the tracing tool itself did in the thread: no part of the program");
    case LaneKind::Channel:
        return QStringLiteral("A channel: one of the hardware queues that feed the engine");
    case LaneKind::HostThread:
        break;
    }
    return QStringLiteral("A host thread: its CUDA API calls, and its waits where they do not cross them");
}

} // namespace olab
