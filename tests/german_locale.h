// The German locale, in which printf writes "32,1", for one test: the system's, or one made by localedef.
#pragma once

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace olab::test {

class GermanLocale {
public:
    GermanLocale() {
        if (const char* before = std::setlocale(LC_ALL, nullptr))
            m_before = before;
        m_known = take() || (made().known && ::setenv("LOCPATH", made().folder.c_str(), 1) == 0 && take());
    }
    GermanLocale(const GermanLocale&) = delete;
    GermanLocale& operator=(const GermanLocale&) = delete;
    ~GermanLocale() {
        std::setlocale(LC_ALL, m_before.c_str());
        ::unsetenv("LOCPATH");
    }
    /// False where there is neither the locale nor the means to make it: nothing can be tested then.
    bool known() const { return m_known; }
    /// What a shell puts before a command to start it in this locale.
    std::string environment() const {
        const char* folder = std::getenv("LOCPATH");
        return (folder ? "LOCPATH='" + std::string(folder) + "' " : std::string()) + "LC_ALL=de_DE.UTF-8 ";
    }

private:
    static bool take() {
        if (!std::setlocale(LC_ALL, "de_DE.UTF-8"))
            return false;
        char text[8];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        return std::string_view(text) == "0,5";
    }
    /// Made once, for all tests of the program: it takes a second. Gone when that ends.
    struct Made {
        Made() {
            std::string name = (std::filesystem::temp_directory_path() / "olab-locale-XXXXXX").string();
            if (!::mkdtemp(name.data()))
                return;
            folder = name;
            const std::string command =
                "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >'" + folder + "/log' 2>&1";
            known = std::system(command.c_str()) == 0;
        }
        ~Made() {
            std::error_code ignored;
            if (!folder.empty())
                std::filesystem::remove_all(folder, ignored);
        }
        std::string folder;
        bool known = false;
    };
    static const Made& made() {
        static const Made one;
        return one;
    }
    std::string m_before = "C";
    bool m_known = false;
};

} // namespace olab::test
