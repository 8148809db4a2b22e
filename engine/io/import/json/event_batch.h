// The events of one piece of a Chrome trace, sorted by kind: activities that are understood immediately, and
// those that need the whole file. Each is made by one thread, many in parallel. Private to io.
#pragma once

#include "event_template.h"
#include "event_values.h"
#include "local_tables.h"

#include <olab/trace/records.h>

#include <algorithm>
#include <limits>
#include <map>

namespace olab::io::json_import {

/// What rocprof of ROCm adds to an event, as text: begin, end, device, stream.
std::string rocprofDetails(const Event& event);

/// A timed event whose kind depends on the names of processes and threads.
struct Undecided {
    Ns begin = 0, end = 0;
    std::uint32_t name = 0, thread = 0; ///< in the tables of the batch's maker, later in those of the file
    std::uint32_t details = 0;          ///< args.memcpy_details, or rocprofDetails()
    std::uint32_t correlation = 0;
    TimeFault time{}, length{};
    bool isWhole = false; ///< one event, with begin and length
    bool ofGpu = false;   ///< marked on a stream: the pid is a device, the tid a stream
};

/// Part of an activity: its begin or its end; or not an activity.
struct Loose {
    char phase = 0;
    Category category{};
    TimeFault fault{};
    std::uint32_t categoryText = 0, name = 0, thread = 0, id = 0, argName = 0;
    std::uint32_t shape = 0; ///< for a begin of device work: in the maker's table, later in the assembly's
    std::uint32_t correlation = 0;
    Ns time = 0;
};

/// With its stream and its context as in the file.
struct FileStreamCall {
    StreamCallRecord record;
    std::int64_t context = 0, stream = 0;
};

/// Records refused for one reason.
struct Refusals {
    std::uint64_t count = 0, first = 0; ///< position of the first one in the file
};
struct Reason {
    DefectCode code{};
    ClassMask classes = 0;
    std::string_view detail; ///< of static storage
    friend auto operator<=>(const Reason&, const Reason&) = default;
};
using RefusedEvents = std::map<Reason, Refusals>;

enum class BatchEnd : std::uint8_t {
    Clean,  ///< after an event
    Closed, ///< before the bracket that ends the list
    Open,   ///< before an event, or damage, that continues after the text
    Broken, ///< inside a damaged event that was refused
};

/// Where a text begins, and how it ends.
struct Resume {
    bool isBroken = false; ///< inside a damaged event
    std::size_t seen = 0;  ///< then: this many bytes need not be searched again for the next one
    bool isOpen = false;   ///< before an event that had no end in shorter text
    bool isLast = false;   ///< nothing follows it
};

/// Between two events of a list stands one comma; before the first and behind the last there may be one.
struct Commas {
    bool isAround = false;                   ///< around something; else they are all in `behind`
    bool isBeforeDamage = false;             ///< the first is no event: those before it do not matter
    std::uint64_t before = 0, behind = 0;    ///< before the first event, and behind the last
    std::uint64_t place = 0;                 ///< in the file, of the first event
    std::uint64_t wrong = 0, firstWrong = 0; ///< missing or too many, and the first position in the file
    void tell(std::uint64_t count, std::uint64_t at, std::uint64_t least = 1) {
        if (count >= least && count <= 1)
            return;
        firstWrong = wrong == 0 ? at : std::min(firstWrong, at);
        ++wrong;
    }
};

struct EventBatch {
    std::vector<ActivityRow> rows; ///< their shapes in the maker's table
    std::vector<Undecided> undecided;
    std::vector<Loose> loose;
    std::vector<FileStreamCall> streamCalls;
    RefusedEvents refused;
    std::array<std::uint64_t, 128> phases{};
    std::vector<std::uint64_t> categories; ///< by id of the text
    bool hasGpuCategory = false;
    Ns earliest = std::numeric_limits<Ns>::max();
    BatchEnd end = BatchEnd::Clean;
    std::size_t behind = 0;                       ///< how many bytes were read
    std::size_t seen = 0;                         ///< if it ends Broken: Resume::seen, from `behind` on
    std::uint64_t broken = 0;                     ///< events that are not JSON
    std::uint64_t wrongBytes = 0, firstWrong = 0; ///< that are not UTF-8, and the first position in the file
    Commas commas;
    /// Streams with a priority from some kernel: context and stream as in the file, priority.
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> priorities;
    void clear();
};

/// A thread of the file as named by its events.
struct ThreadKey {
    std::uint32_t pid = 0, tid = 0; ///< texts
    friend bool operator==(const ThreadKey&, const ThreadKey&) = default;
};

/// What a maker added to its tables since the last call: users of its batches need nothing else from it, so
/// it can already make the next one.
struct BatchNews {
    std::vector<TextTable::Text> texts;
    std::vector<ThreadKey> threads;
    std::vector<Shape> shapes;
};

class BatchMaker {
public:
    /// Without `details` names are left out, see RecordSink::wantsDetails(). Only a maker that
    /// `decides` reports an event without end as damaged: it must be given the whole file in order.
    BatchMaker(bool details, bool decides, std::size_t mostEvent);
    /// All events of a text that begins before one, or before the end of the list, with kPadding bytes after
    /// it. `offset`: of the text in the file. Where it stops depends only on the text, and the result for an
    /// event only on the bytes reported as read: a text in pieces gives the same result as the whole.
    void make(std::string_view text, std::uint64_t offset, EventBatch& batch, const Resume& resume = {});
    /// Events up to here end at the apparent begin of the next one: too much was searched in vain.
    std::uint64_t hurriedTo() const { return m_hurriedTo; }
    /// Bytes, each as often as it was scanned.
    std::uint64_t lookedAt() const { return m_lookedAt; }

