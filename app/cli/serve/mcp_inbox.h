// What a client says, read on a thread of its own: while a question is being answered the client may take it,
// or one that waits, back (notifications/cancelled).
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace olab::cli {

class McpInbox {
public:
    /// Reads lines from a descriptor, which stays the caller's. @throws std::system_error without a thread
    explicit McpInbox(int descriptor);
    ~McpInbox();
    McpInbox(const McpInbox&) = delete;
    McpInbox& operator=(const McpInbox&) = delete;

    struct Question {
        std::string line; ///< of one that is longer than JsonLimits allow, its begin, which is too long too
        std::stop_token stop; ///< requested once the client does not want the answer any more
    };
    /// Waits for the next one; nothing: the client has said all. The one before is answered now.
    std::optional<Question> next();

private:
    struct Waiting {
        std::string line, id; ///< the id as JSON; empty: it has none, it cannot be taken back
    };
    void read(const std::stop_token& stop);
    bool waitForInput() const;
    void take(std::string line, const std::stop_token& stop);
    void takeBack(const std::string& id);
    int m_descriptor, m_wake[2]{-1, -1}; ///< a pipe that ends the reading
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Waiting> m_waiting;
    std::string m_answering; ///< the id of the question that is being answered
    std::stop_source m_stop;
    bool m_ended = false;
    std::jthread m_reader; ///< the last member
};

} // namespace olab::cli
