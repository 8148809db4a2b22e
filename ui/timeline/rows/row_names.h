// What rows and their groups are called: by labels that people read, and by names that settings keep.
#pragma once

#include "timeline/rows/row_layout.h"

#include <olab/trace/types.h>

#include <QString>

#include <map>
#include <vector>

namespace olab {
class LaneSet;
class Trace;
struct Lane;
} // namespace olab

namespace olab::ui {

/// Ranges that are of a stream, not of a thread (analysis/threads.h): null for other lanes.
class StreamRanges {
public:
    StreamRanges(const Trace& trace, const LaneSet& lanes);
    /// The row of its stream; null: of another lane, or the stream has none.
    const Lane* streamOf(const Lane& lane) const;

private:
    std::map<QueueId, const Lane*> m_streams;
};

/// Names by device number, kind and label, never by LaneId, process or thread id: "gpu0/compute",
/// "gpu0/stream 14", "host/thread 2". Another recording of the same shape has the same ones.
class RowNames {
public:
    RowNames(const Trace& trace, const LaneSet& lanes);
    const QString& of(LaneId lane) const { return m_rows[lane.value]; }
    const QString& groupOf(LaneId lane) const { return m_groups[lane.value]; }

    /// Of a lane that shows a value: "gpu0/H2D throughput", "gpu0/copy throughput".
    static QString ofValue(const Trace& trace, const Lane& lane);
    static QString groupOfValue(const Trace& trace, const Lane& lane);

private:
    std::vector<QString> m_rows, m_groups; ///< by lane
};

/// "GPU 0  NVIDIA H200 · engines", "Copy throughput", "Streams", "Host"
QString groupLabel(const Trace& trace, const Lane& lane);
/// Of a row of ranges beneath its stream.
QString streamRangesLabel();
/// What stands beside the row: without the rank that its group is called by, since it would be cut there.
QString rowLabel(const Trace& trace, const Lane& lane);
QString rowHelp(const Lane& lane);

// What is said of lanes that show a value over time: their scale, the value in a column or a range. Pure
// functions.

/// "0 to 54.9 GB/s": what the foot and the top of the row stand for, with a star where something is left out
/// (leftOutText). Says why where there is none.
QString scaleText(const Row& row);
/// "12.3 GB/s": what it is on average over `range`. Empty where it is not known.
QString averageText(const Row& row, Interval range);
/// "H2D throughput: 12.3 GB/s on average over 230 µs here (2.7 MiB), 54.9 GB/s at most", and what is left
/// out.
QString valueText(const Row& row, Interval here);
/// "2 copies are not in it: their size or time was not recorded." Empty: all are.
QString leftOutText(const Row& row);
/// "at most 54.9 GB/s, 31.0 GB/s on average", for somebody who hears it.
QString spokenValue(const Row& row, Interval over);

} // namespace olab::ui
