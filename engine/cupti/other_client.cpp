#include "other_client.h"

#include "api.h"
#include "symbol_hooks.h"

#include <olab/cupti/host_process.h>

#include <atomic>
#include <bitset>
#include <chrono>
#include <dlfcn.h>
#include <iterator>
#include <mutex>
#include <string_view>

namespace olab::cupti {
namespace {

using Clock = std::chrono::steady_clock;

/// It may still request its buffers for this long after its last call.
constexpr std::chrono::milliseconds kQuiet{1000};

struct ClientMark {
    std::string_view part; ///< of the calling file's name
    std::string_view tool;
};
constexpr ClientMark kClients[] = {
    {"libtorch", "torch.profiler"},
    {"libkineto", "Kineto"},
    {"xla", "JAX's profiler"},
    {"jax", "JAX's profiler"},
    {"tensorflow", "TensorFlow's profiler"},
    {"libscorep", "Score-P"},
    {"libhpcrun", "HPCToolkit"},
    {"libTAU", "TAU"},
};

std::string nameOf(const void* caller) {
    Dl_info where{};
    if (::dladdr(caller, &where) == 0 || !where.dli_fname)
        return "a tool of the program";
    const std::string_view path = where.dli_fname;
    const std::string file(path.substr(path.rfind('/') + 1));
    for (const ClientMark& mark : kClients)
        if (file.find(mark.part) != file.npos)
            return std::string(mark.tool) + " (" + file + ")";
    return file;
}

/// Never destroyed: tools call CUPTI while the process ends.
struct Client {
    OwnProcess owner;
    std::mutex mutex;
    std::bitset<CUPTI_ACTIVITY_KIND_COUNT> kinds; ///< recorded kinds
    CUpti_SubscriberHandle subscriber = nullptr;
    bool hasRecorded = false, byVersion2 = false;
    bool isEarlier = false, mayRecord = false; ///< it came before its calls could be seen
    int inside = 0;                            ///< calls that have not returned
    std::string name;
    Clock::time_point lastCall{};
    OtherClientTold told;
    bool isTold = false;
    std::atomic<CUpti_BuffersCallbackRequestFunc> requested{nullptr};
    std::atomic<CUpti_BuffersCallbackCompleteFunc> completed{nullptr};
    std::atomic<CUpti_TimestampCallbackFunc> clock{nullptr};
};

Client& client() {
    static Client& one = *new Client;
    return one;
}

bool recordsNow(const Client& c) {
    const bool unseen = c.subscriber && c.byVersion2 && !c.hasRecorded;
    return c.kinds.any() || unseen || c.mayRecord || c.inside > 0 || Clock::now() - c.lastCall < kQuiet;
}

/// A call that starts or changes its recording. `after` runs when CUPTI has accepted it.
template <typename Call, typename After>
CUptiResult seen(const void* caller, bool begins, Call call, After after) {
    Client& c = client();
    if (!c.owner.isThis())
        return call();
    std::function<void(const std::string&)> tell;
    std::string name;
    {
        const std::lock_guard lock(c.mutex);
        ++c.inside;
        if (begins) {
            name = c.name = nameOf(caller);
            tell = c.told.begins;
        }
    }
    if (tell)
        tell(name);
    const CUptiResult result = call();
    const std::lock_guard lock(c.mutex);
    --c.inside;
    c.lastCall = Clock::now();
    if (result == CUPTI_SUCCESS)
        after(c);
    return result;
}

template <bool on>
void note(Client& c, CUpti_ActivityKind kind) {
    if (static_cast<std::size_t>(kind) < c.kinds.size())
        c.kinds[static_cast<std::size_t>(kind)] = on;
    c.hasRecorded = true;
    c.mayRecord = c.mayRecord && on;
}

// --- calls of other clients

#define OLAB_CALLER __builtin_return_address(0)

CUptiResult CUPTIAPI subscribeSeen(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data) {
    return seen(
        OLAB_CALLER, true, [=] { return api().cuptiSubscribe(handle, callback, data); },
        [=](Client& c) { c.subscriber = *handle, c.byVersion2 = false; });
}

CUptiResult CUPTIAPI subscribe2Seen(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data,
                                    CUpti_SubscriberParams* params) {
    return seen(
        OLAB_CALLER, true, [=] { return api().cuptiSubscribe_v2(handle, callback, data, params); },
        [=](Client& c) { c.subscriber = *handle, c.byVersion2 = true; });
}

CUptiResult CUPTIAPI unsubscribeSeen(CUpti_SubscriberHandle handle) {
    return seen(
        OLAB_CALLER, false, [=] { return api().cuptiUnsubscribe(handle); },
        [=](Client& c) {
            c.subscriber = c.subscriber == handle ? nullptr : c.subscriber;
            c.isEarlier = c.mayRecord = false;
        });
}

CUptiResult CUPTIAPI registerSeen(CUpti_BuffersCallbackRequestFunc requested,
                                  CUpti_BuffersCallbackCompleteFunc completed) {
    Client& c = client();
    const auto ask = [&c, requested, completed] {
        if (!c.owner.isThis() || !c.isTold)
            return api().cuptiActivityRegisterCallbacks(requested, completed);
        return api().cuptiActivityRegisterCallbacks(c.told.requested, c.told.completed);
    };
    return seen(OLAB_CALLER, true, ask, [=](Client& known) {
        known.requested = requested;
        known.completed = completed;
    });
}

/// This call loses times of work that has not been delivered yet; PyTorch makes it before any other.
CUptiResult CUPTIAPI clockSeen(CUpti_TimestampCallbackFunc clock) {
    return seen(
        OLAB_CALLER, true, [=] { return api().cuptiActivityRegisterTimestampCallback(clock); },
        [=](Client& c) { c.clock = clock; });
}

CUptiResult CUPTIAPI enableSeen(CUpti_ActivityKind kind) {
    return seen(
        OLAB_CALLER, true, [=] { return api().cuptiActivityEnable(kind); },
        [=](Client& c) { note<true>(c, kind); });
}

CUptiResult CUPTIAPI disableSeen(CUpti_ActivityKind kind) {
    return seen(
        OLAB_CALLER, false, [=] { return api().cuptiActivityDisable(kind); },
        [=](Client& c) { note<false>(c, kind); });
}

CUptiResult CUPTIAPI flushSeen(std::uint32_t flags) {
    return seen(
        OLAB_CALLER, false, [=] { return api().cuptiActivityFlushAll(flags); }, [](Client&) {});
}

CUptiResult CUPTIAPI finalizeSeen() {
    return seen(
        OLAB_CALLER, true, [] { return api().cuptiFinalize(); },
        [](Client& c) {
            c.kinds.reset(), c.subscriber = nullptr;
            c.isEarlier = c.mayRecord = false;
        });
}

template <typename Function>
SymbolHook hook(const char* name, Function real, Function ours) {
    return {name, reinterpret_cast<void*>(real), reinterpret_cast<void*>(ours)};
}

bool watch() {
    const Api& a = api(HostProgram::Foreign);
    if (!a.cuptiSubscribe || !a.cuptiUnsubscribe || !a.cuptiFinalize ||
        !a.cuptiActivityRegisterTimestampCallback)
        return false;
    const SymbolHook hooks[] = {
        hook("cuptiSubscribe", a.cuptiSubscribe, subscribeSeen),
        hook("cuptiSubscribe_v2", a.cuptiSubscribe_v2, subscribe2Seen),
        hook("cuptiUnsubscribe", a.cuptiUnsubscribe, unsubscribeSeen),
        hook("cuptiActivityRegisterCallbacks", a.cuptiActivityRegisterCallbacks, registerSeen),
        hook("cuptiActivityRegisterTimestampCallback", a.cuptiActivityRegisterTimestampCallback, clockSeen),
        hook("cuptiActivityEnable", a.cuptiActivityEnable, enableSeen),
        hook("cuptiActivityDisable", a.cuptiActivityDisable, disableSeen),
        hook("cuptiActivityFlushAll", a.cuptiActivityFlushAll, flushSeen),
        hook("cuptiFinalize", a.cuptiFinalize, finalizeSeen),
    };
    return hookSymbols(hooks);
}

} // namespace

bool watchOtherClient() noexcept {
    try {
        (void)client();
        static const bool seesThem = watch();
        return seesThem;
    } catch (...) { // there is no CUPTI, or no memory
        return false;
    }
}

void followOtherClient(const OtherClientTold& told) {
    Client& c = client();
    const std::lock_guard lock(c.mutex);
    c.told = told;
    c.isTold = true;
}

void noteEarlierClient(const std::string& name, bool mayRecord) {
    Client& c = client();
    const std::lock_guard lock(c.mutex);
    c.isEarlier = true, c.mayRecord = mayRecord;
    c.name = c.name.empty() ? name : c.name;
}

bool otherClientRecords() noexcept {
    Client& c = client();
    const std::lock_guard lock(c.mutex);
    return recordsNow(c);
}

bool otherClientIsThere() noexcept {
    Client& c = client();
    const std::lock_guard lock(c.mutex);
    return c.subscriber != nullptr || c.isEarlier || recordsNow(c);
}

std::string otherClientName() {
    Client& c = client();
    const std::lock_guard lock(c.mutex);
    return c.name;
}

CUpti_BuffersCallbackRequestFunc otherRequested() noexcept {
    return client().requested;
}

CUpti_BuffersCallbackCompleteFunc otherCompleted() noexcept {
    return client().completed;
}

CUpti_TimestampCallbackFunc otherClock() noexcept {
    return client().clock;
}

} // namespace olab::cupti
