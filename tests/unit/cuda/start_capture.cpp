// Starts a CUPTI capture and prints how that ended: "code|message|hint".
#include <olab/cupti/collector.h>
#include <olab/trace/error.h>

#include <cstdio>

int main() {
    try {
        const olab::cupti::Collector collector;
        std::printf("started||");
    } catch (const olab::Error& error) {
        std::printf("%s|%s|%s", error.code().c_str(), error.what(), error.hint().c_str());
        return error.exitCode();
    }
}
