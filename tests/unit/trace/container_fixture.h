// A file of three chunks to write, damage and read.
#pragma once

#include <olab/trace/container.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace olab::made {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

inline Bytes bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

class ContainerFixture : public testing::Test {
protected:
    void SetUp() override {
        m_path = fs::temp_directory_path() / ("olab_container_" + std::to_string(getpid()) + ".olab");
    }
    void TearDown() override { fs::remove(m_path); }

    void writeThree() {
        ContainerWriter file(m_path);
        file.append(ChunkType::Environment, "{\"driver\":1}");
        file.append(ChunkType::Records, Bytes{});
        file.append(ChunkType::Experiment, "three streams");
    }
    std::string slurp() const {
        std::ifstream in(m_path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(std::string_view content) const {
        std::ofstream out(m_path, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
    }
    std::vector<Chunk> read() {
        m_defects.clear();
        std::vector<Chunk> chunks;
        readContainer(
            m_path, [&chunks](Chunk&& c) { chunks.push_back(std::move(c)); }, m_defects);
        return chunks;
    }
    std::string errorCode() {
        try {
            read();
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), ErrorKind::Usage);
            EXPECT_FALSE(e.hint().empty());
            return e.code();
        }
        return "";
    }
    bool has(DefectCode code) const {
        return std::ranges::any_of(m_defects,
                                   [code](const auto& d) { return d.code == code && !d.countsAsRead; });
    }

    fs::path m_path;
    std::vector<RefusedRecord> m_defects;
};

} // namespace olab::made