    void takeNews(BatchNews& news);

private:
    struct ShortThread { ///< pid and tid of up to eight characters, and their id
        std::uint64_t pid = 0, tid = 0;
        std::uint32_t id = 0;
    };
    struct HostShape { ///< a known shape: its key and its number
        std::uint32_t name = 0, thread = kNoNumber, shape = 0;
        ActivityClass cls{};
    };
    struct Between { ///< text between the last two events: up to eight characters, one of them a comma
        std::uint64_t text = 1, mask = 0; ///< as it is here it matches nothing
        std::size_t size = 0;
    };
    struct CopyName {
        bool known = false, keepName = false;
        ActivityClass cls{};
        MemoryKind source{}, target{};
    };
    void take(const Event& event, const EventNote& note);
    void refuseWithoutPhase(const Event& event, Category category);
    void takeTimed(const Event& event, Category category, bool ofGpu);
    void takeWork(const Event& event, Category category);
    void takeSync(const Event& event);
    void takeUndecided(const Event& event, bool ofGpu);
    void takeLoose(const Event& event, char phase, Category category);
    bool timesOf(const Event& event, ClassMask classes, Ns& begin, Ns& end);
    std::uint32_t workShape(const Event& event, Category category);
    std::int64_t idOf(const Value& value, bool isArgument = false);
    std::uint32_t numberOf(const Value& value);
    std::uint32_t numberOrZero(const Value& value);
    void addStreamCall(const Event& event, StreamCallRecord call, const Value& stream);
    bool refusesOddNumbers(Category category);
    void setGeometry(const Event& event, Shape& shape);
    std::uint32_t hostShape(ActivityClass cls, const Event& event);
    const CopyName& copyNamed(std::uint32_t name);
    std::uint32_t textId(const Value& value);
    std::uint32_t nameId(const Event& event);
    std::uint32_t threadId(const Event& event);
    std::uint32_t newThread(const Event& event);
    EventNote noteOf(const Event& event);
    std::uint64_t fieldsOf(const EventNote& note) const;
    const char* skipBetween(const char* at, const char* end);
    void takeCommas(std::uint64_t place, bool isDamage);
    void refuse(DefectCode code, ClassMask classes, std::string_view detail, std::uint64_t count = 1);
    void takeWhole(const Event& event);
    Parsed parse(const char* at, const char* limit, Event& event);
    const char* limitOf(const char* at);
    const char* hurriedLimit(const char* at, const char* most);
    const char* takeOther(const char* at, const char* limit, ParseEnd how);
    const char* takeStray(const char* at, const char* limit);
    const char* goOn(const NextEvent& next);
    const char* stop(const char* at, BatchEnd how);
    const char* textEnd() const { return m_text.data() + m_text.size(); }
    std::uint64_t placeOf(const char* at) const {
        return m_offset + static_cast<std::uint64_t>(at - m_text.data());
    }
    bool hasZero(const char* at, const char* behind);
    void refuseBroken(std::string_view text, bool isTooLarge);

    const bool m_details, m_decides;
    const std::size_t m_mostEvent;
    EventTemplates m_templates;
    TextTable m_texts;
    ShapeTable m_shapes;
    std::vector<ThreadKey> m_threads;
    IdTable m_threadIds, m_shortThreadIds;
    std::vector<ShortThread> m_shortThreads;
    std::array<HostShape, 64> m_hostShapes; ///< the last ones, by part of a hash
    Between m_between;
    std::vector<CopyName> m_copies; ///< by id of the name
    std::uint32_t m_toldTexts = 0, m_toldThreads = 0, m_toldShapes = 0;
    bool m_hasOddNumber = false; ///< of the current event: not whole, more than 64 bits, or bytes below 0
    EventBatch* m_batch = nullptr;
    std::uint64_t m_commas = 0; ///< since the last event
    std::uint64_t m_place = 0;  ///< in the file, of the current event
    std::string_view m_text;    ///< at hand
    std::uint64_t m_offset = 0;
    Resume m_resume;
    std::uint64_t m_cleanTo = 0;  ///< in the file: no zero byte before
    std::uint64_t m_noNextTo = 0; ///< in the file: no next event was found before this
    std::uint64_t m_inVain = 0, m_hurriedTo = 0, m_lookedAt = 0;
};

} // namespace olab::io::json_import
