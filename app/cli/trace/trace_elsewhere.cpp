#include "trace_elsewhere.h"

#include "command.h"
#include "console.h"
#include "trace_outcome.h"

#include <olab/run/elsewhere.h>
#include <olab/trace/error.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kErrand = "OLAB_TRACE_ERRAND";

/// "$1": the folder of the connection, "$2": that of the program, then olab's words. The number of the
/// process is what ends it when the connection does.
constexpr std::string_view kStart = R"sh(d="$HOME/.local/share/overlap-lab" p="$d/olab"
[ -x "$p" ] || p=olab
[ ! -d "$d/lib" ] || export LD_LIBRARY_PATH="$d/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
echo $$ >"$1/trace.pid" || exit 2
export OLAB_TRACE_ERRAND="$1" OLAB_TRACE_HOST="$3"
cd -- "$2" || exit 2
shift 3
exec "$p" "$@"
)sh";

/// Ends what has not ended yet, as a signal would here: "$1": the folder, "$2": the signal's number.
constexpr std::string_view kStop = R"sh(p=$(cat "$1/trace.pid" 2>/dev/null) || exit 0
[ ! -f "$1/end" ] || exit 0
kill -"$2" "$p" 2>/dev/null || exit 0
n=0
while kill -0 "$p" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
)sh";

std::vector<std::string> wordsThere(const Arguments& arguments, const std::string& file) {
    std::vector<std::string> words{"trace", "-o", file};
    for (const char* option : {"--delay", "--duration", "--capture-range", "--last", "--limit"})
        if (arguments.has(option))
            words.insert(words.end(), {option, arguments.value(option)});
    for (const char* option : {"--children", "--all-calls", "--attach-ready"})
        if (arguments.has(option))
            words.emplace_back(option);
    words.emplace_back("--");
    words.insert(words.end(), arguments.positional().begin(), arguments.positional().end());
    return words;
}

class Errand {
public:
    Errand(const Arguments& arguments, const TraceRequest& request)
        : m_request(request)
        , m_there(arguments.value("--on"), run::Need::Olab, true, {}) {}

    ProgramEnd run(const Arguments& arguments) const {
        const std::string file = m_there.folder() + "/" + m_request.file.filename().string();
        std::vector<std::string> words{
            m_there.folder(), arguments.has("--folder") ? arguments.value("--folder") : ".", m_there.host()};
        const std::vector<std::string> olab = wordsThere(arguments, file);
        words.insert(words.end(), olab.begin(), olab.end());
        const ProgramEnd end = runProgram(m_there.script(kStart, words), [](pid_t) { return Variables(); });
        std::string said;
        m_there.run(
            m_there.script(kStop, {m_there.folder(), std::to_string(end.signal > 0 ? end.signal : SIGTERM)}),
            said, {}, {});
        return end;
    }

    /// How the program ended, once its recordings are here; nullopt: it did not start.
    std::optional<ProgramEnd> bring(const fs::path& folder) const {
        const Console console;
        const RunControl control = console.control();
        std::string names;
        if (m_there.run(m_there.script("cd -- \"$1\" && ls", {m_there.folder()}), names, {}, control) != 0)
            throw Error(ErrorKind::DeviceFailed, "connection-lost",
                        "The connection to " + m_there.host() + " was lost.",
                        "The program there ends by itself, and its recording is lost. Run it again.");
        std::set<std::string> there;
        std::istringstream lines(names);
        for (std::string name; std::getline(lines, name);)
            there.insert(name);
        if (!there.contains("end"))
            return std::nullopt;
        for (const char* name : {"end", "status"})
            m_there.fetch(m_there.folder() + "/" + name, folder / name, control);
        bringRecordings(folder, there, control);
        ProgramEnd end;
        std::ifstream(folder / "end") >> end.pid >> end.code >> end.signal;
        return end;
    }

private:
    /// What comes here is what a recording of this name is called: run.olab, and run.1234.olab or
    /// run.1234-2.olab of a process. Only the first, which the user named, takes the place of another file:
    /// else nothing that is said there names a file that is here.
    std::optional<fs::path> placeOf(const std::string& name) const {
        const fs::path place = m_request.file.parent_path() / name;
        if (place == m_request.file)
            return place;
        const std::string stem = m_request.file.stem().string() + ".", end = ".olab";
        if (!name.starts_with(stem) || !name.ends_with(end) || name.size() <= stem.size() + end.size())
            return std::nullopt;
        const std::string number = name.substr(stem.size(), name.size() - stem.size() - end.size());
        if (number.find_first_not_of("0123456789-") != number.npos)
            return std::nullopt;
        return freeFile(place);
    }

    /// Those that are told of; what is told then names them as they are called here.
    void bringRecordings(const fs::path& folder, const std::set<std::string>& there,
                         const RunControl& control) const {
        const std::string before = m_there.folder() + "/";
        std::map<std::string, std::optional<fs::path>> places;
        std::ofstream(folder / "told").flush();
        for (TraceStatus status : readStatus(folder / "status")) {
            if (status.event == TraceEvent::Recording || status.event == TraceEvent::Finished) {
                const std::string name =
                    status.text.starts_with(before) ? status.text.substr(before.size()) : std::string();
                const auto [known, isNew] = places.try_emplace(name);
                if (isNew && there.contains(name) && (known->second = placeOf(name)))
                    m_there.fetch(before + name, *known->second, control);
                if (!known->second)
                    continue;
                status.text = known->second->string();
            }
            tellStatus(folder / "told", status);
        }
    }

    const TraceRequest& m_request;
    run::Elsewhere m_there;
};

} // namespace

bool namesHost(const std::string& word) {
    return word != "all" &&
           !std::ranges::all_of(word, [](char c) { return (c >= '0' && c <= '9') || c == ','; });
}

int traceElsewhere(const Arguments& arguments, const TraceRequest& request) {
    const TemporaryFolder folder;
    ProgramEnd here;
    std::optional<ProgramEnd> there;
    {
        const Errand errand(arguments, request);
        here = errand.run(arguments);
        there = errand.bring(folder.path());
    }
    if (!there)
        return here.code; // olab over there has said why
    TraceRequest told = request;
    told.status = folder.path() / "told";
    tellOutcome(told, *there, arguments.has("--no-analysis") ? TraceTelling::NoJudgement : TraceTelling::All);
    return there->code;
}

TraceErrand TraceErrand::take() {
    const char* const folder = std::getenv(kErrand);
    TraceErrand errand{folder ? folder : ""};
    ::unsetenv(kErrand);
    return errand;
}

void TraceErrand::report(const ProgramEnd& end) const {
    std::ofstream(folder / "end") << end.pid << " " << end.code << " " << end.signal << "\n";
}

} // namespace olab::cli
