// Any lines as what a client says to `olab serve --mcp`: each answer is JSON-RPC on a line of its own, each
// request that has an id gets one, nobody gets more, and it ends with the lines, whatever file is asked for.
#include "fuzz.h"
#include "made.h"

#include <mcp_inbox.h>
#include <mcp_session.h>

#include <olab/trace/limits.h>

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace olab;
using cli::Asked;
using fuzz::require;

namespace {

/// What is asked for lies here: a recording, and a pipe that nobody writes into.
struct Place {
    Place() {
        const std::filesystem::path recording = fuzz::scratchFile("run.olab");
        recording::saveRecording(*fuzz::simulated(), recording);
        std::filesystem::current_path(recording.parent_path());
        require(::mkfifo("pipe", 0600) == 0);
    }
};

Asked member(const Asked& holder, const char* name) {
    return holder.is_object() ? holder.value(name, Asked()) : Asked();
}

/// As JSON.
std::string idOf(const Asked& id) {
    return id.is_string() || id.is_number_integer() ? id.dump() : "null";
}

/// Files elsewhere are not the target's to read, nor are there few.
bool isElsewhere(const Asked& value, const std::string& key) {
    if (value.is_string())
        return (key == "file" || key == "folder" || key == "before" || key == "after") &&
               value.get<std::string>().find('/') != std::string::npos;
    if (!value.is_structured())
        return false;
    for (const auto& [name, one] : value.items())
        if (isElsewhere(one, value.is_object() ? name : key))
            return true;
    return false;
}

/// How many answers there are for each id.
struct Due {
    std::map<std::string, int> least, most;
    std::set<std::string> takenBack;
    bool elsewhere = false;

    void add(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            return;
        std::string why;
        const auto message = parsedJson<Asked>(line, why);
        if (!message || message->is_array())
            ++most["null"]; // of an array unless the revision of the protocol has them
        if (!message)
            ++least["null"];
        else if (!message->is_array())
            add(*message, true);
        else
            for (const Asked& one : *message)
                add(one, false);
    }

private:
    void add(const Asked& message, bool isSure) {
        const std::string id = idOf(member(message, "id"));
        ++most[id];
        elsewhere = elsewhere || isElsewhere(message, "");
        if (member(message, "method") == "notifications/cancelled")
            takenBack.insert(idOf(member(member(message, "params"), "requestId")));
        if (isSure && id != "null" && member(message, "method").is_string() &&
            member(message, "jsonrpc") == "2.0")
            ++least[id];
    }
};

class Answers {
public:
    void add(const std::string& line) {
        const std::lock_guard lock(m_mutex); // progress comes from any thread
        require(line.find('\n') == line.npos);
        const Asked said = Asked::parse(line);
        require(!said.is_array() || !said.empty());
        if (!said.is_array())
            return count(said);
        for (const Asked& one : said)
            count(one);
    }
    void judge(Due& due) {
        for (const auto& [id, number] : m_byId)
            require(number <= due.most[id]);
        for (const auto& [id, number] : due.least)
            require(m_byId[id] >= number || due.takenBack.contains(id));
    }

private:
    void count(const Asked& said) {
        require(member(said, "jsonrpc") == "2.0");
        if (said.contains("method"))
            return require(said["method"] == "notifications/progress" && !said.contains("id"));
        require(said.contains("id") && said.contains("result") != said.contains("error"));
        if (said.contains("error"))
            require(said["error"].at("code").is_number_integer() && said["error"].at("message").is_string());
        ++m_byId[idOf(said["id"])];
    }
    std::mutex m_mutex;
    std::map<std::string, int> m_byId;
};

Due dueOf(const std::string& text) {
    Due due;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        due.add(line);
    return due;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Place place;
    const std::string_view text = fuzz::textOf(data, size);
    Due due = dueOf(std::string(text));
    if (due.elsewhere)
        return 0;
    std::array<int, 2> ends{};
    require(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0); // each half is read alone
    for (const std::string_view half : {text.substr(0, size / 2), text.substr(size / 2)})
        require(half.empty() || ::send(ends[0], half.data(), half.size(), 0) >= 0);
    ::close(ends[0]);
    Answers answers;
    {
        cli::McpSession session([&answers](const std::string& line) { answers.add(line); });
        cli::McpInbox inbox(ends[1]);
        while (const auto question = inbox.next())
            session.answer(question->line, question->stop);
    }
    ::close(ends[1]);
    answers.judge(due);
    return 0;
}
