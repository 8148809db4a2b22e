// A libcuda with a version and an answer to cuInit, and nothing else.
#include <cstdlib>
#include <cstring>

namespace {

int numberOf(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

int unknown() {
    return 999;
}

} // namespace

extern "C" {

int cuInit(unsigned) {
    return numberOf("FAKE_CUDA_INIT", 0);
}
int cuDriverGetVersion(int* version) {
    *version = numberOf("FAKE_CUDA_VERSION", 13000);
    return 0;
}
int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found) {
    if (found)
        *found = 0;
    *function = reinterpret_cast<void*>(unknown);
    if (std::strcmp(name, "cuInit") == 0)
        *function = reinterpret_cast<void*>(cuInit);
    if (std::strcmp(name, "cuDriverGetVersion") == 0)
        *function = reinterpret_cast<void*>(cuDriverGetVersion);
    if (std::strcmp(name, "cuGetProcAddress") == 0)
        *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
    return 0;
}
}
