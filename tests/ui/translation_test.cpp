// The window speaks the language of a translation: no sentence of its own is written where none can reach it.
#include "shown_fixture.h"
#include "test_places.h"

#include <olab/experiment/presets.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>

#include <timeline/accessibility/accessible_timeline.h>
#include <timeline/search/search.h>
#include <timeline/texts/hover_card.h>
#include <window/help.h>

#include <QAction>
#include <QDialog>
#include <QMenuBar>
#include <QTextBrowser>
#include <QTranslator>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

namespace fs = std::filesystem;

// --- what the sources say

struct Literal {
    int line;
    std::string text, call; ///< the function or macro in whose brackets it stands
};

/// The string literals of a source: neighbours are one, comments and preprocessor lines are left out.
class LiteralReader {
public:
    static std::vector<Literal> of(const fs::path& path) {
        std::ifstream file(path);
        return LiteralReader({std::istreambuf_iterator<char>(file), {}}).take();
    }
    explicit LiteralReader(std::string source)
        : m_source(std::move(source)) {}
    std::vector<Literal> take() {
        while (m_at < m_source.size())
            step();
        return std::move(m_found);
    }

private:
    bool starts(std::string_view what) const { return m_source.compare(m_at, what.size(), what) == 0; }
    void skipTo(std::string_view end) {
        const std::size_t at = m_source.find(end, m_at);
        move((at == std::string::npos ? m_source.size() : at + end.size()) - m_at);
    }
    void move(std::size_t by) {
        for (; by > 0 && m_at < m_source.size(); --by)
            m_line += m_source[m_at++] == '\n' ? 1 : 0;
    }
    static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

    void step() {
        const char c = m_source[m_at];
        if (starts("//") || c == '#')
            skipTo("\n");
        else if (starts("/*"))
            skipTo("*/");
        else if (starts("R\""))
            raw();
        else if (c == '"' || c == '\'')
            quoted(c);
        else if (isWord(c))
            word();
        else
            sign(c);
    }
    void word() { // with the marks between digits
        const std::size_t from = m_at;
        while (m_at < m_source.size() &&
               (isWord(m_source[m_at]) || (m_source[m_at] == '\'' && std::isdigit(m_source[from]) != 0)))
            move(1);
        m_last = m_source.substr(from, m_at - from);
    }
    void sign(char c) {
        if (c == '(' || c == '{')
            m_calls.push_back(c == '(' ? m_last : "{");
        else if ((c == ')' || c == '}') && !m_calls.empty())
            m_calls.pop_back();
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            m_last = c;
        move(1);
    }
    void quoted(char mark) {
        const int line = m_line;
        std::string text;
        for (move(1); m_at < m_source.size() && m_source[m_at] != mark; move(1)) {
            if (m_source[m_at] == '\\')
                text += m_source[m_at], move(1);
            text += m_source[m_at];
        }
        move(1);
        if (mark == '"')
            add(line, text);
    }
    void raw() {
        const int line = m_line;
        const std::size_t open = m_source.find('(', m_at);
        const std::string end = ")" + m_source.substr(m_at + 2, open - m_at - 2) + "\"";
        const std::size_t close = m_source.find(end, open);
        const std::string text = m_source.substr(open + 1, close - open - 1);
        move(close + end.size() - m_at);
        add(line, text);
    }
    void add(int line, const std::string& text) {
        if (m_last == "\"")
            m_found.back().text += text;
        else
            m_found.push_back({line, text, m_calls.empty() ? "" : m_calls.back()});
        m_last = "\"";
    }

    std::string m_source, m_last;
    std::size_t m_at = 0;
    int m_line = 1;
    std::vector<std::string> m_calls;
    std::vector<Literal> m_found;
};

/// Two words in a row, markup and the program's name aside.
bool isSentence(const std::string& text) {
    static const std::regex aside("<[^>]*>|&[a-z]+;|Overlap Lab");
    static const std::regex words("(^|[^A-Za-z0-9-])[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}($|[^A-Za-z0-9-])");
    return std::regex_search(std::regex_replace(text, aside, "."), words);
}

bool isTranslated(const Literal& literal) {
    return literal.call == "tr" || literal.call == "counted" || literal.call == "QT_TR_NOOP" ||
           literal.call == "translate";
}

/// Not for the person at the window: what a file of ours holds, what a developer reads.
struct Exempt {
    const char *file, *text;
};
constexpr Exempt kExempt[] = {
    {"timeline/texts/range_text.cpp", "engine"}, // columns of the table that is copied
    {"window/frame_probe.cpp", "frame"},         // of OLAB_FRAME_LOG
    {"window/frame_probe.cpp", "OLAB_FRAME_LOG"},
    {"pictures/picture_files.cpp", "@media print"},  // of a style sheet
    {"pictures/picture_flow.cpp", "DejaVu Sans"},    // a font
    {"base/theme.cpp", "each look has its colours"}, // for the compiler
    {"base/theme.cpp", "in the order of the looks"},
};

bool isExempt(const std::string& file, const Literal& literal) {
    return std::ranges::any_of(kExempt, [&](const Exempt& exempt) {
        return file == exempt.file && literal.text.find(exempt.text) != std::string::npos;
    });
}

std::string untranslatedIn(const fs::path& path, const std::string& name) {
    std::string found;
    for (const Literal& literal : LiteralReader::of(path))
        if (isSentence(literal.text) && !isTranslated(literal) && !isExempt(name, literal))
            found += name + ":" + std::to_string(literal.line) + ": " + literal.text + "\n";
    return found;
}

