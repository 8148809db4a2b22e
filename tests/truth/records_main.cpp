// Records of a recording as JSON, in which retell.py changes what it tells in another way, and back:
//   olab_records IN OUT.json
//   olab_records IN CHANGED.json OUT.olab    IN in the words, numbers, times and order of CHANGED
// An activity is {"record": N, "ph": "X", "cat", "name", "pid", "tid", "ts", "dur", "args"} as in a Chrome
// trace, but in ns. What else has a time or a stream is there too: "S" streams and calls, "W" the measured
// window, "Z" solo durations. Activities that CHANGED does not have are left out.
#include <olab/io/formats.h>
#include <olab/trace/error.h>
#include <olab/trace/trace_builder.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <map>

namespace {

using namespace olab;
using Json = nlohmann::json;

std::string categoryOf(ActivityClass cls) {
    if (cls == ActivityClass::Kernel)
        return "kernel";
    if (cls == ActivityClass::Api)
        return "cuda_runtime";
    if (cls == ActivityClass::Memset)
        return "gpu_memset";
    return isCopyClass(cls) ? "gpu_memcpy" : std::string(className(cls));
}

/// Shows what can be told in another way, and takes what came of it.
class Retold : public ForwardingSink {
public:
    using ForwardingSink::add;
    using ForwardingSink::ForwardingSink;
    TextId intern(std::string_view text) override {
        const TextId id = target().intern(text);
        m_texts[id.value] = text;
        return id;
    }
    void add(const StreamRecord& r) override { addWithStream(r); }
    void add(const StreamCallRecord& r) override { addWithStream(r); }
    void add(const WindowRecord& r) override {
        WindowRecord changed = r;
        retell("W", changed.begin, changed.end);
        target().add(changed);
    }
    void add(const SoloRecord& r) override {
        SoloRecord changed = r;
        Ns begin = 0;
        retell("Z", begin, changed.duration);
        changed.duration -= begin;
        target().add(changed);
    }
    void add(const ActivityRecord& r) override {
        Json told = jsonOf(r);
        tell(told);
        if (!told.is_null())
            addActivity(changedBy(told, r), told);
    }

protected:
    virtual void tell(Json& record) = 0; ///< null: it is left out
    virtual void addActivity(const ActivityRecord& record, const Json& told) = 0;
    std::size_t next() { return m_next++; }

private:
    Json jsonOf(const ActivityRecord& r) const {
        const bool isWork = isDeviceClass(r.cls);
        Json args = Json::object();
        if (r.correlation != 0)
            args["correlation"] = r.correlation;
        if (isWork && r.stream != kNoNumber)
            args["stream"] = r.stream;
        if (r.geometry)
            args["grid"] = r.geometry->grid;
        return {{"ph", "X"},
                {"cat", categoryOf(r.cls)},
                {"name", m_texts.at(r.name.value)},
                {"pid", isWork ? Json("device " + std::to_string(r.device)) : Json(r.process)},
                {"tid", r.thread == kNoNumber && !isWork ? Json() : Json(isWork ? r.stream : r.thread)},
                {"ts", r.begin},
                {"dur", r.end - r.begin},
                {"args", args}};
    }
    ActivityRecord changedBy(const Json& told, ActivityRecord r) {
        r.begin = told["ts"], r.end = r.begin + told["dur"].get<Ns>();
        if (told["name"] != m_texts.at(r.name.value))
            r.name = target().intern(told["name"].get<std::string>());
        if (isDeviceClass(r.cls))
            r.stream = told["args"].value("stream", r.stream);
        else if (!told["tid"].is_null())
            r.thread = told["tid"];
        if (r.geometry)
            r.geometry->grid = told["args"]["grid"];
        return r;
    }
    template <class Record>
    void addWithStream(Record record) {
        Json told = {{"ph", "S"}, {"args", Json::object()}};
        if (record.stream != kNoNumber)
            told["args"]["stream"] = record.stream;
        tell(told);
        record.stream = told["args"].value("stream", record.stream);
        target().add(record);
    }
    void retell(const char* phase, Ns& begin, Ns& end) {
        Json told = {{"ph", phase}, {"ts", begin}, {"dur", end - begin}};
        tell(told);
        begin = told["ts"], end = begin + told["dur"].get<Ns>();
    }

    std::map<std::uint32_t, std::string> m_texts;
    std::size_t m_next = 0;
};

class Writing final : public Retold {
public:
    using Retold::Retold;
    Json records = Json::array();

private:
    void tell(Json& record) override {
        record["record"] = next();
        records.push_back(record);
    }
    void addActivity(const ActivityRecord&, const Json&) override {}
};

class Reading final : public Retold {
public:
    Reading(RecordSink& target, const Json& records)
        : Retold(target) {
        for (const Json& record : records) {
            const std::size_t at = m_places.size();
            m_places[record["record"]] = {at, &record};
        }
    }
    /// In the order of the changed records.
    void finish() {
        for (const auto& [place, record] : m_activities)
            target().add(record);
    }

private:
    void tell(Json& record) override {
        const auto found = m_places.find(next());
        record = found == m_places.end() ? Json() : *found->second.second;
        m_place = found == m_places.end() ? 0 : found->second.first;
    }
    void addActivity(const ActivityRecord& record, const Json&) override { m_activities[m_place] = record; }

    std::map<std::size_t, std::pair<std::size_t, const Json*>> m_places;
    std::map<std::size_t, ActivityRecord> m_activities;
    std::size_t m_place = 0;
};

void writeJson(const Trace& trace, const char* file) {
    TraceBuilder unused;
    Writing sink(unused);
    trace.replay(sink);
    std::ofstream(file) << Json{{"traceEvents", std::move(sink.records)}};
}

void writeChanged(io::RecordingData data, const char* changed, const char* file) {
    std::ifstream in(changed);
    const Json document = Json::parse(in);
    TraceBuilder builder;
    Reading sink(builder, document["traceEvents"]);
    data.trace.replay(sink);
    sink.finish();
    data.trace = builder.finish();
    for (const io::Exporter& exporter : io::exporters())
        if (exporter.id == "olab")
            exporter.write(file, data, {});
}

} // namespace

int main(int count, char** words) try {
    if (count != 3 && count != 4)
        return std::fputs("usage: olab_records IN OUT.json | IN CHANGED.json OUT.olab\n", stderr), 2;
    io::RecordingData data = io::readRecording(words[1]);
    if (count == 3)
        writeJson(data.trace, words[2]);
    else
        writeChanged(std::move(data), words[2], words[3]);
    return 0;
} catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
}
