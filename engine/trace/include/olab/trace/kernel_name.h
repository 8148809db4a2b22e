// Names of kernels for people. Records contain them mangled (Itanium C++ ABI), or already demangled by
// another tool. A name that is not mangled is used unchanged, as is one whose back references could make it
// exponentially long. Never fails, any thread.
#pragma once

#include <string>
#include <string_view>

namespace olab {

/// "_ZN2ns1kIfEEvi" -> "void ns::k<float>(int)"
std::string demangled(std::string_view recorded);
/// The short name of the kernel: "void ns::k<float>(int)", mangled or not -> "k<float>"
std::string kernelName(std::string_view recorded);
/// "k<float>" -> "k"; a name without arguments stays.
std::string_view withoutTemplateArguments(std::string_view name);

} // namespace olab
