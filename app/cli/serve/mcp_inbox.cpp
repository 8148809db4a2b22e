#include "mcp_inbox.h"

#include "paged_json.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace olab::cli {
namespace {

/// Two ids are the same where they are the same JSON; empty: it is none.
std::string idText(const Json& holder, const char* name) {
    const auto id = holder.is_object() ? holder.find(name) : holder.end();
    return id != holder.end() && (id->is_string() || id->is_number_integer()) ? id->dump() : std::string();
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
    std::string rest, chunk(kAtOnce, '\0');
    while (!stop.stop_requested() && waitForInput()) {
        const ssize_t got = ::read(m_descriptor, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        rest.append(chunk, 0, static_cast<std::size_t>(got));
        std::size_t from = 0;
        for (std::size_t end = 0; (end = rest.find('\n', from)) != std::string::npos; from = end + 1)
            take(rest.substr(from, end - from));
        rest.erase(0, from);
    }
    take(std::move(rest));
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_changed.notify_all();
}

void McpInbox::take(std::string line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
        return;
    const Json message = Json::parse(line, nullptr, false);
    if (message.is_object() && message.value("method", Json()) == "notifications/cancelled")
        return takeBack(idText(message.value("params", Json()), "requestId"));
    const std::lock_guard lock(m_mutex);
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
    m_answering = std::move(first.id);
    m_stop = {};
    return Question{std::move(first.line), m_stop.get_token()};
}

} // namespace olab::cli
