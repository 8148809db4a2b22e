#include "marked_part.h"

#include "api.h"

#include <cwchar>
#include <iterator>
#include <vector>

#include <generated_nvtx_meta.h>

namespace olab::cupti {
namespace {

constexpr CUpti_CallbackId kRangeCalls[] = {
    CUPTI_CBID_NVTX_nvtxRangeStartA,
    CUPTI_CBID_NVTX_nvtxRangeStartW,
    CUPTI_CBID_NVTX_nvtxRangeStartEx,
    CUPTI_CBID_NVTX_nvtxRangeEnd,
    CUPTI_CBID_NVTX_nvtxRangePushA,
    CUPTI_CBID_NVTX_nvtxRangePushW,
    CUPTI_CBID_NVTX_nvtxRangePushEx,
    CUPTI_CBID_NVTX_nvtxRangePop,
    CUPTI_CBID_NVTX_nvtxDomainRangeStartEx,
    CUPTI_CBID_NVTX_nvtxDomainRangeEnd,
    CUPTI_CBID_NVTX_nvtxDomainRangePushEx,
    CUPTI_CBID_NVTX_nvtxDomainRangePop,
    CUPTI_CBID_NVTX_nvtxDomainRegisterStringA,
};

/// A thread's nesting depth in the ranges of a domain, and the depth at which the wanted range begins.
struct Nesting {
    const void* domain = nullptr;
    std::uint64_t depth = 0, from = 0;
};

Nesting& nestingIn(const void* domain) {
    thread_local std::vector<Nesting> nestings;
    for (Nesting& nesting : nestings)
        if (nesting.domain == domain)
            return nesting;
    return nestings.emplace_back(Nesting{domain, 0, 0});
}

/// @returns whether the wanted range begins here
bool push(const void* domain, bool isIt) {
    Nesting& nesting = nestingIn(domain);
    ++nesting.depth;
    if (!isIt || nesting.from != 0)
        return false;
    nesting.from = nesting.depth;
    return true;
}

/// @returns whether it ends here
bool pop(const void* domain) {
    Nesting& nesting = nestingIn(domain);
    const bool ends = nesting.from != 0 && nesting.from == nesting.depth;
    nesting.from = ends ? 0 : nesting.from;
    nesting.depth -= nesting.depth > 0 ? 1 : 0;
    return ends;
}

template <typename Params>
const Params& paramsOf(const CUpti_NvtxData& call) {
    return *static_cast<const Params*>(call.functionParams);
}

} // namespace

void MarkedPart::follow(CUpti_SubscriberHandle subscriber, std::string range, Tell tell) {
    m_range = std::move(range);
    m_tell = std::move(tell);
    const bool byRange = !m_range.empty();
    const auto enable = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        checkCupti(api().cuptiEnableCallback(1, subscriber, domain, id), "follow the marks of the program");
    };
    for (const CUpti_CallbackId id : kRangeCalls)
        if (byRange)
            enable(CUPTI_CB_DOMAIN_NVTX, id);
    for (const CUpti_CallbackId id :
         {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop})
        if (!byRange)
            enable(CUPTI_CB_DOMAIN_DRIVER_API, id);
}

void MarkedPart::onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept {
    if (!m_tell || !m_range.empty() || call.callbackSite != CUPTI_API_EXIT || !m_owner.isThis())
        return;
    if (id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart)
        m_tell(true);
    else if (id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop)
        m_tell(false);
}

void MarkedPart::onRange(CUpti_CallbackId id, const CUpti_NvtxData& call) noexcept {
    if (!m_tell || m_range.empty() || !m_owner.isThis())
        return;
    try {
        noteRange(id, call);
    } catch (...) { // no memory for another range: it is not noticed
    }
}

