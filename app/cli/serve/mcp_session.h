// The Model Context Protocol over lines of JSON-RPC 2.0: what one client says, and what it is answered. The
// revisions of the protocol that it speaks are kVersions of mcp_session.cpp.
#pragma once

#include "mcp_tools.h"

#include <string>
#include <string_view>

namespace olab::cli {

class McpSession {
public:
    /// @returns the line to send back, without its end; empty: none is due. Never throws for what a client
    /// says
    std::string answer(std::string_view line);

private:
    Json answerOf(const Json& message);
    Json resultOf(const std::string& method, const Json& parameters);
    Json initialize(const Json& parameters);
    Json call(const Json& parameters);
    std::string m_version;
    RecordingCache m_cache;
};

} // namespace olab::cli
