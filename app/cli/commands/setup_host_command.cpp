// `olab setup-host HOST`: puts this program into the user's folder on another machine.
#include "command.h"
#include "console.h"
#include "cuda_factory.h"

#include <olab/run/elsewhere.h>
#include <olab/run/programs.h>
#include <olab/trace/error.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/utsname.h>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSetupText = "Copies this program into ~/.local/share/overlap-lab of that "
                                        "machine, with what 'olab trace' needs there, "
                                        "and\n"
                                        "checks it with 'olab devices'. CUPTI goes along where the machine "
                                        "has a driver for it and none of its own, "
                                        "and\n"
                                        "where NVIDIA's licence text lies beside the one that is here. "
                                        "Nothing runs there afterwards, and nothing "
                                        "outside\n"
                                        "that folder is changed; to undo it, remove the folder.";

/// "$1": the name, "$2": its size. Whole or not at all.
constexpr std::string_view kReceive = R"sh(umask 022
d="$HOME/.local/share/overlap-lab"
mkdir -p -- "$d/$(dirname -- "$1")" || exit 1
t="$d/$1.new"
trap 'rm -f -- "$t"' EXIT
cat >"$t" || exit 1
[ "$(wc -c <"$t")" -eq "$2" ] || { echo "only a part of it arrived" >&2; exit 1; }
chmod 755 "$t" && mv -f -- "$t" "$d/$1"
)sh";

constexpr int kMostLibraries = 8;

class Setup {
public:
    Setup(const std::string& host, const RunControl& control)
        : m_control(control)
        , m_there(host, run::Need::Shell, true, control) {}

    /// @returns what was copied, and what olab says there
    Printed perform() {
        checkSystem();
        const fs::path olab = run::ownProgram();
        copy(olab, "olab");
        makeItStart();
        copyLibraryForTracing(olab.parent_path());
        const std::string devices = said({"devices", "--json"});
        copyCupti(devices);
        std::istringstream text(said({"devices"}));
        for (std::string line; std::getline(text, line);)
            m_done << line << "\n";
        return m_done;
    }

private:
    void checkSystem() const {
        utsname here{};
        ::uname(&here);
        const std::string ours = std::string(here.sysname) + " " + here.machine;
        if (m_there.system() != ours)
            throw Error(ErrorKind::NoDevice, "other-system",
                        m_there.host() + " is " + m_there.system() + ", and this olab is for " + ours + ".",
                        "Build Overlap Lab there, or install its package, so that olab is on the PATH.");
    }

    void copy(const fs::path& file, const std::string& name) {
        std::error_code failed;
        const std::uintmax_t bytes = fs::file_size(file, failed);
        if (failed)
            throw Error(ErrorKind::Usage, "cannot-read",
                        "Cannot read " + file.string() + ": " + failed.message() + ".");
        std::string said;
        const int code =
            m_there.run(m_there.script(kReceive, {name, std::to_string(bytes)}), said, file, m_control);
        if (code != 0)
            throw Error(ErrorKind::NoDevice, "not-copied",
                        name + " could not be copied to " + m_there.host() + ": " + shortened(said) + ".",
                        "See to space and rights there in ~/" + std::string(run::kFolderThere) + ".");
        m_done << "copied " << name << " (" << (bytes + (1 << 20) - 1) / (1 << 20) << " MiB)\n";
    }

    static std::string shortened(std::string text) {
        while (!text.empty() && (text.back() == '\n' || text.back() == '.'))
            text.pop_back();
        return text.empty() ? "ssh gave no reason" : text;
    }

    std::string said(const std::vector<std::string>& words) const {
        std::string output;
        const int code = m_there.run(m_there.olab(words), output, {}, m_control);
        if (code != 0)
            throw Error(
                ErrorKind::NoDevice, "does-not-start",
                "olab does not start on " + m_there.host() + ": " + shortened(output) + ".",
                "Its system libraries may be older than those here: build Overlap Lab there instead.");
        return output;
    }

