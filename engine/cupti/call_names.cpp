#include "api.h"
#include "call_choice.h"
#include "decode_state.h"

namespace olab::cupti {
namespace {

constexpr std::uint32_t kMost = 4096; // for either API; a stored buffer may contain anything

std::string nameOf(bool driver, std::uint32_t cbid) {
    const char* text = nullptr;
    const auto domain = driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    if (api().cuptiGetCallbackName(domain, cbid, &text) == CUPTI_SUCCESS && text && *text)
        return std::string(withoutVersion(text)); // it is irrelevant to users
    return (driver ? "driver API " : "runtime API ") + std::to_string(cbid);
}

} // namespace

TextId CallNames::idOf(bool driver, std::uint32_t cbid, RecordSink& out) {
    if (cbid >= kMost)
        return out.intern(nameOf(driver, cbid));
    std::vector<Call>& calls = m_calls[driver ? 1 : 0];
    if (cbid >= calls.size())
        calls.resize(cbid + 1);
    Call& call = calls[cbid];
    if (call.sink == m_sink)
        return call.id;
    if (call.name.empty())
        call.name = nameOf(driver, cbid);
    call.id = out.intern(call.name);
    call.sink = m_sink;
    return call.id;
}

} // namespace olab::cupti
