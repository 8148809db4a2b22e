// Names of kernels for people. Records carry them as the compiler mangled them (Itanium C++ ABI), or as
// another tool already wrote them out; what is no mangled name is taken as it is, and so is one that refers
// back to its own parts so often that it could be written out at exponential length. Never fails, any thread.
#pragma once

#include <string>
#include <string_view>

namespace olab {

/// "_ZN2ns1kIfEEvi" -> "void ns::k<float>(int)"
std::string demangled(std::string_view recorded);
/// What a person calls the kernel: "void ns::k<float>(int)", mangled or not -> "k<float>"
std::string kernelName(std::string_view recorded);
/// "k<float>" -> "k"; what has none stays.
std::string_view withoutTemplateArguments(std::string_view name);

} // namespace olab
