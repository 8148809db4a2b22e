#include "open_picture.h"

#include <olab/recording/recording.h>

#ifdef OLAB_BENCH_UI
#include <olab/ui/timeline_view.h>
#include <olab/view/view_data.h>

#include <QApplication>
#include <QImage>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sys/resource.h>

namespace olab::bench {
namespace {

constexpr std::size_t kSteps = 4;
constexpr std::array<const char*, kSteps> kNames{"read", "analyse", "index", "picture"};

/// What one process prints and the other reads, in one line.
struct Opened {
    std::array<double, kSteps> seconds{};
    double processor = 0;                       ///< user time of all threads
    std::array<double, kSteps> peaks{}, kept{}; ///< bytes: the most until the end of a step, those there then
    double peakBytes() const { return *std::ranges::max_element(peaks); }
    double wall() const {
        double sum = 0;
        for (const double step : seconds)
            sum += step;
        return sum;
    }
};

class Clock {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_before).count();
        m_before = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point m_before = std::chrono::steady_clock::now();
};

void noteUsage(Opened& opened, double userBefore) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    opened.processor = static_cast<double>(usage.ru_utime.tv_sec) +
                       static_cast<double>(usage.ru_utime.tv_usec) * 1e-6 - userBefore;
}

/// Of /proc/self/status: what is in memory now, and the most there was.
double memoryOf(const char* key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key))
            return std::strtod(line.c_str() + std::strlen(key), nullptr) * 1024;
    return 0;
}

void noteStep(Opened& opened, std::size_t step, Clock& clock) {
    opened.seconds[step] = clock.lap();
    opened.peaks[step] = memoryOf("VmHWM:");
    opened.kept[step] = memoryOf("VmRSS:");
    clock.lap();
}

#ifdef OLAB_BENCH_UI
constexpr int kWidth = 1920, kHeight = 1080;

void paint(const recording::RecordingPtr& recording, Opened& opened, Clock& clock) {
    const auto shown = std::make_shared<const view::ViewData>(recording);
    noteStep(opened, 2, clock);
    ui::TimelineView view;
    view.resize(kWidth, kHeight);
    QImage image(view.size(), QImage::Format_RGB32);
    view.setShown(shown);
    view.render(&image);
    noteStep(opened, 3, clock);
}
#endif

Opened open(const std::filesystem::path& path) {
    Opened opened;
    noteUsage(opened, 0);
    const double before = opened.processor; // starting the program is not opening a file
    Clock clock;
    io::RecordingData data = io::readRecording(path);
    noteStep(opened, 0, clock);
    const recording::RecordingPtr recording = recording::makeRecording(std::move(data), "bench", false);
    noteStep(opened, 1, clock);
#ifdef OLAB_BENCH_UI
    paint(recording, opened, clock);
#endif
    noteUsage(opened, before);
    return opened;
}

bool readLine(std::FILE* from, Opened& opened) {
    bool all = std::fscanf(from, "%lf", &opened.processor) == 1;
    for (auto* numbers : {&opened.seconds, &opened.peaks, &opened.kept})
        for (double& number : *numbers)
            all = all && std::fscanf(from, "%lf", &number) == 1;
    return all;
}

Opened openInProcess(const std::string& command) {
    Opened opened;
    std::FILE* child = popen(command.c_str(), "r");
    if (!child || !readLine(child, opened))
        opened.seconds.fill(std::numeric_limits<double>::infinity());
    if (child)
        pclose(child);
    return opened;
}

} // namespace

int openOnce(const std::filesystem::path& path) {
#ifdef OLAB_BENCH_UI
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    int argc = 1;
    std::string name = "olab_bench";
    char* argv[] = {name.data(), nullptr};
    QApplication application(argc, argv);
#endif
    const Opened opened = open(path);
    std::printf("%.6f", opened.processor);
    for (const auto* numbers : {&opened.seconds, &opened.peaks, &opened.kept})
        for (const double number : *numbers)
            std::printf(" %.6f", number);
    std::printf("\n");
    return 0;
}

void printOpenHeading() {
    std::printf("\n%-34s %11s %9s %9s %9s %9s %9s %9s %7s\n", "open to picture (best, ms)", "count", "all",
                kNames[0], kNames[1], kNames[2], kNames[3], "user", "memory");
}

void benchOpen(const std::string& what, std::size_t count, const std::filesystem::path& program,
               const std::filesystem::path& path, int rounds) {
    const std::string command = "'" + program.string() + "' --open '" + path.string() + "'";
    Opened best;
    best.seconds.fill(std::numeric_limits<double>::infinity());
    double user = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rounds; ++i) {
        const Opened opened = openInProcess(command);
        best = opened.wall() < best.wall() ? opened : best;
        user = std::min(user, opened.processor);
    }
    const double fileBytes = static_cast<double>(std::filesystem::file_size(path));
    std::printf("%-34s %11zu %9.1f", what.c_str(), count, best.wall() * 1e3);
    for (const double step : best.seconds)
        std::printf(" %9.1f", step * 1e3);
    std::printf(" %9.1f %6.2fx\n", user * 1e3, best.peakBytes() / fileBytes);
    std::printf("%-34s %11s file %.0f MB, peak %.0f MB\n", "", "", fileBytes * 1e-6, best.peakBytes() * 1e-6);
    for (std::size_t step = 0; step < kSteps; ++step)
        std::printf("%46s until \"%s\": peak %5.1f bytes each, kept %5.1f\n", "", kNames[step],
                    best.peaks[step] / static_cast<double>(count),
                    best.kept[step] / static_cast<double>(count));
    std::fflush(stdout);
}

} // namespace olab::bench
