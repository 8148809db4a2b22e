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
    /// From now on CUPTI reports such allocations to `subscriber`'s callback, which must call onCall().
    /// Without effect if the library knows no such records.
    void follow(CUpti_SubscriberHandle subscriber);
    void onCall(const CUpti_CallbackData& call) noexcept;

private:
    OwnProcess m_owner;
    std::atomic<bool> m_recorded{false};
};

} // namespace olab::cupti
