#include <olab/trace/kernel_name.h>

#include <gtest/gtest.h>

using namespace olab;

TEST(KernelName, IsWhatAPersonCallsIt) {
    EXPECT_EQ(kernelName("_Z3fmaPf"), "fma");
    EXPECT_EQ(kernelName("_ZN2ns1kIfEEvi"), "k<float>");
    EXPECT_EQ(kernelName("void ns::k<float>(int)"), "k<float>");
    EXPECT_EQ(kernelName("olab_fma_kernel"), "olab_fma_kernel");
    EXPECT_EQ(kernelName("void (anonymous namespace)::spin<int>(long)"), "spin<int>");
    EXPECT_EQ(kernelName("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                         "std::array<char*, 1ul>>(int, at::native::FillFunctor<float>)"),
              "vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul>>");
}

TEST(KernelName, WhatIsNoMangledNameStays) {
    EXPECT_EQ(demangled("_ZN2ns1kIfEEvi"), "void ns::k<float>(int)");
    EXPECT_EQ(demangled("f"), "f");
    EXPECT_EQ(demangled("_Znonsense("), "_Znonsense(");
    EXPECT_EQ(kernelName("_Z"), "_Z");
    EXPECT_EQ(kernelName("_Z99x"), "_Z99x");
    EXPECT_EQ(kernelName(""), "");
    EXPECT_EQ(kernelName("<"), "<");
    EXPECT_EQ(kernelName("("), "(");
}

TEST(KernelName, AShortNameThatWouldFillTheMemoryIsNotWrittenOut) {
    std::string name = "_ZN2ns4gemmI1a"; // a<a, a>, and so on: each level doubles the length
    for (int level = 0; level < 40; ++level)
        name += "1aIS_S" + std::string(1, static_cast<char>('0' + level % 10)) + "_E";
    name += "EEvv";
    EXPECT_EQ(demangled(name), name);
    EXPECT_EQ(kernelName(name), "gemm");
}

TEST(KernelName, TemplateArgumentsCanBeLeftOut) {
    EXPECT_EQ(withoutTemplateArguments("Kernel2<cutlass_80>"), "Kernel2");
    EXPECT_EQ(withoutTemplateArguments("fma"), "fma");
    EXPECT_EQ(withoutTemplateArguments("<odd"), "<odd");
}

TEST(KernelName, OfRealLibrariesIsReadable) {
    EXPECT_EQ(
        kernelName("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEE"
                   "viT0_T1_"),
        "vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >");
    EXPECT_TRUE(
        kernelName("_ZN2at6native18elementwise_kernelILi128ELi2EZNS0_22gpu_kernel_impl_nocastIZZZNS0_"
                   "23direct_copy_kernel_cudaERNS_18TensorIteratorBaseEENKUlvE1_clEvENKUlvE5_clEvEUlfE_"
                   "EEvS4_RKT_EUliE_EEviT1_")
            .starts_with("elementwise_kernel<128, 2, "));
}
