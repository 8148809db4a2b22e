// What a capture requests from CUPTI, and what its callback is told of. Private to cupti.
#pragma once

#include "detach.h"
#include "marked_part.h"
#include "records.h"

#include <olab/cupti/host_process.h>
#include <olab/trace/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace olab::cupti {

/// Maps the nodes of CUDA graphs to ops. A node is tagged when it is captured; CUPTI reports its clone when
/// the graph is instantiated, and records contain the clone's id.
class GraphNodes {
public:
    /// From now on CUPTI reports clones to `subscriber`'s callback, which must call onClone(). @throws Error
    void follow(CUpti_SubscriberHandle subscriber);
    void tag(CUgraphNode node, OpId op);
    OpId opOf(std::uint64_t node) const;
    void clear();
    void onClone(const CUpti_ResourceData& resource) noexcept;

private:
    void cloned(CUgraphNode node, CUgraphNode original);
    OwnProcess m_owner;
    bool m_following = false;
    mutable std::mutex m_mutex; ///< CUPTI may call back on any thread
    std::unordered_map<std::uint64_t, OpId> m_ops;
};

/// Migrations of managed memory. Their records are numerous and slow the migrations, so they are requested
/// only once a program allocates such memory, and cost others nothing. Not detected: __managed__ variables.
class ManagedMemory {
public:
    /// From now on, each time CUPTI is set up, it reports such allocations to `subscriber`'s callback, which
    /// must call onCall(). Without effect if the library knows no such records.
    void follow(CUpti_SubscriberHandle subscriber);
    void onCall(const CUpti_CallbackData& call) noexcept;
    /// Whether work is recorded: call before the other kinds are turned off, and after they are turned on.
    void record(bool on) noexcept;

private:
    void enable() noexcept;
    OwnProcess m_owner;
    std::atomic<bool> m_isKnown{false}, m_hasCounters{false}, m_on{false};
};

// What a capture requests from CUPTI: a known version, exclusive use, and the wanted records.

/// Receivers of the subscriber's callback; each is used once it follows.
struct CallbackTargets {
    GraphNodes nodes;
    ManagedMemory managed;
    MarkedPart part;
    Detach detach;
};

/// Loads it and checks its version and its records. @throws Error
void checkLibrary(HostProgram host);
/// Some tools take records in a way that CUPTI does not notice; the capture would be empty, or its records
/// would go to them.
/// @throws Error cupti-busy
void refuseOtherTools(HostProgram host);
/// Records need no subscriber; subscribing detects and names another tool that would interfere.
/// @throws Error
CUpti_SubscriberHandle subscribe(CallbackTargets& targets);
/// The same; null if another client is subscribed whose calls are seen: unless it records, records are still
/// available. @throws Error
CUpti_SubscriberHandle subscribeBesides(CallbackTargets& targets);
/// System thread ids, the buffers' callbacks, the kinds of the table that are facts. @throws Error All bytes
/// of the buffers requested must be zero.
void enableFacts(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed);
/// The other kinds of the table. `tags`: also the ids that a program pushes around its calls, which CUPTI
/// looks for in each; `serialKernels`: record kernels by the kind that serialises them. @throws Error
void enableWork(bool tags, bool serialKernels);
/// Stamps all records with the wall clock, which is CUPTI's default unless another client set a clock: that
/// stays when the client has ended. Call before recording; giveBack() undoes it.
void useOurClock() noexcept;
/// Disables the work kinds. @returns whether CUPTI did it
bool disableWork() noexcept;
/// Disables the facts, removes `subscriber` (null: none), and restores what other clients expect. Other kinds
/// must be off.
void giveBack(CUpti_SubscriberHandle subscriber) noexcept;
/// Disables the facts.
void disableFacts() noexcept;

/// Passes complete buffers to the callback; `forced`: all buffers. @throws Error
void flushBuffers(bool forced);
/// Number of records dropped for lack of room since the last call. @throws Error
std::uint64_t takeDroppedRecords();

} // namespace olab::cupti