void MarkedPart::noteRange(CUpti_CallbackId id, const CUpti_NvtxData& call) {
    const auto pushed = [this](const void* domain, bool is) {
        if (push(domain, is))
            enter();
    };
    switch (id) {
    case CUPTI_CBID_NVTX_nvtxRangePushA:
        return pushed(nullptr, isIt(paramsOf<nvtxRangePushA_params>(call).message));
    case CUPTI_CBID_NVTX_nvtxRangePushW:
        return pushed(nullptr, isIt(paramsOf<nvtxRangePushW_params>(call).message));
    case CUPTI_CBID_NVTX_nvtxRangePushEx:
        return pushed(nullptr, isIt(paramsOf<nvtxRangePushEx_params>(call).eventAttrib));
    case CUPTI_CBID_NVTX_nvtxDomainRangePushEx: {
        const auto& params = paramsOf<nvtxDomainRangePushEx_params>(call);
        return pushed(params.domain, isIt(params.core.eventAttrib));
    }
    case CUPTI_CBID_NVTX_nvtxRangePop:
    case CUPTI_CBID_NVTX_nvtxDomainRangePop: {
        const bool inDomain = id == CUPTI_CBID_NVTX_nvtxDomainRangePop;
        if (pop(inDomain ? paramsOf<nvtxDomainRangePop_params>(call).domain : nullptr))
            leave();
        return;
    }
    case CUPTI_CBID_NVTX_nvtxRangeStartA:
        return noteStart(isIt(paramsOf<nvtxRangeStartA_params>(call).message), call);
    case CUPTI_CBID_NVTX_nvtxRangeStartW:
        return noteStart(isIt(paramsOf<nvtxRangeStartW_params>(call).message), call);
    case CUPTI_CBID_NVTX_nvtxRangeStartEx:
        return noteStart(isIt(paramsOf<nvtxRangeStartEx_params>(call).eventAttrib), call);
    case CUPTI_CBID_NVTX_nvtxDomainRangeStartEx:
        return noteStart(isIt(paramsOf<nvtxDomainRangeStartEx_params>(call).core.eventAttrib), call);
    case CUPTI_CBID_NVTX_nvtxRangeEnd:
        return noteEnd(paramsOf<nvtxRangeEnd_params>(call).id);
    case CUPTI_CBID_NVTX_nvtxDomainRangeEnd:
        return noteEnd(paramsOf<nvtxDomainRangeEnd_params>(call).core.id);
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
        if (isIt(paramsOf<nvtxDomainRegisterStringA_params>(call).string) && call.functionReturnValue) {
            const std::lock_guard lock(m_mutex);
            m_registered.insert(*static_cast<const nvtxStringHandle_t*>(call.functionReturnValue));
        }
        return;
    default:
        return;
    }
}

void MarkedPart::noteStart(bool is, const CUpti_NvtxData& call) {
    if (!is || !call.functionReturnValue)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_started.insert(*static_cast<const nvtxRangeId_t*>(call.functionReturnValue));
    }
    enter();
}

void MarkedPart::noteEnd(std::uint64_t id) {
    bool was = false;
    {
        const std::lock_guard lock(m_mutex);
        was = m_started.erase(id) > 0;
    }
    if (was)
        leave();
}

bool MarkedPart::isIt(const wchar_t* text) const {
    std::size_t at = 0;
    for (; text && at < m_range.size() && text[at] == static_cast<wchar_t>(m_range[at]); ++at) {
    }
    return text && at == m_range.size() && text[at] == L'\0';
}

bool MarkedPart::isIt(const nvtxEventAttributes_t* attributes) const {
    if (!attributes)
        return false;
    switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
        return isIt(attributes->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
        return isIt(attributes->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED: {
        const std::lock_guard lock(m_mutex);
        return m_registered.contains(attributes->message.registered);
    }
    default:
        return false;
    }
}

void MarkedPart::enter() {
    const std::lock_guard lock(m_mutex);
    if (m_inside++ == 0)
        m_tell(true);
}

void MarkedPart::leave() {
    const std::lock_guard lock(m_mutex);
    if (m_inside > 0 && --m_inside == 0)
        m_tell(false);
}

} // namespace olab::cupti
