#include <olab/trace/kernel_name.h>

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

} // namespace

std::string demangled(std::string_view recorded) {
    std::string name(recorded);
    if (!name.starts_with("_Z")) // a lone letter is a type to the demangler ("f" is float), not a kernel
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : name;
}

std::string kernelName(std::string_view recorded) {
    const std::string name = demangled(recorded);
    return std::string(withoutQualifiers(withoutParameters(name)));
}

std::string_view withoutTemplateArguments(std::string_view name) {
    const std::size_t at = name.find('<');
    return at == 0 || at == std::string_view::npos ? name : name.substr(0, at);
}

} // namespace olab