// --- what the window says

/// Says everything in its own way: a sentence in «», a count in the words of a language with three forms.
class Foreign : public QTranslator {
public:
    QString translate(const char*, const char* text, const char*, int count) const override {
        const QString form = count < 0    ? QString()
                             : count == 1 ? QStringLiteral("one:")
                             : count == 2 ? QStringLiteral("two:")
                                          : QStringLiteral("many:");
        return QStringLiteral("«%1»").arg(form + QString::fromUtf8(text));
    }
    bool isEmpty() const override { return false; }
};

class Translation : public testing::Test {
protected:
    void speak() { QCoreApplication::installTranslator(&m_foreign); }
    ~Translation() override { QCoreApplication::removeTranslator(&m_foreign); }

private:
    Foreign m_foreign;
};

QString fieldsText(const FieldList& fields) {
    QStringList names;
    for (const auto& [name, value] : fields)
        names << name;
    return names.join(QLatin1Char(' '));
}

} // namespace

TEST(TranslationSources, TheReaderFindsLiteralsAndTheirCalls) {
    const std::vector<Literal> found =
        LiteralReader(
            "f(1'000, \"a b\" // \"no\"\n \"c\"); g({'\"', R\"(d \" e)\"}); tr(x ? \"y\" : \"z\\\"\");")
            .take();
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].text, "a bc");
    EXPECT_EQ(found[0].call, "f");
    EXPECT_EQ(found[1].text, "d \" e");
    EXPECT_EQ(found[1].line, 2);
    EXPECT_EQ(found[2].call, "tr");
    EXPECT_EQ(found[3].text, "z\\\"");
    EXPECT_TRUE(isSentence("<b>Found:</b> two words"));
    EXPECT_FALSE(isSentence("<td align='right'>%1</td> Overlap Lab"));
}

TEST(TranslationSources, NoSentenceOfTheWindowIsOutsideOfTr) {
    const fs::path ui = fs::path(OLAB_SOURCE_DIR) / "ui";
    std::string found;
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(ui))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") {
            ++files;
            found += untranslatedIn(entry.path(), fs::relative(entry.path(), ui).generic_string());
        }
    EXPECT_GT(files, 200);
    EXPECT_EQ(found, "") << "write tr(\"...\"), or counted() where a count is in it (texts.h)";
}

TEST_F(Translation, EnglishHasTwoFormsOfACountAndATranslationItsOwn) {
    const auto said = [](std::uint64_t count) {
        return counted("%n activities in %1", "%n activity in %1", count).arg(QStringLiteral("x"));
    };
    EXPECT_EQ(said(0), QStringLiteral("0 activities in x"));
    EXPECT_EQ(said(1), QStringLiteral("1 activity in x"));
    EXPECT_EQ(said(12'345), QStringLiteral("12\u2009345 activities in x"));
    EXPECT_EQ(said(5'000'000'000), QStringLiteral("5\u2009000\u2009000\u2009000 activities in x"));
    speak();
    EXPECT_EQ(said(1), QStringLiteral("«one:1 activities in x»"));
    EXPECT_EQ(said(2), QStringLiteral("«two:2 activities in x»"));
    EXPECT_EQ(said(12'345), QStringLiteral("«many:12\u2009345 activities in x»"));
}

TEST_F(Translation, WordsOutsideOfWidgetsFollowIt) {
    const view::ViewDataPtr shown = smallShown();
    const auto said = [&] {
        return QStringList{verdictWord(analysis::VerdictKind::Serialized),
                           fieldsText(activityFields(*shown, 0)),
                           hoverText(*shown, 0).html(),
                           spokenRecording(*shown),
                           spokenActivity(*shown, 0),
                           SearchQuery::parse(QStringLiteral("> 1ms < 1us")).error,
                           QString::fromUtf8(pictureFormatOf(QStringLiteral("x.svg")).make(*shown, {}))};
    };
    const QStringList english = said();
    speak();
    const QStringList foreign = said();
    for (qsizetype i = 0; i < english.size(); ++i) {
        EXPECT_FALSE(english[i].contains(QStringLiteral("«"))) << english[i].toStdString();
        EXPECT_TRUE(foreign[i].contains(QStringLiteral("«"))) << foreign[i].left(300).toStdString();
    }
}

TEST_F(Translation, MenusAndKeysOfTheWindowFollowIt) {
    speak();
    Session session({[] { return std::make_unique<sim::SimBackend>(); }, {}});
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    QStringList english; // the presets: their titles and headings are the engine's
    for (const experiment::Preset& preset : experiment::presets())
        english << QString::fromStdString(preset.title) << QString::fromStdString(preset.group);
    int looked = 0;
    for (const QMenu* menu : window.menuBar()->findChildren<QMenu*>())
        for (const QAction* action : menu->actions()) {
            const QString text = action->text().remove(QLatin1Char('&'));
            if (action->isSeparator() || text.isEmpty() || english.contains(text))
                continue;
            ++looked;
            EXPECT_TRUE(text.contains(QStringLiteral("«"))) << text.toStdString();
        }
    EXPECT_GT(looked, 40);
    showKeys(&window);
    const auto* keys = window.findChild<QDialog*>(QStringLiteral("keys"))->findChild<QTextBrowser*>();
    for (const KeyHelp& row : keyList())
        EXPECT_TRUE(keys->toPlainText().contains(QStringLiteral("«%1»").arg(QLatin1String(row.what))))
            << row.what;
}
