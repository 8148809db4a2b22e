// The file of a capture. Where only the last while is kept, it is written anew from time to time, without
// what is older; at each moment either the old or the new file is there. Private to capture.
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
    /// `last`: how long to keep; 0: all. @throws Error
    /// `failed` is called when something cannot be written, by whoever wanted to.
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
    void add(const RefusedRecord& r) override { addFact(r); } // what was lost stays lost
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

    /// What was added can be read from the file now; and what is too old leaves it. @throws Error
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
        std::uint64_t bytes = 0; ///< in the file by then
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
    static constexpr std::uint64_t kLookEvery = 1024; ///< fewer records than are written at once

    const std::filesystem::path m_path;
    const std::chrono::milliseconds m_last;
    const std::function<void(const std::string&)> m_failed;
    std::unique_ptr<Part> m_part;
    std::vector<std::string> m_texts{""}; ///< by their ids, where the file is written anew
    std::vector<Fact> m_facts;            ///< the same
    std::vector<Mark> m_marks;
    // A program may close all descriptors that it does not know, and open files of its own by their numbers.
    dev_t m_device = 0;
    ino_t m_inode = 0;
    bool m_isOurs = true;
    std::uint64_t m_added = 0;
};

} // namespace olab::capture
