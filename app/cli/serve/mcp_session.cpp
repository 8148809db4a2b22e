#include "mcp_session.h"

#include <olab/trace/error.h>
#include <olab/trace/limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

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

namespace {

/// Revisions of the protocol, the latest first. What this server says is the same in all of them.
constexpr std::array<std::string_view, 4> kVersions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::string_view kVersionWithBatches = "2025-03-26"; // the only one

constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoSuchMethod = -32601, kInvalidParams = -32602,
              kInternalError = -32603; // of JSON-RPC 2.0

struct RpcError {
    int code;
    std::string message;
};

Json errorAnswer(const Json& id, const RpcError& error) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", error.code}, {"message", error.message}}}};
}

Json textBlock(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
}

/// As a tool's answer: the model is to see what was wrong with its question.
Json failedCall(const std::string& text) {
    return {{"content", Json::array({textBlock(text)})}, {"isError", true}};
}

bool isId(const Asked& id) {
    return id.is_string() || id.is_number_integer();
}

/// Of a message that has none of its own that could be used.
Json idOf(const Asked& message) {
    const auto id = message.is_object() ? message.find("id") : message.end();
    return id != message.end() && isId(*id) ? Json(*id) : Json(nullptr);
}

} // namespace

void McpSession::answer(std::string_view line, const std::stop_token& stop) {
    m_stop = stop;
    const std::string answered = written(line);
    if (!answered.empty() && !stop.stop_requested())
        m_send(answered);
}

/// The line to send back; empty: none is due.
std::string McpSession::written(std::string_view line) {
    std::string why, answers;
    const std::optional<Asked> message = parsedJson<Asked>(line, why);
    if (!message)
        return writtenJson(errorAnswer(nullptr, {kParseError, "Parse error: " + why + "."}));
    if (!message->is_array() || message->empty() || m_version != kVersionWithBatches)
        return writtenAnswer(*message);
    for (const Asked& one : *message)
        if (const std::string answered = writtenAnswer(one); !answered.empty())
            answers += (answers.empty() ? "[" : ",") + answered;
    return answers.empty() ? answers : answers + "]";
}

std::string McpSession::writtenAnswer(const Asked& message) {
    const Json answered = answerOf(message);
    return answered.is_null() ? std::string() : writtenJson(answered);
}

Json McpSession::answerOf(const Asked& message) {
    const bool isObject = message.is_object();
    if (!isObject || message.value("jsonrpc", Asked()) != "2.0")
        return errorAnswer(idOf(message), {kInvalidRequest, "Invalid request: no JSON-RPC 2.0 message."});
    const bool isRequest = message.contains("id");
    if (!message.contains("method")) // an answer, to a question that was never asked
        return message.contains("result") || message.contains("error")
                   ? Json(nullptr)
                   : errorAnswer(idOf(message), {kInvalidRequest, "Invalid request: it has no method."});
    if (!message["method"].is_string() || (isRequest && !isId(message["id"])))
        return errorAnswer(idOf(message),
                           {kInvalidRequest, "Invalid request: method or id has a wrong type."});
    if (!isRequest) // notifications/initialized: nothing is due; those of McpInbox do not come here
        return nullptr;
    try {
        const Json result = resultOf(message["method"], message.value("params", Asked::object()));
        return {{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}};
    } catch (const RpcError& error) {
        return errorAnswer(message["id"], error);
    } catch (const std::exception& problem) {
        return errorAnswer(message["id"], {kInternalError, std::string("Internal error: ") + problem.what()});
    }
}

Json McpSession::resultOf(const std::string& method, const Asked& parameters) {
    if (!parameters.is_object())
        throw RpcError{kInvalidParams, "Invalid params: they are no object."};
    if (method == "initialize")
        return initialize(parameters);
    if (method == "ping")
        return Json::object();
    if (method == "tools/list")
        return {{"tools", toolList()}};
    if (method == "tools/call")
        return call(parameters);
    throw RpcError{kNoSuchMethod, "Method not found: " + method};
}

Json McpSession::initialize(const Asked& parameters) {
    const Asked asked = parameters.value("protocolVersion", Asked());
    if (!asked.is_string())
        throw RpcError{kInvalidParams, "Invalid params: protocolVersion is missing."};
    const auto known = std::ranges::find(kVersions, asked.get<std::string>());
    m_version = known == kVersions.end() ? kVersions.front() : *known;
    return {
        {"protocolVersion", m_version},
        {"capabilities", {{"tools", Json::object()}}},
        {"serverInfo", {{"name", "overlap-lab"}, {"title", "Overlap Lab"}, {"version", OLAB_VERSION}}},
        {"instructions",
         "Read-only answers about recordings of CUDA programs: what overlapped, what did not, and why. Times "
         "are in ns. Every answer has defects (what was lost or repaired while reading), abstained and "
         "inconclusive (what could not be judged): say so, and take nothing of it as measured."}};
}

Json McpSession::call(const Asked& parameters) {
    const Asked name = parameters.value("name", Asked());
    if (!name.is_string() || !isTool(name))
        throw RpcError{kInvalidParams, "Unknown tool: " + (name.is_string() ? name.get<std::string>() : "")};
    const Asked arguments = parameters.value("arguments", Asked::object());
    if (const std::string wrong = wrongArguments(name, arguments); !wrong.empty())
        return failedCall(wrong);
    try {
        m_cache.setControl({m_stop, progressNotices(parameters, m_send)});
        const ToolAnswer answer = callTool(name, arguments, m_cache);
        return {{"content", Json::array({textBlock(answer.text), textBlock(writtenJson(answer.content))})},
                {"structuredContent", answer.content},
                {"isError", false}};
    } catch (const Error& error) {
        return failedCall(std::string(error.what()) + (error.hint().empty() ? "" : " " + error.hint()));
    }
}

} // namespace olab::cli