    /// A library that only this machine has goes along.
    void makeItStart() {
        constexpr std::string_view kMissing = "error while loading shared libraries: ";
        for (int i = 0; i < kMostLibraries; ++i) {
            std::string output;
            if (m_there.run(m_there.olab({"--version"}), output, {}, m_control) == 0)
                return;
            const std::size_t at = output.find(kMissing);
            const std::string name =
                at == output.npos
                    ? std::string()
                    : output.substr(at + kMissing.size(),
                                    output.find(':', at + kMissing.size()) - at - kMissing.size());
            const fs::path ours = loadedHere(name);
            if (ours.empty())
                break;
            copy(ours, "lib/" + name);
        }
        said({"--version"});
    }

    static fs::path loadedHere(const std::string& name) {
        std::ifstream maps("/proc/self/maps");
        for (std::string line; !name.empty() && std::getline(maps, line);)
            if (const std::size_t slash = line.find('/'); slash != line.npos)
                if (const fs::path file = line.substr(slash);
                    file.filename().string().starts_with(name.substr(0, name.find(".so"))))
                    return file;
        return {};
    }

    void copyLibraryForTracing(const fs::path& here) {
        constexpr const char* kName = "libolab_inject.so";
        std::error_code failed;
        for (const fs::path& folder :
             {here, here / ".." / OLAB_LIBRARIES, here / "../lib", here / "../lib64"})
            if (fs::is_regular_file(folder / kName, failed))
                return copy(folder / kName, kName);
        m_done << kName << " is not here: 'olab trace --on " << m_there.host() << "' cannot work\n";
    }

    /// What goes with it wherever it goes.
    static fs::path licenceOf(const fs::path& cupti) {
        const fs::path folder = cupti.parent_path(), program = run::ownProgram().parent_path();
        std::error_code failed;
        for (const fs::path& text : {program / "../share/doc/overlap-lab/licences/NVIDIA-CUDA-EULA.txt",
                                     folder / "NVIDIA-CUDA-EULA.txt", folder / "../EULA.txt",
                                     folder / "../../EULA.txt", folder / "../../../EULA.txt"})
            if (fs::is_regular_file(text, failed))
                return text;
        return {};
    }

    void copyCupti(const std::string& devices) {
        const nlohmann::json there = nlohmann::json::parse(devices, nullptr, false);
        const auto field = [&there](const char* name) {
            return there.is_object() && there.contains(name) && there[name].is_string()
                       ? there[name].get<std::string>()
                       : std::string();
        };
        const CudaProbe here = probeCuda();
        const std::string driver = field("driver_cuda");
        const fs::path licence = here.cuptiFile.empty() ? fs::path() : licenceOf(here.cuptiFile);
        if (!field("cupti").empty())
            m_done << "CUPTI: there is one\n";
        else if (driver.empty())
            m_done << "CUPTI: not copied, there is no NVIDIA driver\n";
        else if (here.cuptiFile.empty())
            m_done << "CUPTI: there is none, here neither; install cuda-cupti-13-0 there\n";
        else if (std::atoi(driver.c_str()) < std::atoi(here.runtime.c_str()))
            m_done << "CUPTI: not copied, the driver there (CUDA " << driver << ") is too old for it\n";
        else if (licence.empty())
            m_done << "CUPTI: not copied, NVIDIA's licence text is not beside it; install cuda-cupti-13-0 "
                      "there\n";
        else {
            copy(here.cuptiFile, fs::path(here.cuptiFile).filename().string());
            copy(licence, "NVIDIA-CUDA-EULA.txt");
        }
    }

    const RunControl& m_control;
    run::Elsewhere m_there;
    Printed m_done;
};

int runSetupHost(const Arguments& arguments) {
    Printed text;
    {
        const Console console;
        const RunControl control = console.control();
        text = Setup(arguments.positional().front(), control).perform();
    }
    print(text);
    return 0;
}

} // namespace

extern const Command kSetupHostCommand{
    "setup-host", "HOST", "Copies olab to another machine, for --on HOST.", kSetupText, {}, 1, 1,
    runSetupHost};

} // namespace olab::cli
