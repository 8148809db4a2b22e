#include "mcp_progress.h"

#include <olab/trace/error.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kApart(250);

class Notices {
public:
    Notices(Json token, SendLine send)
        : m_token(std::move(token))
        , m_send(std::move(send)) {}

    void tell(double share, std::string_view what) {
        const std::lock_guard lock(m_mutex);
        const Clock::time_point now = Clock::now();
        if (share <= m_told || now - m_last < kApart)
            return;
        m_told = share;
        m_last = now;
        try {
            m_send(writtenJson({{"jsonrpc", "2.0"},
                                {"method", "notifications/progress"},
                                {"params",
                                 {{"progressToken", m_token},
                                  {"progress", share},
                                  {"total", 1},
                                  {"message", std::string(what)}}}}));
        } catch (const Error&) { // on a thread of the work; the answer says that nobody can be told
        }
    }

private:
    Json m_token;
    SendLine m_send;
    std::mutex m_mutex;
    double m_told = 0;
    Clock::time_point m_last = Clock::now(); ///< what is soon done needs no progress
};

} // namespace

std::function<void(double share, std::string_view what)> progressNotices(const Asked& parameters,
                                                                         SendLine send) {
    const Asked meta = parameters.value("_meta", Asked());
    const Asked token = meta.is_object() ? meta.value("progressToken", Asked()) : Asked();
    if (!token.is_string() && !token.is_number_integer())
        return {};
    return [notices = std::make_shared<Notices>(token, std::move(send))](
               double share, std::string_view what) { notices->tell(share, what); };
}

} // namespace olab::cli
