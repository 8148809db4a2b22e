// The parts of a program that its author marked as worth recording: by cudaProfilerStart() and
// cudaProfilerStop(), or by an NVTX range of a given name. Called back on the program's threads: noexcept,
// and nothing in a forked child. Private to cupti.
#pragma once

#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL // its types; our code has no ranges
#endif
#include <nvtx3/nvToolsExt.h>

#include "records.h"
#include <olab/cupti/host_process.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace olab::cupti {

class MarkedPart {
public:
    using Tell = std::function<void(bool begins)>;
    /// From now on CUPTI reports the marks to `subscriber`'s callback, which must call onDriverCall() and
    /// onRange(). `range`: empty for the calls of the profiler. @throws Error
    void follow(CUpti_SubscriberHandle subscriber, std::string range, Tell tell);
    void onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept;
    void onRange(CUpti_CallbackId id, const CUpti_NvtxData& call) noexcept;

private:
    void noteRange(CUpti_CallbackId id, const CUpti_NvtxData& call);
    void noteStart(bool isIt, const CUpti_NvtxData& call);
    void noteEnd(std::uint64_t id);
    bool isIt(const nvtxEventAttributes_t* attributes) const;
    bool isIt(const char* text) const { return text && m_range == text; }
    bool isIt(const wchar_t* text) const;
    void enter();
    void leave();

    OwnProcess m_owner;
    std::string m_range;
    Tell m_tell;
    mutable std::mutex m_mutex;         ///< ranges begin and end on any thread
    std::uint64_t m_inside = 0;         ///< ranges of this name that are open
    std::set<std::uint64_t> m_started;  ///< ids of ranges that need not end where they began
    std::set<const void*> m_registered; ///< handles of the name, where programs register names
};

} // namespace olab::cupti
