// The activities that ended last so far, per stream, engine and class: all that the passes over device work
// keep of earlier rows. It can be computed for each stretch of rows alone and then appended to the one
// before, so the stretches of a recording are processed in parallel.
#pragma once

#include "facts/op_row.h"

namespace olab::analysis {

struct Last {
    Ns end = std::numeric_limits<Ns>::min();
    ActivityIndex activity = kNoActivity;
    void keep(Ns until, ActivityIndex i) {
        if (activity == kNoActivity || until >= end) {
            end = until;
            activity = i;
        }
    }
    void keep(const Last& later) {
        if (later.activity != kNoActivity)
            keep(later.end, later.activity);
    }
};

class LastEnds {
public:
    explicit LastEnds(const Facts& facts);
    /// Adds a device activity. A device with one copy engine copies both directions on it.
    void keep(const OpRow& op) {
        m_streams[op.queue.value].keep(op.time.end, op.row);
        m_units[unitOf(op)].keep(op.time.end, op.row);
        m_classes[classAt(op.device, op.cls)].keep(op.time.end, op.row);
    }
    void keepInStream(QueueId stream, Ns end, ActivityIndex row) { m_streams[stream.value].keep(end, row); }
    const Last& inStream(QueueId stream) const { return m_streams[stream.value]; }
    const Last& onUnit(const OpRow& op) const { return m_units[unitOf(op)]; }
    const std::vector<Last>& ofClasses() const { return m_classes; } ///< by device, then class
    bool hasOneCopyEngine(std::uint8_t device) const { return m_oneCopyEngine[device]; }
    /// Appends the state of the rows that follow these.
    void append(const LastEnds& later);

private:
    static std::size_t classAt(std::uint8_t device, ActivityClass cls) {
        return device * kDeviceClassCount + static_cast<std::size_t>(cls);
    }
    std::size_t unitOf(const OpRow& op) const {
        const EngineKind unit = m_oneCopyEngine[op.device] ? EngineKind::CopyH2D : op.engine;
        return op.device * kEngineCount + static_cast<std::size_t>(unit);
    }
    std::vector<Last> m_streams, m_units, m_classes;
    std::vector<std::uint8_t> m_oneCopyEngine;
};

} // namespace olab::analysis
