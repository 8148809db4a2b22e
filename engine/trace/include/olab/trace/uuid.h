// A GPU's UUID as nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.
#pragma once

#include <cstdio>
#include <string>

namespace olab {

inline std::string uuidText(const char (&bytes)[16]) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char two[4];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += two;
    }
    return text;
}

} // namespace olab
