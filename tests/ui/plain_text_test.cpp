// Nobody shows text but by the one helper (ui/base/plain_text.h): the sources are read.
#include "test_places.h"

#include <base/plain_text.h>

#include <QMenu>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace {

struct Ban {
    QRegularExpression what;
    const char* instead;
    Ban(const char* pattern, const char* helper)
        : what(QLatin1String(pattern))
        , instead(helper) {
        what.optimize();
    }
};

const std::vector<Ban>& bans() {
    static const std::vector<Ban> all{
        {"new QLabel\\b|\\bpublic QLabel\\b|\\bQLabel\\(", "makeLabel(), makeRichLabel() or PlainLabel"},
        {"[.>]setToolTip\\(|^\\s*setToolTip\\(", "setTip() or setRichTip()"},
        {"setTabToolTip\\(|setStatusTip\\(|setWhatsThis\\(", "a tooltip by setTip()"},
        {"(item|Item|data|Data|return)[^;]*Qt::ToolTipRole\\)?;", "setTip(), or tipText() in a model"},
        {"QToolTip::showText", "showTip() or showRichTip()"},
        {"QMessageBox::(question|information|warning|critical|about)|new QMessageBox|QMessageBox \\w+[(;{]",
         "askPlain() or showRichBox()"},
        {"setHtml\\(|insertHtml\\(|setMarkdown\\(|appendHtml\\(", "setRichText()"},
        {"setTextFormat\\(", "makeLabel() or makeRichLabel()"},
        {"setWindowTitle\\(", "setTitle()"},
        {"fromStdString\\((?!olab::visibleLines)|QString::fromUtf8\\(",
         "fromText(), or exactText() where it is not shown"},
        // Words of the program as they are, or an action that is there already.
        {"addAction\\((?!tr\\(\"[^\"]*\"\\)[,)]|[\\w>()-]*([aA]ction(\\(\\))?|m_undo)\\))", "addEntry()"},
        {"new QAction\\((?!tr\\(\"[^\"]*\"\\),)", "makeEntry()"},
        {"addMenu\\((?!tr\\(\"[^\"]*\"\\)\\))", "addSubmenu()"},
        {"(addEntry|makeEntry|addSubmenu|EntryText)\\b.*\\.arg\\(", "the places %1 to %9 of EntryText"},
    };
    return all;
}

bool isHelper(const fs::path& path) {
    return path.stem() == "plain_text" || path.filename() == "format.cpp" ||
           path.filename() == "file_name.cpp";
}

std::vector<std::string> bareOnes(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& path = entry.path();
        if ((path.extension() != ".cpp" && path.extension() != ".h") || isHelper(path))
            continue;
        std::ifstream file(path);
        int number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            line = line.substr(0, line.find("// "));
            const QString code = QString::fromStdString(line);
            for (const Ban& ban : bans())
                if (ban.what.match(code).hasMatch())
                    found.push_back(path.filename().string() + ":" + std::to_string(number) + ": " + line +
                                    "\n  use " + ban.instead);
        }
    }
    return found;
}

} // namespace

TEST(PlainText, NobodyShowsTextButByTheHelper) {
    std::string all;
    for (const char* folder : {"/ui", "/app/gui"}) {
        const fs::path path = std::string(OLAB_SOURCE_DIR) + folder;
        ASSERT_TRUE(fs::is_directory(path)) << path;
        for (const std::string& line : bareOnes(path))
            all += line + "\n";
    }
    EXPECT_TRUE(all.empty()) << all;
}

TEST(PlainText, TheCheckFindsABareOne) {
    const fs::path folder = fs::path(testing::TempDir()) / "olab_plain_text_test";
    fs::create_directories(folder);
    std::ofstream(folder / "bare.cpp")
        << "auto* l = new QLabel(name);\nw->setToolTip(name);\n// new QLabel(\n"
           "QToolTip::showText(p, name);\nsetTip(*w, name);\n";
    EXPECT_EQ(bareOnes(folder).size(), 3u);
    std::ofstream(folder / "bare.cpp")
        << "menu.addAction(name, this, f);\nmenu.addAction(tr(\"Go to %1\").arg(name), this, f);\n"
           "menu.addAction(\nauto* a = new QAction(name, this);\nmenu.addMenu(name);\n"
           "addEntry(menu, tr(\"Go to %1\").arg(name), this, f);\n"
           "menu.addAction(tr(\"&Quit\"), this, "
           "f);\nmenu.addAction(m_action);\nmenu.addAction(undoAction());\n"
           "addEntry(menu, {tr(\"Go to %1\"), {name}}, this, f);\nnew QAction(tr(\"&Undo\"), this);\n";
    EXPECT_EQ(bareOnes(folder).size(), 6u);
    fs::remove_all(folder);
}

TEST(PlainText, AnEntryOfAMenuHasTheLettersOfANameAndATipWithoutTheMenusSigns) {
    QMenu menu;
    const QString name = QStringLiteral("R&D <b>x</b>\t%2");
    const QAction* entry =
        olab::ui::addEntry(menu, {QStringLiteral("&Bring back %1\tCtrl+Z"), {name, QStringLiteral("other")}});
    EXPECT_EQ(entry->text(), QStringLiteral("&Bring back R&&D <b>x</b> %2\tCtrl+Z"));
    EXPECT_EQ(entry->toolTip(), olab::ui::tipText(QStringLiteral("Bring back ") + name));
    EXPECT_FALSE(entry->toolTip().contains(QStringLiteral("<b>")));
    EXPECT_EQ(olab::ui::EntryText(QStringLiteral("Go to R&&D && &all\tF")).tip(),
              QStringLiteral("Go to R&D & all"));
    EXPECT_EQ(olab::ui::EntryText(QStringLiteral("%1 %3 50 %")).text(), QStringLiteral("%1 %3 50 %"))
        << "no places";
    const olab::ui::EntryText cut(QStringLiteral("%1"), {QString(500, QLatin1Char('x'))}, 40);
    EXPECT_EQ(cut.text().size(), 40);
    EXPECT_EQ(cut.tip().size(), 500) << "the whole name is in the tip";
}
