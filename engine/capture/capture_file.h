// The file of a capture. If only the latest data is kept, the file is rewritten from time to time without
// older data; either the old or the new file exists at any moment. Private to capture.
#pragma once

#include <olab/trace/container.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace olab::capture {

class CaptureFile final : public RecordSink {
public:
    /// `last`: how long to keep data; 0: all. @throws Error
    /// `failed` is called when something cannot be written, by the thread that wanted to.
    CaptureFile(std::filesystem::path path, std::chrono::milliseconds last,
                std::function<void(const std::string& why)> failed);
    ~CaptureFile() override;
    CaptureFile(const CaptureFile&) = delete;
    CaptureFile& operator=(const CaptureFile&) = delete;
    TextId intern(std::string_view text) override;
    void add(const ProcessRecord& r) override { addFact(r); }
    void add(const ClockRecord& r) override { addFact(r); }
    void add(const RankRecord& r) override { addFact(r); }
    void add(const DeviceRecord& r) override { addFact(r); }
    void add(const ContextRecord& r) override { addFact(r); }
    void add(const StreamRecord& r) override { addFact(r); }
    void add(const EnvironmentRecord& r) override {
        std::erase_if(m_facts, [&r](const Fact& fact) { // a key has one value, the last
            const auto* known = std::get_if<EnvironmentRecord>(&fact);
            return known && known->key == r.key;
        });
        addFact(r);
    }
    void add(const ProvenanceRecord& r) override { addFact(r); }
    void add(const RefusedRecord& r) override { addFact(r); } // losses stay recorded
    void add(const ActivityRecord& r) override {
        write([&] {
            if (++m_added % kLookEvery == 0)
                expectOurs();
            m_part->records.add(r);
        });
    }
    void add(const CorrelationRecord& r) override {
        write([&] { m_part->records.add(r); });
    }
    void add(const StreamCallRecord& r) override {
        write([&] { m_part->records.add(r); });
    }
    void add(const SoloRecord& r) override {
        write([&] { m_part->records.add(r); });
    }
    void add(const WindowRecord& r) override {
        write([&] { m_part->records.add(r); });
    }

    /// Makes added data readable from the file, and removes data that is too old. @throws Error
    void flush();
    void finish();
    /// -1: the program has closed it.
    int descriptor() const { return m_isOurs ? m_part->file.descriptor() : -1; }
    std::uint64_t bytes() const; ///< written so far

private:
    using Clock = std::chrono::steady_clock;
    using Fact = std::variant<ProcessRecord, ClockRecord, RankRecord, DeviceRecord, ContextRecord,
                              StreamRecord, EnvironmentRecord, ProvenanceRecord, RefusedRecord>;
    struct Part {
        Part(const std::filesystem::path& path, const Part* before)
            : file(path, OutputFile::Kind::Growing, before ? &before->file : nullptr)
            , container(file)
            , records(container) {}
        OutputFile file;
        ContainerWriter container;
        RecordWriter records;
    };
    struct Mark {
        Clock::time_point at;
        std::uint64_t bytes = 0; ///< in the file at that time
    };
    template <typename Record>
    void addFact(const Record& r) {
        if (m_last.count() > 0)
            m_facts.emplace_back(r);
        write([&] { m_part->records.add(r); });
    }
    template <typename Work>
    void write(Work work) {
        try {
            work();
        } catch (const std::exception& error) {
            m_failed(error.what());
            throw;
        }
    }
    void noteFile();
    void expectOurs();
    void dropOld(Clock::time_point now);
    static constexpr std::uint64_t kLookEvery = 1024; ///< fewer records than one write contains

    const std::filesystem::path m_path;
    const std::chrono::milliseconds m_last;
    const std::function<void(const std::string&)> m_failed;
    std::unique_ptr<Part> m_part;
    std::vector<std::string> m_texts{""}; ///< by id, if the file is rewritten
    std::vector<Fact> m_facts;            ///< the same
    std::vector<Mark> m_marks;
    // A program may close unknown descriptors and open its own files under their numbers.
    dev_t m_device = 0;
    ino_t m_inode = 0;
    bool m_isOurs = true;
    std::uint64_t m_added = 0;
};

} // namespace olab::capture
