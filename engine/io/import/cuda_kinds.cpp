#include "cuda_kinds.h"

#include <olab/trace/value_text.h>

#include <algorithm>
#include <cctype>

namespace olab::io::imports {
namespace {

constexpr Ns kYear2000 = 946'684'800'000'000'000;

std::string lettersOf(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

struct Direction {
    std::string_view word;
    ActivityClass cls;
};
// The first one contained in a name; in the order of the counting contract.
constexpr Direction kDirections[] = {
    {"htod", ActivityClass::MemcpyH2D},         {"h2d", ActivityClass::MemcpyH2D},
    {"hosttodevice", ActivityClass::MemcpyH2D}, {"htoa", ActivityClass::MemcpyH2D},
    {"dtoh", ActivityClass::MemcpyD2H},         {"d2h", ActivityClass::MemcpyD2H},
    {"devicetohost", ActivityClass::MemcpyD2H}, {"atoh", ActivityClass::MemcpyD2H},
    {"ptop", ActivityClass::MemcpyP2P},         {"p2p", ActivityClass::MemcpyP2P},
    {"peertopeer", ActivityClass::MemcpyP2P},   {"dtod", ActivityClass::MemcpyD2D},
    {"d2d", ActivityClass::MemcpyD2D},          {"devicetodevice", ActivityClass::MemcpyD2D},
    {"dtoa", ActivityClass::MemcpyD2D},         {"atod", ActivityClass::MemcpyD2D},
    {"atoa", ActivityClass::MemcpyD2D},
};

struct KindName {
    std::string_view ending;
    MemoryKind kind;
};
// The longer ones first.
constexpr KindName kKindNames[] = {
    {"devicestatic", MemoryKind::DeviceStatic},
    {"managedstatic", MemoryKind::ManagedStatic},
    {"pageable", MemoryKind::Pageable},
    {"pinned", MemoryKind::Pinned},
    {"device", MemoryKind::Device},
    {"array", MemoryKind::Array},
    {"managed", MemoryKind::Managed},
};

} // namespace

ActivityClass copyClassOf(std::int64_t copyKind) {
    switch (copyKind) {
    case 1:  // HtoD
    case 3:  // HtoA
    case 11: // migration to the device
        return ActivityClass::MemcpyH2D;
    case 2:
    case 4:
    case 12:
        return ActivityClass::MemcpyD2H;
    case 5: // AtoA, AtoD, DtoA, DtoD
    case 6:
    case 7:
    case 8:
    case 13:
        return ActivityClass::MemcpyD2D;
    case 10:
        return ActivityClass::MemcpyP2P;
    default:
        return ActivityClass::MemcpyOther;
    }
}

ActivityClass copyClassOf(std::string_view name) {
    return copyClassOfLetters(lettersOf(name));
}

ActivityClass copyClassOfLetters(std::string_view letters) {
    for (const Direction& direction : kDirections)
        if (letters.find(direction.word) != letters.npos)
            return direction.cls;
    return ActivityClass::MemcpyOther;
}

MemoryKind memoryKindOf(std::int64_t cuptiKind) {
    return cuptiKind >= 0 && cuptiKind <= static_cast<std::int64_t>(MemoryKind::ManagedStatic)
               ? static_cast<MemoryKind>(cuptiKind)
               : MemoryKind::Unknown;
}

MemoryKind memoryKindOf(std::string_view name) {
    const std::string letters = lettersOf(name);
    for (const KindName& row : kKindNames)
        if (letters.ends_with(row.ending))
            return row.kind;
    return MemoryKind::Unknown;
}

StreamKind streamKindOf(std::int64_t flag) {
    return flag >= 1 && flag <= 3 ? static_cast<StreamKind>(flag) : StreamKind::Unknown;
}

std::string_view withoutVersion(std::string_view call) {
    const std::size_t at = call.rfind("_v");
    const bool isVersion =
        at != call.npos && at + 2 < call.size() && call.find_first_not_of("0123456789", at + 2) == call.npos;
    return isVersion ? call.substr(0, at) : call;
}

StreamCallKind syncKindOf(bool namesStream, bool namesEvent) {
    if (namesEvent)
        return namesStream ? StreamCallKind::StreamWait : StreamCallKind::EventSync;
    return namesStream ? StreamCallKind::StreamSync : StreamCallKind::DeviceSync;
}

std::string_view syncName(StreamCallKind kind) {
    switch (kind) {
    case StreamCallKind::EventSync:
        return "event synchronize";
    case StreamCallKind::StreamWait:
        return "stream wait event";
    case StreamCallKind::StreamSync:
        return "stream synchronize";
    case StreamCallKind::DeviceSync:
        return "context synchronize";
    default:
        return "synchronization";
    }
}

std::string isoTimeOf(Ns sinceEpoch) {
    if (sinceEpoch < kYear2000)
        return {};
    return isoTimeUtc(sinceEpoch / 1'000'000'000);
}

} // namespace olab::io::imports
