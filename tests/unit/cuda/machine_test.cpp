// Why there is no device: what is made of a status and of what the machine shows.
#include "machine.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace olab::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Nodes = MachineFacts::Nodes;

Error errorFor(cudaError_t status, const MachineFacts& facts) {
    return noDeviceError(status, "CUDA said so.", facts);
}

void expectTold(const Error& error, const char* code, const char* message, const char* hint) {
    EXPECT_EQ(error.kind(), ErrorKind::NoDevice);
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_THAT(error.hint(), HasSubstr(hint));
}

TEST(NoDevice, TellsNoDriverFromAnOldOne) {
    expectTold(errorFor(cudaErrorInsufficientDriver, {0, 13000}), "no-driver", "No NVIDIA driver is loaded",
               "580");
    expectTold(errorFor(cudaErrorInsufficientDriver, {0, 13000, "580.82"}), "no-driver",
               "module 580.82 is loaded, but libcuda.so.1 is not found", "--gpus all");
    expectTold(errorFor(cudaErrorInsufficientDriver, {12040, 13000, "550.54"}), "driver-too-old",
               "driver 550.54 supports CUDA 12.4; this program needs 13.0", "Install driver 580");
}

TEST(NoDevice, SaysWhichFileTheUserMayNotOpen) {
    expectTold(errorFor(cudaErrorNoDevice, {13000, 13000, "580.82", Nodes::Forbidden, "/dev/nvidia0"}),
               "no-permission", "may not open /dev/nvidia0", "group");
}

TEST(NoDevice, SaysThatAContainerWasNotGivenTheDevice) {
    expectTold(errorFor(cudaErrorNoDevice, {13000, 13000, "580.82", Nodes::Absent}), "no-device",
               "device files", "--gpus all");
}

TEST(NoDevice, SaysThatTheEnvironmentHidesIt) {
    expectTold(errorFor(cudaErrorNoDevice, {13000, 13000, "580.82", Nodes::Usable, "", "7"}), "no-device",
               "CUDA_VISIBLE_DEVICES is '7'", "Unset it");
}

TEST(NoDevice, OtherReasonsHaveTheirOwnCodes) {
    const MachineFacts facts{13000, 13000, "580.82", Nodes::Usable};
    expectTold(errorFor(cudaErrorSystemDriverMismatch, facts), "driver-mismatch", "different versions",
               "Restart");
    expectTold(errorFor(cudaErrorDevicesUnavailable, facts), "device-busy", "exclusively", "nvidia-smi -c 0");
    expectTold(errorFor(cudaErrorSystemNotReady, facts), "not-ready", "CUDA said so", "nvidia-fabricmanager");
    expectTold(errorFor(cudaErrorStubLibrary, facts), "no-driver", "stub", "library path");
    expectTold(errorFor(cudaErrorNoDevice, facts), "no-device", "CUDA said so", "nvidia-smi");
    for (const cudaError_t status : {cudaErrorIllegalAddress, cudaErrorMemoryAllocation, cudaErrorUnknown})
        EXPECT_FALSE(meansNoDevice(status)) << "a device may work and a run fail";
}

/// A root folder with what a test puts there.
class Root : public testing::Test {
protected:
    Root() {
        std::string name = (fs::temp_directory_path() / "olab-root-XXXXXX").string();
        m_root = ::mkdtemp(name.data());
        fs::create_directories(m_root / "dev");
    }
    ~Root() override {
        [[maybe_unused]] const int back = ::seteuid(m_user);
        fs::remove_all(m_root);
    }
    void addNodes(std::initializer_list<const char*> names) const {
        for (const char* name : names)
            std::ofstream(m_root / "dev" / name) << "node";
    }
    fs::path m_root;
    uid_t m_user = ::geteuid();
};

TEST_F(Root, TheModulesVersionIsRead) {
    EXPECT_EQ(moduleVersion(m_root), "");
    fs::create_directories(m_root / "proc/driver/nvidia");
    std::ofstream(m_root / "proc/driver/nvidia/version")
        << "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\nGCC 12.2.0\n";
    EXPECT_EQ(moduleVersion(m_root), "580.159.04");
}

TEST_F(Root, AllDeviceFilesAreNeeded) {
    EXPECT_EQ(machineFacts(m_root).nodes, Nodes::Absent);
    addNodes({"nvidiactl", "nvidia-uvm", "nvidia-modeset", "nvidia-caps"});
    EXPECT_EQ(machineFacts(m_root).nodes, Nodes::Absent) << "no device among them";
    addNodes({"nvidia3"});
    EXPECT_EQ(machineFacts(m_root).nodes, Nodes::Usable);
    fs::remove(m_root / "dev/nvidia-uvm");
    EXPECT_EQ(machineFacts(m_root).nodes, Nodes::Absent);
}

TEST_F(Root, AFileThatMayNotBeOpenedIsNamed) {
    addNodes({"nvidiactl", "nvidia-uvm", "nvidia0"});
    fs::permissions(m_root, fs::perms::all);
    fs::permissions(m_root / "dev", fs::perms::all);
    for (const char* open : {"nvidiactl", "nvidia-uvm"})
        fs::permissions(m_root / "dev" / open, fs::perms::all);
    fs::permissions(m_root / "dev/nvidia0", fs::perms::owner_read);
    if (m_user == 0) { // who may open everything
        ASSERT_EQ(::seteuid(65534), 0);
    }
    const MachineFacts facts = machineFacts(m_root);
    EXPECT_EQ(facts.nodes, Nodes::Forbidden);
    EXPECT_EQ(facts.closedNode, "/dev/nvidia0");
}

} // namespace
} // namespace olab::cuda
