// Names of files are bytes; the window keeps each of them, and writes by the same rules as the command line.
#include "patience.h"
#include "test_places.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>

#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>

using namespace olab;
using namespace olab::ui;

namespace {

namespace fs = std::filesystem;

struct WindowWithFiles {
    WindowWithFiles() { window.show(); }
    ~WindowWithFiles() {
        for (const auto& entry : fs::directory_iterator(in("")))
            fs::remove_all(entry.path()); // Qt cannot remove every name
    }
    fs::path in(const std::string& name) const { return fs::path(folder.path().toStdString()) / name; }
    bool open(const fs::path& file) {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.open(olab::ui::nameOf(file));
        return QTest::qWaitFor([&] { return !session.busy(); }, test::kPatience) && spy.count() > 0;
    }
    fs::path copied(const std::string& name) const {
        fs::copy_file(OLAB_SOURCE_DIR "/resources/recordings/full-grid-h200.olab", in(name));
        return in(name);
    }
    QTemporaryDir folder;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
};

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST(FileName, EveryNameMeansItsFileAgain) {
    std::string all = "/";
    for (int byte = 1; byte < 256; ++byte)
        all += static_cast<char>(byte);
    for (const std::string& name :
         {std::string("/plain.olab"), std::string("/gr\xc3\xbc\xc3\x9f.olab"), std::string("/caf\xe9.olab"),
          std::string("/\xf0\x9f\x98\x80.olab"), std::string("/\xed\xb2\x80"), std::string("/\xf0\x9f"), all})
        EXPECT_EQ(fileOf(olab::ui::nameOf(name)).string(), name);
    EXPECT_EQ(olab::ui::nameOf("/gr\xc3\xbc.olab"), QString::fromUtf8("/gr\xc3\xbc.olab"));
}

TEST(FileName, ANameOfAnyBytesIsOpenedAndSavedInto) {
    WindowWithFiles t;
    const fs::path file = t.copied("caf\xe9.olab");
    ASSERT_TRUE(t.open(file));
    EXPECT_EQ(t.window.shown()->recording->file, file);
    const QSignalSpy saved(&t.session, &Session::saved);
    ASSERT_TRUE(t.session.save(t.window.shown(), olab::ui::nameOf(t.in("\xff.olab"))));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; }, test::kPatience));
    EXPECT_TRUE(fs::exists(t.in("\xff.olab")));
    const view::ViewData& shown = *t.window.shown();
    writePicture(shown, {}, olab::ui::nameOf(t.in("\xfe.svg")));
    EXPECT_NE(contentOf(t.in("\xfe.svg")).find("<svg"), std::string::npos);
}

TEST(FileName, AReadOnlyFileIsNotReplacedByASaveOrAPicture) {
    WindowWithFiles t;
    ASSERT_TRUE(t.open(t.copied("a.olab")));
    for (const char* name : {"kept.olab", "kept.svg"}) {
        std::ofstream(t.in(name)) << "precious";
        fs::permissions(t.in(name), fs::perms::owner_read);
    }
    ASSERT_TRUE(t.session.save(t.window.shown(), olab::ui::nameOf(t.in("kept.olab"))));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy(); }, test::kPatience));
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("kept.olab: it is read-only")))
        << qPrintable(t.window.errors().lastText());
    try {
        writePicture(*t.window.shown(), {}, olab::ui::nameOf(t.in("kept.svg")));
        ADD_FAILURE() << "it was replaced";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("kept.svg: it is read-only"), std::string::npos)
            << error.what();
    }
    EXPECT_EQ(contentOf(t.in("kept.olab")), "precious");
    EXPECT_EQ(contentOf(t.in("kept.svg")), "precious");
}

TEST(FileName, AFifoWaitsForItsWriterAndIsCancelled) {
    WindowWithFiles t;
    ASSERT_EQ(::mkfifo(t.in("pipe").c_str(), 0600), 0);
    t.window.open(olab::ui::nameOf(t.in("pipe")));
    test::letPass(200);
    EXPECT_TRUE(t.session.busy()) << "the window goes on";
    t.session.cancel();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !t.session.busy(); }, test::kPatience));
    ASSERT_TRUE(t.open(t.copied("a.olab"))) << "nothing hangs behind it";
}
