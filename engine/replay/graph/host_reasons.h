// What the host of a program that is not the lab's did while it could have issued work: from its calls, and
// from the ranges named by its framework or author. Times are ns.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/loss_cause.h>

#include <optional>
#include <vector>

namespace olab::replay {

/// A copy to the host of at most this many bytes fetches a value, not data.
inline constexpr std::int64_t kSmallCopy = 64 << 10;

class HostReasons {
public:
    /// `isForeign`: a program that is not the lab's. A run of the lab has none of these reasons, since its
    /// host's work is known.
    HostReasons(const analysis::Facts& facts, bool isForeign);

    /// The reason for a pause without calls; `own` is the part of it that the program itself took.
    analysis::LossCause ofPause(QueueId thread, Interval pause, Ns own) const;
    analysis::LossCause ofPause(QueueId thread, Interval pause) const {
        return ofPause(thread, pause, pause.length());
    }
    /// A pause in which the host waited outside of any call.
    struct Waited {
        ActivityIndex work = kNoActivity;
        Interval own; ///< the host's own work after that end, which takes its time without the wait too
        analysis::LossCause ofOwn{};
    };
    /// `ofPause`: the cause of the pause. None: it was not such a wait.
    std::optional<Waited> waitedIn(QueueId thread, Interval pause, analysis::LossCause ofPause) const;
    /// The reason for the duration of a call that issues nothing.
    analysis::LossCause ofCall(ActivityIndex call) const;
    /// The reason why the host waited for this work in a call: `ofCall`, unless the kind of work gives a
    /// better one. `isForValue`: the call waits for a copy or for the last work of a stream, not for an event
    /// or the whole device.
    analysis::LossCause ofAwaited(ActivityIndex work, analysis::LossCause ofCall,
                                  bool isForValue = true) const;
    /// For a call that waits for the device: the reason for it and for its waiting.
    analysis::LossCause ofBarrier(ActivityIndex call) const;
    /// A later member of a run of small calls or copies: one copy for all would make it unnecessary.
    bool isOfSmallCopies(ActivityIndex row) const { return !m_small.empty() && m_small[row] != 0; }
    /// A call that builds, captures or destroys a graph: unnecessary if the graph is kept.
    bool makesGraph(ActivityIndex call) const { return !m_makesGraph.empty() && m_makesGraph[call] != 0; }
    /// A copy that fetches a value to the host, not data.
    bool isValue(ActivityIndex work) const;
    /// A thread that prepares batches for the threads that issue work.
    bool isLoader(QueueId thread) const { return m_isForeign && m_loads[thread.value] != 0; }
    bool isPython() const { return m_isPython; } ///< the host code is Python, as far as the records show

private:
    enum class Doing : std::uint8_t { Nothing, Loading, ReadingBack, Waiting, Allocating, Operator };
    struct Stretch { ///< lasts until the next one begins
        Ns begin = 0;
        Doing doing{};
    };
    struct Ended {
        Ns issued = 0, end = 0;          ///< `end`: when everything issued so far had ended
        ActivityIndex row = kNoActivity; ///< the last of those to end
    };
    struct Brought { ///< a copy to the host
        Ns end = 0;
        ActivityIndex row = kNoActivity;
        QueueId by{}; ///< the issuing thread
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
    std::vector<std::uint8_t> m_loads;             ///< per thread: it pins what a loader delivers
    std::vector<Brought> m_brought;                ///< by end
    std::vector<Ended> m_ended;                    ///< by issue
    std::vector<Ns> m_launches;                    ///< begins of the calls that launch kernels, of any thread
    std::vector<std::uint8_t> m_small;             ///< per row; empty if there are none
    std::vector<std::uint8_t> m_makesGraph;        ///< the same
};

} // namespace olab::replay
