// Reading what a user of Unix may name: pipes to their end, within a bound, cancellable; nothing that hangs.
#include <olab/trace/container.h>
#include <olab/trace/input_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace olab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InputFileTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "input-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
        m_control.stop = m_stop.get_token();
    }
    void TearDown() override { fs::remove_all(m_folder); }
    fs::path at(const std::string& name) const { return m_folder / name; }
    fs::path pipe() const {
        EXPECT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
        return at("pipe");
    }
    std::string refusalOf(const fs::path& path, const RunControl& control) const {
        try {
            (void)readTextFile(path, control);
        } catch (const Error& error) {
            return std::string(error.what()) + " " + error.hint();
        }
        return {};
    }
    fs::path m_folder;
    std::stop_source m_stop;
    RunControl m_control;
};

TEST_F(InputFileTest, AFileIsReadWhole) {
    const std::string text(100'000, 't');
    std::ofstream(at("a")) << text;
    EXPECT_EQ(readTextFile(at("a")), text);
    InputFile file(at("a"));
    EXPECT_EQ(file.head().size(), 4096u);
    EXPECT_EQ(file.whole(1), at("a")) << "not copied";
    EXPECT_THAT(refusalOf(at("missing"), m_control), HasSubstr("missing"));
    EXPECT_THAT(refusalOf(m_folder, m_control), HasSubstr("folder"));
    EXPECT_THROW((void)readTextFile(at("a"), {}, 99'999), Error) << "larger than it may be";
}

TEST_F(InputFileTest, APipeIsReadToItsEnd) {
    const fs::path path = pipe();
    std::string text(1'000'000, 'x');
    text += "end";
    std::thread writer([&] { std::ofstream(path) << text; });
    EXPECT_EQ(readTextFile(path, m_control), text);
    writer.join();
}

TEST_F(InputFileTest, APipeThatNobodyWritesCanBeCancelled) {
    const fs::path path = pipe();
    std::thread later([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        m_stop.request_stop();
    });
    EXPECT_THAT(refusalOf(path, m_control), HasSubstr("ancelled"));
    later.join();
    EXPECT_THAT(refusalOf(path, {}), HasSubstr("pipe")) << "nobody could cancel: it is refused at once";
}

TEST_F(InputFileTest, AWriterIsNotWaitedForForEverButWhatItWritesIs) {
    const fs::path path = pipe();
    EXPECT_THAT(refusalOf(path, m_control), HasSubstr("nobody writes into this pipe"));
    std::jthread writer([&] {
        std::ofstream out(path);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        out << "late";
    });
    EXPECT_EQ(readTextFile(path, m_control), "late");
}

TEST_F(InputFileTest, AnEndlessPipeIsBounded) {
    const fs::path path = pipe();
    std::jthread writer([&](const std::stop_token& stop) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        ::signal(SIGPIPE, SIG_IGN);
        const std::string block(4096, 'x');
        while (!stop.stop_requested() && ::write(descriptor, block.data(), block.size()) > 0) {
        }
        ::close(descriptor);
    });
    try {
        (void)readTextFile(path, m_control, 1 << 20);
        ADD_FAILURE() << "it has no end";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("more than 1 MiB"));
    }
}

TEST_F(InputFileTest, DevicesAreRefused) {
    EXPECT_THAT(refusalOf("/dev/zero", m_control), HasSubstr("device"));
    EXPECT_THAT(refusalOf("/dev/null", m_control), HasSubstr("device"));
}

TEST_F(InputFileTest, AContainerThatIsAPipeIsRefusedWithoutWaiting) {
    std::vector<RefusedRecord> defects;
    EXPECT_THROW(readContainer(
                     pipe(), [](Chunk&&) {}, defects),
                 Error);
}

} // namespace
} // namespace olab
