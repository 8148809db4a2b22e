#include <olab/trace/kernel_name.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace olab {
namespace {

// Where the parameter list of a demangled function begins: the last "(" outside template arguments.
std::string_view withoutParameters(std::string_view name) {
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += (name[i] == '<') - (name[i] == '>');
        if (name[i] == '(' && depth == 0 && i > 0 && name.substr(i, 21) != "(anonymous namespace)")
            return name.substr(0, i);
    }
    return name;
}

std::string_view withoutQualifiers(std::string_view name) {
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += (name[i] == '<') - (name[i] == '>');
        if (depth == 0 && (name[i] == ' ' || name[i] == ':'))
            from = i + 1;
    }
    return name.substr(from);
}

constexpr std::string_view kMangled = "_Z";

// A back reference ("S_", "S12_", "T_") may stand for everything before it, so a name of 255 characters can
// expand to a gigabyte. With r references the longest is a chain in which each part refers three times to the
// previous one: 3^(r/3) times the length.
bool isSafeToWriteOut(std::string_view name) {
    constexpr double kMost = 4e6;
    double letters = static_cast<double>(name.size());
    for (std::size_t i = kMangled.size(); i < name.size() && letters <= kMost; ++i) {
        if (name[i] != 'S' && name[i] != 'T')
            continue;
        const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
        if (end != std::string_view::npos && name[end] == '_')
            letters *= 1.4423; // the cube root of 3
    }
    return letters <= kMost;
}

// Without demangling: the last plain name, "_ZN2ns1kI..." -> "k".
std::string_view lastPlainName(std::string_view mangled) {
    std::string_view rest = mangled.substr(kMangled.size()), last = mangled;
    rest.remove_prefix(std::min(rest.find_first_not_of("NKVrSt"), rest.size()));
    for (std::size_t length = 0;;) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || length == 0 || length > rest.size())
            return last;
        last = rest.substr(0, length);
        rest.remove_prefix(length);
    }
}

} // namespace

std::string demangled(std::string_view recorded) {
    std::string name(recorded);
    if (!name.starts_with(kMangled) ||
        !isSafeToWriteOut(name)) // a lone letter is a type to the demangler ("f" is float), not a kernel
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : name;
}

std::string kernelName(std::string_view recorded) {
    const std::string name = demangled(recorded);
    if (name.starts_with(kMangled))
        return std::string(lastPlainName(name));
    return std::string(withoutQualifiers(withoutParameters(name)));
}

std::string_view withoutTemplateArguments(std::string_view name) {
    const std::size_t at = name.find('<');
    return at == 0 || at == std::string_view::npos ? name : name.substr(0, at);
}

} // namespace olab
