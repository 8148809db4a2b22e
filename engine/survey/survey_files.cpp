#include <olab/io/folder_traces.h>
#include <olab/survey/survey.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace olab::survey {
namespace {

namespace fs = std::filesystem;

constexpr io::FolderBounds kEverything{.traces = 1'000'000, .entries = 4'000'000, .depth = 64};

void addFolder(const fs::path& folder, FoundFiles& found, const RunControl& control) {
    control.report(-1, "looking into " + folder.string());
    const io::FolderTraces traces = io::tracesIn(folder, control, kEverything);
    for (const std::vector<fs::path>* const files : {&traces.files, &traces.unlike})
        found.files.insert(found.files.end(), files->begin(), files->end());
    found.stopped = found.stopped || traces.stopped;
}

/// Memory per byte of a file: for text less than one record in ten bytes, more for packed text.
struct Growth {
    std::string_view ending;
    std::uint64_t times;
};
constexpr std::array kGrowths{Growth{".gz", 40}, Growth{".zst", 40}, Growth{".olab", 12}, Growth{"", 5}};

} // namespace

FoundFiles filesIn(std::span<const fs::path> places, const RunControl& control) {
    FoundFiles found;
    for (const fs::path& place : places) {
        std::error_code problem;
        if (fs::is_directory(place, problem))
            addFolder(place, found, control);
        else
            found.files.push_back(place);
    }
    return found;
}

std::uint64_t memoryFor(const fs::path& file) {
    constexpr std::uint64_t kAtLeast = std::uint64_t{4} << 20, kAtMost = std::uint64_t{1} << 50;
    std::error_code problem;
    const std::uintmax_t size = fs::file_size(file, problem);
    if (problem || size > kAtMost)
        return kAtLeast;
    const std::string name = file.filename().string();
    const auto growth =
        std::ranges::find_if(kGrowths, [&](const Growth& g) { return name.ends_with(g.ending); });
    return kAtLeast + growth->times * size;
}

void NumberNames::add(const Row& row, const io::ReportDocument& report) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_seen.size() >= kMostPrograms || !m_seen.emplace(row.program, row.machine).second)
            return;
    }
    const auto numbers = report.numbers();
    const std::lock_guard lock(m_mutex);
    for (const auto& [pointer, example] : numbers)
        if (m_examples.size() < kMostNumbers)
            m_examples.emplace(pointer, example);
}

std::vector<NumberNames::Number> NumberNames::all() const {
    const std::lock_guard lock(m_mutex);
    std::vector<Number> numbers;
    for (const auto& [pointer, example] : m_examples)
        numbers.push_back({pointer, example});
    return numbers;
}

} // namespace olab::survey
