#include <olab/io/folder_traces.h>
#include <olab/io/formats.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

namespace olab::io {
namespace {

namespace fs = std::filesystem;

bool matchesPattern(std::string_view name, std::string_view patterns) {
    while (!patterns.empty()) {
        const std::size_t end = std::min(patterns.find(' '), patterns.size());
        if (name.ends_with(patterns.substr(1, end - 1))) // after the "*"
            return true;
        patterns.remove_prefix(std::min(end + 1, patterns.size()));
    }
    return false;
}

/// Much that is no trace is JSON too: settings, packages, results.
bool looksLikeEvents(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    for (const std::string_view word : {"\"traceEvents\"", "\"ph\"", "\"schemaVersion\"",
                                        "\"displayTimeUnit\"", "\"deviceProperties\"", "\"otherData\""})
        if (text.find(word) != text.npos)
            return true;
    return false;
}

bool isNamedAsTrace(const fs::path& path) {
    const std::string name = path.filename().string();
    return std::ranges::any_of(importers(),
                               [&](const Importer& row) { return matchesPattern(name, row.pattern); });
}

/// Nothing else has names like these.
bool isNamedAsRecording(const fs::path& path) {
    constexpr std::string_view kEndings[] = {".olab", ".nsys-rep", ".qdrep"};
    return std::ranges::find(kEndings, path.extension().string()) != std::end(kEndings);
}

bool isTrace(const fs::path& path, const RunControl& control) {
    try {
        Source source(path, control);
        for (const Importer& row : importers())
            if (row.sniff(source.head()) && (!row.confirm || row.confirm(source, control)))
                return row.id != "json" || looksLikeEvents(source.head());
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
    }
    return false;
}

/// A report whose export is there too: one of them is enough.
bool isExported(const fs::path& file, const std::vector<fs::path>& all) {
    const bool isReport = file.extension() == ".nsys-rep" || file.extension() == ".qdrep";
    return isReport && std::ranges::find(all, fs::path(file).replace_extension(".sqlite")) != all.end();
}

bool isNumber(char c) {
    return c >= '0' && c <= '9';
}

/// "rank2" before "rank10".
bool comesBefore(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (!isNumber(a.front()) || !isNumber(b.front())) {
            if (a.front() != b.front())
                return a.front() < b.front();
            a.remove_prefix(1), b.remove_prefix(1);
            continue;
        }
        const auto takeNumber = [](std::string_view& text) {
            text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
            const auto digits = text.substr(0, std::ranges::find_if_not(text, isNumber) - text.begin());
            text.remove_prefix(digits.size());
            return std::tuple(digits.size(), digits);
        };
        const auto x = takeNumber(a), y = takeNumber(b);
        if (x != y)
            return x < y;
    }
    return a.size() < b.size();
}

/// Every entry within the bounds, folders left out.
class FolderWalk {
public:
    FolderWalk(const fs::path& folder, const FolderBounds& bounds)
        : m_bounds(bounds) {
        std::error_code problem;
        m_at =
            fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, problem);
        if (problem)
            throw Error(ErrorKind::Usage, "cannot-read",
                        "Cannot read the folder " + folder.string() + ": " + problem.message() + ".",
                        "Check that it exists and that you may read it.");
    }
    /// The next file; empty: no more.
    fs::path next() {
        std::error_code problem;
        while (m_at != fs::recursive_directory_iterator() && m_looked++ < m_bounds.entries) {
            const fs::directory_entry entry = *m_at;
            const bool hidden = entry.path().filename().string().starts_with('.');
            if (hidden || m_at.depth() >= m_bounds.depth)
                m_at.disable_recursion_pending();
            const bool isFile = !hidden && entry.is_regular_file(problem);
            m_at.increment(problem);
            if (problem)
                m_at = {};
            if (isFile)
                return entry.path();
        }
        m_stopped = m_at != fs::recursive_directory_iterator();
        return {};
    }
    bool stopped() const { return m_stopped; }

private:
    FolderBounds m_bounds;
    fs::recursive_directory_iterator m_at;
    std::size_t m_looked = 0;
    bool m_stopped = false;
};

} // namespace

FolderTraces tracesIn(const fs::path& folder, const RunControl& control, const FolderBounds& bounds) {
    FolderTraces found;
    FolderWalk walk(folder, bounds);
    for (fs::path file = walk.next(); !file.empty(); file = walk.next()) {
        control.throwIfCancelled();
        if (!isNamedAsTrace(file))
            continue;
        if (isTrace(file, control))
            found.files.push_back(std::move(file));
        else if (isNamedAsRecording(file))
            found.unlike.push_back(std::move(file));
    }
    found.stopped = walk.stopped();
    std::erase_if(found.files, [all = found.files](const fs::path& file) { return isExported(file, all); });
    for (std::vector<fs::path>* const files : {&found.files, &found.unlike})
        std::ranges::sort(
            *files, [](const fs::path& a, const fs::path& b) { return comesBefore(a.native(), b.native()); });
    if (found.files.size() > bounds.traces) {
        found.more = found.files.size() - bounds.traces;
        found.files.resize(bounds.traces);
    }
    return found;
}

} // namespace olab::io
