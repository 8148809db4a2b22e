// What one client of `olab serve` says, and what it is told.
#pragma once

#include "mcp_tools.h"
#include "paged_json.h"

#include <olab/trace/run_control.h>

#include <functional>
#include <string>
#include <string_view>

namespace olab::cli {

// notifications/progress, to a client that asked for them with its question.

using SendLine = std::function<void(const std::string& line)>;

/// For RunControl::progress; empty: the parameters of the question have no token. Tells only of more than
/// before, at most a few times a second; any thread may call it.
std::function<void(double share, std::string_view what)> progressNotices(const Asked& parameters,
                                                                         SendLine send);

/// The Model Context Protocol over lines of JSON-RPC 2.0: what one client says, and what it is answered. The
/// revisions of the protocol that it speaks are kVersions of mcp_session.cpp.
class McpSession {
public:
    /// `send` gets lines without their end: answers, and the progress of those that take long.
    explicit McpSession(SendLine send)
        : m_send(std::move(send)) {}
    /// Sends the answer, if one is due: none to a question whose stop is requested. Throws only what `send`
    /// throws.
    void answer(std::string_view line, const std::stop_token& stop);

private:
    std::string written(std::string_view line);
    std::string writtenAnswer(const Asked& message);
    Json answerOf(const Asked& message);
    Json resultOf(const std::string& method, const Asked& parameters);
    Json initialize(const Asked& parameters);
    Json call(const Asked& parameters);
    SendLine m_send;
    std::stop_token m_stop; ///< of the question that is being answered
    std::string m_version;
    RecordingCache m_cache;
};

} // namespace olab::cli
