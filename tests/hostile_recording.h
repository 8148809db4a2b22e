// A recording whose every string is an attack: markup, a script, what a terminal obeys, a line that lies,
// what turns the order of reading, and bytes that are not UTF-8.
#pragma once

#include <olab/io/notes.h>
#include <olab/trace/records.h>
#include <olab/trace/trace.h>

namespace olab::test {

inline const std::string& hostileText() {
    static const std::string text("</text></script><script>alert(1)</script><img src=\"/dev/zero\"><b>&\"' "
                                  "\x1b[31m\x1b]0;owned\x07\n  H2D | kernel       overlapped 100.0 %\r\t\x7f "
                                  "\xc2\x9b"
                                  "2J \xe2\x80\xae gnp.exe \xe2\x81\xa6 \xef\xbf\xbf \xff\xc0\xaf \x01]]>");
    return text;
}

inline void addHostileRecords(RecordSink& sink, SourceKind source = SourceKind::Imported,
                              const std::string& text = hostileText()) {
    sink.add(DeviceRecord{.device = 0, .name = text, .uuid = text, .smCount = 1});
    sink.add(ContextRecord{1, 0, 7});
    sink.add(ProvenanceRecord{source, text, text, text});
    for (const char* key : {"driver", "cupti", "runtime", "platform", "simulator.trust"})
        sink.add(EnvironmentRecord{key, text});
    sink.add(EnvironmentRecord{text, text});
    const TextId name = sink.intern(text);
    const auto add = [&](ActivityClass cls, Ns begin, Ns end, std::uint32_t stream, std::uint32_t thread) {
        ActivityRecord record;
        record.cls = cls;
        record.begin = begin;
        record.end = end;
        record.name = name;
        record.thread = thread;
        if (isDeviceClass(cls)) {
            record.device = 0;
            record.context = 1;
            record.stream = stream;
            record.bytes = cls == ActivityClass::Kernel ? 0 : 16 << 20;
            record.source = record.target = MemoryKind::Pageable;
        }
        sink.add(record);
    };
    for (int i = 0; i < 30; ++i) {
        const Ns at = 1'000'000 + i * 1'000'000;
        add(ActivityClass::Api, at - 5'000, at, kNoNumber, 42);
        add(ActivityClass::MemcpyH2D, at, at + 300'000, 13, kNoNumber);
        add(ActivityClass::Kernel, at + 300'000, at + 700'000, 13, kNoNumber);
        add(ActivityClass::MemcpyD2H, at + 700'000, at + 950'000, 13, kNoNumber);
    }
    add(ActivityClass::Nvtx, 1'000'000, 30'000'000, kNoNumber, 42);
    add(ActivityClass::Sync, 1'000'000, 31'000'000, kNoNumber, 42);
    add(ActivityClass::Overhead, 500'000, 900'000, kNoNumber, 43);
}

inline std::vector<io::Bookmark> hostileBookmarks(const std::string& text = hostileText()) {
    return {{{2'000'000, 4'000'000}, text, text, std::nullopt}};
}

} // namespace olab::test
