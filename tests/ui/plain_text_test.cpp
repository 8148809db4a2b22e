// Nobody shows text but by the one helper (ui/shell/plain_text.h): the sources are read.
#include "test_places.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace fs = std::filesystem;

namespace {

struct Ban {
    std::regex what;
    const char* instead;
};

const std::vector<Ban>& bans() {
    static const std::vector<Ban> all{
        {std::regex("new QLabel\\b|\\bpublic QLabel\\b|\\bQLabel\\("),
         "makeLabel(), makeRichLabel() or PlainLabel"},
        {std::regex("[.>]setToolTip\\(|^\\s*setToolTip\\("), "setTip() or setRichTip()"},
        {std::regex("setTabToolTip\\(|setStatusTip\\(|setWhatsThis\\("), "a tooltip by setTip()"},
        {std::regex("(item|Item|data|Data|return)[^;]*Qt::ToolTipRole\\)?;"),
         "setTip(), or tipText() in a model"},
        {std::regex("QToolTip::showText"), "showTip() or showRichTip()"},
        {std::regex("QMessageBox::(question|information|warning|critical|about)|new QMessageBox|QMessageBox "
                    "\\w+[(;{]"),
         "askPlain() or showRichBox()"},
        {std::regex("setHtml\\(|insertHtml\\(|setMarkdown\\(|appendHtml\\("), "setRichText()"},
        {std::regex("setTextFormat\\("), "makeLabel() or makeRichLabel()"},
        {std::regex("setWindowTitle\\("), "setTitle()"},
        {std::regex("fromStdString\\((?!olab::visibleLines)|QString::fromUtf8\\("),
         "fromText(), or exactText() where it is not shown"},
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
            for (const Ban& ban : bans())
                if (std::regex_search(line, ban.what))
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
    fs::remove_all(folder);
}
