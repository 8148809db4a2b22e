// No file of up to 10 MB takes more than 15 s, 100 times its size and 200 MB, or ends the program by a
// signal: the real program is started on each attack and its time and memory are taken from the system.
#include "cli_fixture.h"
#include "hostile/hostile_files.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>

namespace olab::test {
namespace {

constexpr double kMostSeconds = 15; // of processor time: other programs may keep the machine busy
constexpr double kMostTimesItsSize = 100, kMostMegabytesMore = 200;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSanitizer = 4; // what checks costs as well
#else
constexpr double kSanitizer = 1;
#endif

struct Use {
    int status = 0;
    double seconds = 0, megabytes = 0;
};

void limit(int resource, rlim_t most) {
    const rlimit both{most, most};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Runs the program with its output thrown away. It is stopped far above what is allowed, before it harms the
/// machine.
Use useOf(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        limit(RLIMIT_CPU, static_cast<rlim_t>(4 * kSanitizer * kMostSeconds));
        limit(RLIMIT_CORE, 0);
        if (kSanitizer == 1) // these reserve terabytes
            limit(RLIMIT_AS, rlim_t{4} << 30);
        const int nowhere = ::open("/dev/null", O_RDWR);
        for (const int descriptor : {0, 1, 2})
            ::dup2(nowhere, descriptor);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    Use use;
    rusage used{};
    ::wait4(child, &use.status, 0, &used);
    use.seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    use.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
    return use;
}

class HostileFile : public Cli {
protected:
    void expectBounded(const std::vector<std::string>& arguments, const fs::path& file) const {
        const double size = static_cast<double>(fs::file_size(file)) / (1 << 20);
        ASSERT_LE(size, 10.0);
        const Use use = useOf(arguments);
        EXPECT_TRUE(WIFEXITED(use.status)) << arguments[1] << ": signal " << WTERMSIG(use.status);
        EXPECT_LE(use.seconds, kSanitizer * kMostSeconds) << arguments[1];
        EXPECT_LE(use.megabytes, kSanitizer * (kMostTimesItsSize * size + kMostMegabytesMore))
            << arguments[1];
    }
};

TEST_F(HostileFile, IsReadWithinBounds) {
    for (const hostile::Attack& attack : hostile::attacks()) {
        SCOPED_TRACE(attack.name);
        const fs::path file = m_folder / (attack.name + ".olab");
        attack.write(file);
        expectBounded({OLAB_PROGRAM, "analyze", file.string()}, file);
        expectBounded({OLAB_PROGRAM, "analyze", file.string(), "--json"}, file);
        expectBounded({OLAB_PROGRAM, "stats", file.string(), "--json"}, file);
        expectBounded({OLAB_PROGRAM, "convert", file.string(), (m_folder / "again.olab").string()}, file);
        fs::remove(file);
    }
}

/// What was cut or left out is told: an attack is never shown as a sound recording.
TEST_F(HostileFile, SaysWhatItLeftOut) {
    const std::pair<const char*, const char*> told[] = {
        {"one-value-in-every-entry", "entries of the environment"},
        {"one-name-for-every-device", "255 devices"},
        {"defects-of-every-kind", "and others"},
        {"one-entry-over-and-over", "more records of facts than a chunk can hold"},
        {"long-names-at-one-time", "text-cut"},
        {"nested-experiment", "nested more than"},
        {"nested-environment", "nested more than"},
        {"experiment-of-too-many-members", "longer than"},
    };
    for (const auto& [name, text] : told) {
        SCOPED_TRACE(name);
        for (const hostile::Attack& attack : hostile::attacks())
            if (attack.name == name)
                attack.write(m_folder / "attack.olab");
        EXPECT_THAT(olab("analyze attack.olab --json").out, HasSubstr(text));
    }
}

} // namespace
} // namespace olab::test
