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
        m_known = take() || (make() && take());
    }
    GermanLocale(const GermanLocale&) = delete;
    GermanLocale& operator=(const GermanLocale&) = delete;
    ~GermanLocale() {
        std::setlocale(LC_ALL, m_before.c_str());
        if (m_folder.empty())
            return;
        ::unsetenv("LOCPATH");
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    /// False where there is neither the locale nor the means to make it: nothing can be tested then.
    bool known() const { return m_known; }
    /// What a shell puts before a command to start it in this locale.
    std::string environment() const {
        return (m_folder.empty() ? "" : "LOCPATH='" + m_folder + "' ") + "LC_ALL=de_DE.UTF-8 ";
    }

private:
    static bool take() {
        if (!std::setlocale(LC_ALL, "de_DE.UTF-8"))
            return false;
        char text[8];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        return std::string_view(text) == "0,5";
    }
    bool make() {
        std::string name = (std::filesystem::temp_directory_path() / "olab-locale-XXXXXX").string();
        if (!::mkdtemp(name.data()))
            return false;
        m_folder = name;
        const std::string command =
            "localedef -i de_DE -f UTF-8 '" + m_folder + "/de_DE.UTF-8' >'" + m_folder + "/log' 2>&1";
        return std::system(command.c_str()) == 0 && ::setenv("LOCPATH", m_folder.c_str(), 1) == 0;
    }
    std::string m_before = "C", m_folder;
    bool m_known = false;
};

} // namespace olab::test
