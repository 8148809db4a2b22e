// Migrations of managed memory. Their records slow what migrates and come by the thousand, so they are asked
// for once a program allocates such memory, and cost all others nothing. Not known: variables that are
// __managed__.
#pragma once

#include "records.h"
#include <olab/cupti/own_process.h>

#include <atomic>

namespace olab::cupti {

class ManagedMemory {
public:
    /// From now on, each time CUPTI is set up, it reports such allocations to `subscriber`'s callback, which
    /// must call onCall(). Without effect if the library knows no such records.
    void follow(CUpti_SubscriberHandle subscriber);
    void onCall(const CUpti_CallbackData& call) noexcept;
    /// Whether work is recorded: before it is turned off with all other kinds, after they are on.
    void record(bool on) noexcept;

private:
    void enable() noexcept;
    OwnProcess m_owner;
    std::atomic<bool> m_isKnown{false}, m_hasCounters{false}, m_on{false};
};

} // namespace olab::cupti
