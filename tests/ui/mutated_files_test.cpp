// Mutated recordings, opened one after the other in the real window: each is shown or refused with a message,
// what is damaged is told, the window answers all the time and does not grow. OLAB_MUTATED_FILES=FIRST-LAST
// says which (their number is their seed); ctest runs a few, `./test.sh --fuzz` a thousand. A window lives
// for kFilesOfAWindow files: a number alone is tried again with those of its window that came before it.
#include "hostile/mutations.h"
#include "patience.h"
#include "pulse.h"
#include "test_places.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/resource.h>

namespace olab::ui {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kFilesOfAWindow = 20, kFilesOfCtest = 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSanitizer = 4; // what checks costs as well
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int kSanitizer = 4;
#else
constexpr int kSanitizer = 1;
#endif
#else
constexpr int kSanitizer = 1;
#endif
constexpr std::chrono::milliseconds kAnswers{kSanitizer * 2'000};
constexpr double kMostMegabytes = kSanitizer * 400.0; ///< the whole program after any number of files

double megabytesNow() {
    std::ifstream status("/proc/self/statm");
    double pages = 0;
    status >> pages >> pages;
    return pages * 4096 / (1 << 20);
}

hostile::Bytes bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(content));
    return {bytes.begin(), bytes.end()};
}

/// All that ship.
const std::vector<hostile::Bytes>& originals() {
    static const std::vector<hostile::Bytes> all = [] {
        std::set<fs::path> paths;
        for (const auto& entry : fs::directory_iterator(fs::path(OLAB_SOURCE_DIR) / "resources/recordings"))
            if (entry.path().extension() == ".olab")
                paths.insert(entry.path());
        std::vector<hostile::Bytes> files;
        for (const fs::path& path : paths)
            files.push_back(bytesOf(path));
        return files;
    }();
    return all;
}

hostile::Mutated fileOfNumber(unsigned number) {
    const auto& files = originals();
    return hostile::mutated(files[number % files.size()], files[(number * 7 + 3) % files.size()], number);
}

class MutatedFilesDesk {
public:
    MutatedFilesDesk()
        : m_window(m_session, {.remember = false, .askBeforeClose = false}) {
        m_window.resize(1280, 720);
        m_window.show();
    }

    /// Shown, or refused with a message.
    void open(const QString& path, bool mustBeTold) {
        const QSignalSpy ended(&m_session, &Session::ended);
        const view::ViewDataPtr before = m_window.shown();
        m_window.open(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return ended.count() > 0; }, test::kPatience))
            << "still being opened";
        const bool isShown = m_window.shown() != before;
        const QString said = m_window.errors().lastText();
        EXPECT_NE(isShown, m_window.errors().count() > 0) << said.toStdString();
        EXPECT_TRUE(isShown || said.contains(QFileInfo(path).fileName())) << said.toStdString();
        if (isShown && mustBeTold) {
            EXPECT_FALSE(recording::damageOf(m_window.shown()->recording->report).empty())
                << "damage that nobody told";
        }
        ++(isShown ? m_shown : m_refused);
    }

    /// What a person does next: looks at all pages, goes to an op, searches, zooms.
    void look() {
        for (const char* page :
             {"findings", "ledger", "matrix", "activities", "bookmarks", "charts", "log"}) {
            m_window.showPage(QLatin1String(page));
            QCoreApplication::processEvents();
        }
        if (!m_window.shown())
            return;
        TimelineCanvas& canvas = m_window.timeline().canvas();
        if (const std::size_t count = m_window.shown()->trace().size(); count > 0)
            canvas.select(static_cast<ActivityIndex>(count / 2));
        QTest::keyClick(&canvas, Qt::Key_W);
        QTest::keyClick(&canvas, Qt::Key_N);
        EXPECT_FALSE(m_window.grab().isNull());
        EXPECT_LE(m_window.minimumSizeHint().width(), 1280) << "nothing is as wide as its text";
    }
    int shown() const { return m_shown; }
    int refused() const { return m_refused; }

private:
    Session m_session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow m_window;
    int m_shown = 0, m_refused = 0;
};

/// Told also when the program dies of it: what is on the error stream last is the file it died of.
void tell(unsigned number, const hostile::Mutated& made, const fs::path& path) {
    std::fprintf(stderr, "file %u: %s, %zu bytes, %s\n", number, made.how.c_str(), made.file.size(),
                 path.c_str());
}

struct Sums {
    int shown = 0, refused = 0;
    test::Pulse::Time longest{0};
    double megabytes = 0;
};

/// Those of one window.
void openAll(unsigned first, unsigned last, const fs::path& folder, Sums& sums) {
    MutatedFilesDesk desk;
    for (unsigned number = first; number <= last && !testing::Test::HasFatalFailure(); ++number) {
        const hostile::Mutated made = fileOfNumber(number);
        const fs::path path = folder / ("mutated-" + std::to_string(number) + ".olab");
        std::ofstream(path, std::ios::binary) << hostile::textOf(made.file);
        tell(number, made, path);
        SCOPED_TRACE("OLAB_MUTATED_FILES=" + std::to_string(first) + "-" + std::to_string(number) + ", " +
                     made.how);
        test::Pulse pulse;
        desk.open(QString::fromStdString(path.string()), made.mustBeTold);
        desk.look();
        EXPECT_LT(pulse.longest(), kAnswers);
        EXPECT_LT(megabytesNow(), kMostMegabytes);
        sums.longest = std::max(sums.longest, pulse.longest());
        if (!testing::Test::HasFailure())
            fs::remove(path);
    }
    sums.shown += desk.shown(), sums.refused += desk.refused();
    sums.megabytes = std::max(sums.megabytes, megabytesNow());
}

std::pair<unsigned, unsigned> wantedNumbers() {
    unsigned first = 1, last = kFilesOfCtest;
    std::sscanf(qEnvironmentVariable("OLAB_MUTATED_FILES").toUtf8().constData(), "%u-%u", &first, &last);
    return {first, last};
}

} // namespace

TEST(MutatedFiles, EachIsShownOrRefusedWithAMessage) {
    ASSERT_FALSE(originals().empty());
    QTemporaryDir folder;
    const auto [first, last] = wantedNumbers();
    Sums sums;
    for (unsigned at = first; at <= last; at += kFilesOfAWindow)
        ASSERT_NO_FATAL_FAILURE(
            openAll(at, std::min(last, at + kFilesOfAWindow - 1), folder.path().toStdString(), sums));
    folder.setAutoRemove(!HasFailure());
    std::printf("files %u-%u: %d shown, %d refused; longest without an answer %lld ms, memory %.0f MB\n",
                first, last, sums.shown, sums.refused,
                static_cast<long long>(sums.longest / std::chrono::milliseconds(1)), sums.megabytes);
    EXPECT_EQ(static_cast<unsigned>(sums.shown + sums.refused), last - first + 1);
    if (last - first + 1 >= kFilesOfCtest) {
        EXPECT_GT(sums.shown, 0);
    }
}

} // namespace olab::ui
