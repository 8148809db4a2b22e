// What the host of a program that is not ours did while it could have issued work: told from the calls it
// made and from the ranges that its framework or its author named. Times are ns.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/loss_cause.h>

#include <optional>
#include <vector>

namespace olab::replay {

/// A copy to the host of at most this many bytes brings a value, not data.
inline constexpr std::int64_t kSmallCopy = 64 << 10;

class HostReasons {
public:
    /// `isForeign`: a run of the lab knows what its host does, and has none of these.
    HostReasons(const analysis::Facts& facts, bool isForeign);

    /// Why no call was made in this time, of which the program took `own`.
    analysis::LossCause ofPause(QueueId thread, Interval pause, Ns own) const;
    analysis::LossCause ofPause(QueueId thread, Interval pause) const {
        return ofPause(thread, pause, pause.length());
    }
    /// A pause in which the host waited without a call.
    struct Waited {
        ActivityIndex work = kNoActivity;
        Interval own; ///< what it did once that had ended: it takes its time without the wait too
        analysis::LossCause ofOwn{};
    };
    /// `ofPause`: its cause. None: it was no such wait.
    std::optional<Waited> waitedIn(QueueId thread, Interval pause, analysis::LossCause ofPause) const;
    /// Why a call that issues nothing takes its time.
    analysis::LossCause ofCall(ActivityIndex call) const;
    /// Why the host waited for this work in a call: `ofCall`, if its kind tells nothing better. `isForValue`:
    /// the call waits for a copy or for what a stream did last, not for an event or all of the device.
    analysis::LossCause ofAwaited(ActivityIndex work, analysis::LossCause ofCall,
                                  bool isForValue = true) const;
    /// Of calls that wait for the device, and of their waiting.
    analysis::LossCause ofBarrier(ActivityIndex call) const;
    /// A call or a copy of a run of small copies, behind its first: one copy for all would not need it.
    bool isOfSmallCopies(ActivityIndex row) const { return !m_small.empty() && m_small[row] != 0; }
    /// A call that makes a graph or is captured into one, or that lets one go: a graph that is kept needs
    /// none of them.
    bool makesGraph(ActivityIndex call) const { return !m_makesGraph.empty() && m_makesGraph[call] != 0; }
    /// A copy that brings a value to the host, not data.
    bool isValue(ActivityIndex work) const;
    /// It prepares batches for those that issue work.
    bool isLoader(QueueId thread) const { return m_isForeign && m_loads[thread.value] != 0; }
    bool isPython() const { return m_isPython; } ///< the host code, as far as the records tell

private:
    enum class Doing : std::uint8_t { Nothing, Loading, ReadingBack, Waiting, Allocating, Operator };
    struct Stretch { ///< until the next begins
        Ns begin = 0;
        Doing doing{};
    };
    struct Ended {
        Ns issued = 0, end = 0;          ///< by when all issued so far had ended
        ActivityIndex row = kNoActivity; ///< the last of those
    };
    struct Brought { ///< a copy to the host
        Ns end = 0;
        ActivityIndex row = kNoActivity;
        QueueId by{}; ///< the thread that issued it
        bool isValue = false;
    };
    const Brought* awaitedCopy(QueueId thread, Interval pause) const;
    const Ended* awaitedWork(Interval pause) const;
    void followWork();
    static Doing doingOf(std::string_view range);
    void readRanges();
    void findLaunches();
    bool launchesBetween(ActivityIndex before, ActivityIndex call) const;
    void findSmallCopies(QueueId thread);
    void markSmall(const std::vector<ActivityIndex>& calls);

    void findLoaders();
    const analysis::Facts& m_facts;
    bool m_isForeign = false, m_isPython = false;
    std::vector<std::vector<Stretch>> m_stretches; ///< per thread
    std::vector<std::uint8_t> m_loads;             ///< per thread: it pins what a loader brings
    std::vector<Brought> m_brought;                ///< by end
    std::vector<Ended> m_ended;                    ///< by issue
    std::vector<Ns> m_launches;                    ///< of kernels, by any thread: the begins of their calls
    std::vector<std::uint8_t> m_small;             ///< per row; empty: there are none
    std::vector<std::uint8_t> m_makesGraph;        ///< the same
};

} // namespace olab::replay
