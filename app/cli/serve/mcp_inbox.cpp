#include "mcp_inbox.h"

#include "paged_json.h"

#include <olab/trace/limits.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace olab::cli {
namespace {

constexpr std::size_t kMostWaiting = 64; // lines; who says more waits until some are answered

/// Two ids are the same where they are the same JSON; empty: it is none.
std::string idText(const Asked& holder, const char* name) {
    const auto id = holder.is_object() ? holder.find(name) : holder.end();
    return id != holder.end() && (id->is_string() || id->is_number_integer()) ? id->dump() : std::string();
}

/// Of a line that is longer than may be, only so much is kept that its length refuses it.
void lengthen(std::string& line, std::string_view more) {
    line += more.substr(0, JsonLimits().bytes + 1 - line.size());
}

} // namespace

McpInbox::McpInbox(int descriptor)
    : m_descriptor(descriptor) {
    if (::pipe2(m_wake, O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe");
    m_reader = std::jthread([this](const std::stop_token& stop) { read(stop); });
}

McpInbox::~McpInbox() {
    m_reader.request_stop();
    ::close(m_wake[1]);
    if (m_reader.joinable())
        m_reader.join();
    ::close(m_wake[0]);
}

bool McpInbox::waitForInput() const {
    std::array<pollfd, 2> watched{pollfd{m_descriptor, POLLIN, 0}, pollfd{m_wake[0], POLLIN, 0}};
    while (::poll(watched.data(), watched.size(), -1) < 0)
        if (errno != EINTR)
            return true; // reading will tell
    return watched[1].revents == 0;
}

void McpInbox::read(const std::stop_token& stop) {
    constexpr std::size_t kAtOnce = 65536;
    std::string line, chunk(kAtOnce, '\0');
    while (!stop.stop_requested() && waitForInput()) {
        const ssize_t got = ::read(m_descriptor, chunk.data(), chunk.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            break;
        std::string_view said(chunk.data(), static_cast<std::size_t>(got));
        for (std::size_t end = 0; (end = said.find('\n')) != said.npos; said.remove_prefix(end + 1)) {
            lengthen(line, said.substr(0, end));
            take(std::exchange(line, {}), stop);
        }
        lengthen(line, said);
    }
    take(std::move(line), stop);
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_changed.notify_all();
}

void McpInbox::take(std::string line, const std::stop_token& stop) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
        return;
    std::string why;
    const Asked message = parsedJson<Asked>(line, why).value_or(nullptr); // refused where it is answered
    if (message.is_object() && !message.contains("id") &&
        message.value("method", Asked()) == "notifications/cancelled")
        return takeBack(idText(message.value("params", Asked()), "requestId"));
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [&] { return m_waiting.size() < kMostWaiting; });
    m_waiting.push_back({std::move(line), idText(message, "id")});
    m_changed.notify_all();
}

/// A question that is not known was answered meanwhile, or never asked: nothing is due.
void McpInbox::takeBack(const std::string& id) {
    if (id.empty())
        return;
    const std::lock_guard lock(m_mutex);
    if (id == m_answering)
        m_stop.request_stop();
    std::erase_if(m_waiting, [&](const Waiting& question) { return question.id == id; });
}

std::optional<McpInbox::Question> McpInbox::next() {
    std::unique_lock lock(m_mutex);
    m_answering.clear();
    m_changed.wait(lock, [&] { return m_ended || !m_waiting.empty(); });
    if (m_waiting.empty())
        return std::nullopt;
    Waiting first = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_changed.notify_all();
    m_answering = std::move(first.id);
    m_stop = {};
    return Question{std::move(first.line), m_stop.get_token()};
}

} // namespace olab::cli
