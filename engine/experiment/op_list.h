// The ops of a schedule while it is planned: numbered in issue order, in units of one issuing thread, each
// kind listed once to be run alone. Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include <array>
#include <cstdint>
#include <vector>

namespace olab::experiment::detail {

/// Host functions run on a CPU thread: their duration says nothing about the device.
bool runsOnDevice(OpKind kind);

enum class Ops : std::uint8_t { Keep, Count };

class OpList {
public:
    /// Writes into `schedule`, first the ops of its window. Holds both references.
    OpList(const Experiment& experiment, Schedule& schedule, Ops ops);

    void push(Op op);
    /// What follows is issued by `thread`, once `awaits` is done.
    void openUnit(std::int32_t thread, OpId awaits);
    void closeUnit();
    /// What follows is of the warm-up: without numbers and units.
    void beginWarmup();

    OpId nextId() const { return OpId{m_made}; }
    std::uint32_t made() const { return m_made; }

private:
    /// Fields that the kind of an op does not determine, with one value for all ops of that kind.
    struct Ways {
        HostMemory memory{};
        CallbackMethod callback{};
        SyncMode sync{};
    };
    std::uint32_t soloOf(const SoloOp& solo);

    Schedule& m_schedule;
    std::array<Ways, kOpKinds> m_ways;
    std::uint32_t m_made = 0; ///< of the window
    bool m_counts, m_warmup = false;
    IssueUnit m_unit;
};

} // namespace olab::experiment::detail
