#include "report/verdicts.h"

#include "facts/sentences.h"
#include "measure/ideal_run.h"
#include "report/stretch_text.h"

#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::analysis {
namespace {

using enum ActivityClass;

constexpr double kSerialized = 0.05;
constexpr double kHarmlessBlocked = 0.2; // of the solo sum of the class that waits or is slowed
constexpr double kAsFree = 1.25;         // measured / ideal: above this something delayed the run
constexpr Ns kShortMedian = 20'000;
constexpr Ns kStepsOfResolution = 50;
constexpr std::uint64_t kFewOps = 3;

constexpr std::array kPairs{JudgedPair{MemcpyH2D, Kernel, false}, JudgedPair{MemcpyD2H, Kernel, false},
                            JudgedPair{Memset, Kernel, false},    JudgedPair{MemcpyH2D, MemcpyD2H, false},
                            JudgedPair{MemcpyH2D, Memset, false}, JudgedPair{MemcpyD2H, Memset, false},
                            JudgedPair{MemcpyD2D, Kernel, true},  JudgedPair{MemcpyP2P, Kernel, true}};

double ratio(Ns part, Ns whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string label(ActivityClass c) {
    return std::string(classLabel(c));
}

class Judge {
public:
    Judge(const Facts& facts, const DeviceReport& device, const BlockedTimes& blocked, IdealRun& ideal,
          std::span<const Defect> defects, const std::optional<ToolEffect>& toolEffect)
        : m_facts(facts)
        , m_device(device)
        , m_blocked(blocked)
        , m_ideal(ideal)
        , m_defects(defects)
        , m_toolEffect(toolEffect) {}
    Verdict judge(ActivityClass a, ActivityClass b) const;

private:
    bool absent(ActivityClass c) const { return numbers(c).count == 0; }
    bool expected(ActivityClass c) const {
        return m_facts.schedule() && m_facts.schedule()->expected[static_cast<std::size_t>(c)] > 0;
    }
    const ClassNumbers& numbers(ActivityClass c) const { return m_device.classes.at(c); }
    void measure(Verdict& v) const;
    bool knowsBlocked(const Verdict& v) const;
    bool aSuffersMore(const Verdict& v) const;
    std::string whyInconclusive(const Verdict& v) const;
    std::string whyTooShort(ActivityClass c) const;
    std::string whyTooFew(ActivityClass c) const;
    bool blockedMore(const Verdict& v, double thanShare) const;
    bool isStretched(const Verdict& v) const;
    bool keptApart(const Verdict& v) const;
    VerdictKind kindOf(const Verdict& v) const;
    std::string blockedText(const Verdict& v) const;
    std::string overlapText(const Verdict& v) const;
    std::string stretchedText(const Verdict& v) const;
    std::string sentence(const Verdict& v) const;

    const Facts& m_facts;
    const DeviceReport& m_device;
    const BlockedTimes& m_blocked;
    IdealRun& m_ideal;
    std::span<const Defect> m_defects;
    std::optional<ToolEffect> m_toolEffect;
};

bool Judge::aSuffersMore(const Verdict& v) const {
    return ratio(v.blockedA, m_blocked.solo(v.a)) >= ratio(v.blockedB, m_blocked.solo(v.b));
}

void Judge::measure(Verdict& v) const {
    const Ns busyA = numbers(v.a).busy, busyB = numbers(v.b).busy;
    v.overlap = m_device.pairs.at(std::minmax({v.a, v.b}));
    v.ofAttainable = ratio(v.overlap, std::min(busyA, busyB));
    v.ofA = ratio(v.overlap, busyA);
    v.ofB = ratio(v.overlap, busyB);
    v.blockedA = m_blocked.blocked(v.a, v.b);
    v.blockedB = m_blocked.blocked(v.b, v.a);
    v.stretchedA = m_blocked.stretched(v.a, v.b);
    v.stretchedB = m_blocked.stretched(v.b, v.a);
    v.slowedA = ratio(v.stretchedA, m_blocked.solo(v.a));
    v.slowedB = ratio(v.stretchedB, m_blocked.solo(v.b));
    v.blocked = aSuffersMore(v) ? v.blockedA : v.blockedB;
    v.known = busyA > 0 && busyB > 0;
    v.blockedKnown = v.known && knowsBlocked(v);
    if (v.known)
        v.ofRun = ratio(std::max(std::min(busyA, busyB), v.blocked), m_device.span);
}

/// Without solo runs the shortest of a kind stands in, and what a full grid holds up is not seen at all where
/// nobody knows what the device holds: 0 would then be a guess.
bool Judge::knowsBlocked(const Verdict& v) const {
    const bool sharesSms = v.a == Memset && v.b == Kernel;
    return m_facts.hasSolos() && (!sharesSms || m_facts.perDevice()[m_device.index].knowsResidency);
}

std::string Judge::whyTooShort(ActivityClass c) const {
    const Ns median = m_blocked.median[static_cast<std::size_t>(c)];
    if (median >= kShortMedian || median >= kStepsOfResolution * m_facts.resolution())
        return {};
    return label(c) + " takes " + timeText(median) + " (median), too short for time stamps in steps of " +
           timeText(m_facts.resolution()) + " (under " + std::to_string(kStepsOfResolution) + " of them)";
}

std::string Judge::whyTooFew(ActivityClass c) const {
    const std::uint64_t count = numbers(c).count;
    return count >= kFewOps ? std::string()
                            : "only " + std::to_string(count) + " " + label(c) +
                                  (count == 1 ? " operation" : " operations");
}

std::string Judge::whyInconclusive(const Verdict& v) const {
    for (const Defect& d : m_defects)
        if (d.severity() == Severity::Error ||
            (d.severity() == Severity::DataLoss && (d.classes & (maskOf(v.a) | maskOf(v.b))) != 0))
            return d.text();
    if (m_toolEffect && m_toolEffect->ratio() > kMaxToolEffect)
        return "recording made the run " + fixedText(m_toolEffect->ratio(), 2) + "x slower";
    for (const ActivityClass c : {v.a, v.b})
        for (const std::string& why : {whyTooFew(c), whyTooShort(c)})
            if (!why.empty())
                return why;
    return {};
}

bool Judge::blockedMore(const Verdict& v, double thanShare) const {
    const auto more = [thanShare](Ns blocked, Ns solo) {
        return blocked > 0 && static_cast<double>(blocked) > thanShare * static_cast<double>(solo);
    };
    return more(v.blockedA, m_blocked.solo(v.a)) || more(v.blockedB, m_blocked.solo(v.b));
}

/// Of pairs that were not held up for longer than they take alone.
bool Judge::isStretched(const Verdict& v) const {
    return v.ofAttainable >= kOverlapped && v.slowed() > kHarmlessBlocked;
}

/// Nothing held either back and there is nothing to mend. All in one stream they would be held by its order,
/// and a run that takes much longer than the ideal one was held by something: a host that issued late, a copy
/// that it waited for.
bool Judge::keptApart(const Verdict& v) const {
    const auto &a = numbers(v.a).streams, &b = numbers(v.b).streams;
    if (v.ofAttainable > kSerialized || blockedMore(v, kSerialized) || (a.size() == 1 && a == b))
        return false;
    if (static_cast<double>(m_facts.bounds().measured.value_or(0)) >
        kAsFree * static_cast<double>(m_ideal.length()))
        return false;
    const std::optional<double> ideal = m_ideal.overlap(m_device.index, v.a, v.b);
    return ideal && *ideal <= kSerialized;
}

VerdictKind Judge::kindOf(const Verdict& v) const {
    if (keptApart(v))
        return VerdictKind::Apart;
    if (v.ofAttainable <= kSerialized || blockedMore(v, 1.0))
        return VerdictKind::Serialized;
    if (isStretched(v))
        return VerdictKind::Stretched;
    const bool free = v.ofAttainable >= kOverlapped && !blockedMore(v, kHarmlessBlocked);
    return free ? VerdictKind::Overlapped : VerdictKind::Partial;
}

std::string Judge::blockedText(const Verdict& v) const {
    const bool isA = aSuffersMore(v);
    const ActivityClass held = isA ? v.a : v.b, holder = isA ? v.b : v.a;
    return label(held) + " was held or slowed by " + label(holder) + " for " + timeText(v.blocked) + ", " +
           partText(ratio(v.blocked, m_blocked.solo(held))) + " the " + timeText(m_blocked.solo(held)) +
           " it takes alone";
}

std::string Judge::overlapText(const Verdict& v) const {
    return percentText(v.ofAttainable) + " of what was attainable (" + timeText(v.overlap) + " of " +
           timeText(std::min(numbers(v.a).busy, numbers(v.b).busy)) + ")";
}

std::string Judge::stretchedText(const Verdict& v) const {
    return slowedText({v.a, v.stretchedA, m_blocked.solo(v.a)}, {v.b, v.stretchedB, m_blocked.solo(v.b)},
                      kHarmlessBlocked) +
           ": " + sharedResource(v.a, v.b, m_facts.schedule());
}

std::string Judge::sentence(const Verdict& v) const {
    const std::string pair = label(v.a) + " and " + label(v.b);
    const bool blocked = blockedMore(v, kHarmlessBlocked);
    switch (v.kind) {
    case VerdictKind::Overlapped:
        return pair + " overlapped: " + overlapText(v) + ".";
    case VerdictKind::Stretched:
        return pair + " overlapped " + overlapText(v) + ", but " + stretchedText(v) + ".";
    case VerdictKind::Partial:
        return pair + " overlapped in part: " + overlapText(v) + (blocked ? "; " + blockedText(v) : "") + ".";
    case VerdictKind::Serialized:
        if (v.ofAttainable > kSerialized)
            return pair + " were serialized although the clock shows " + percentText(v.ofAttainable) +
                   " overlap: " + blockedText(v) + ".";
        return pair + " were serialized: " + overlapText(v) + (blocked ? "; " + blockedText(v) : "") + ".";
    case VerdictKind::Apart:
        return pair + (v.overlap > 0 ? " hardly met (" + overlapText(v) + ")" : " never met") +
               "; neither held the other back: the ideal run of the same pipeline keeps them apart too.";
    default:
        return {};
    }
}

Verdict Judge::judge(ActivityClass a, ActivityClass b) const {
    Verdict v;
    v.device = m_device.id, v.a = a, v.b = b;
    measure(v);
    for (const ActivityClass c : {a, b})
        if (absent(c) && !expected(c)) {
            v.text = "No " + label(c) + " here, so it has nothing to overlap.";
            return v;
        }
    if (const std::string why = whyInconclusive(v); !why.empty()) {
        v.kind = VerdictKind::Inconclusive;
        v.text = label(a) + " and " + label(b) + ": no verdict, because: " + why +
                 (why.ends_with('.') || why.ends_with(')') ? "" : ".");
        return v;
    }
    v.kind = kindOf(v);
    v.text = sentence(v);
    return v;
}

} // namespace

std::string_view verdictName(VerdictKind v) {
    switch (v) {
    case VerdictKind::Overlapped:
        return "overlapped";
    case VerdictKind::Stretched:
        return "stretched";
    case VerdictKind::Partial:
        return "partial";
    case VerdictKind::Serialized:
        return "serialized";
    case VerdictKind::Apart:
        return "apart";
    case VerdictKind::Inconclusive:
        return "inconclusive";
    case VerdictKind::NotApplicable:
        return "not_applicable";
    }
    return "invalid";
}

std::span<const JudgedPair> judgedPairs() {
    return kPairs;
}

std::vector<Verdict> judgePairs(const Facts& facts, std::span<const BlockedTimes> blocked,
                                std::span<const Defect> defects,
                                const std::optional<ToolEffect>& toolEffect) {
    IdealRun ideal(facts);
    std::vector<Verdict> verdicts;
    for (const DeviceReport& device : facts.devices()) {
        const Judge judge(facts, device, blocked[device.index], ideal, defects, toolEffect);
        for (const JudgedPair& p : kPairs)
            if (!p.onlyIfPresent || (device.classes.at(p.a).count > 0 && device.classes.at(p.b).count > 0))
                verdicts.push_back(judge.judge(p.a, p.b));
    }
    return verdicts;
}

} // namespace olab::analysis
