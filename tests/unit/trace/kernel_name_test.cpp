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
    EXPECT_EQ(kernelName(""), "");
    EXPECT_EQ(kernelName("<"), "<");
    EXPECT_EQ(kernelName("("), "(");
}

TEST(KernelName, TemplateArgumentsCanBeLeftOut) {
    EXPECT_EQ(withoutTemplateArguments("Kernel2<cutlass_80>"), "Kernel2");
    EXPECT_EQ(withoutTemplateArguments("fma"), "fma");
    EXPECT_EQ(withoutTemplateArguments("<odd"), "<odd");
}
