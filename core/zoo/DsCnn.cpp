// The keyword spotter of MLPerf Tiny (Hello Edge's DS-CNN): its modules have the names of ExecuTorch's example.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

namespace pt2e::zoo {

namespace {

constexpr std::int64_t kChannels = 64;
constexpr std::int64_t kClasses = 12;
constexpr int kBlocks = 4;
constexpr const char* kRelu = "torch.nn.modules.activation.ReLU";
constexpr const char* kDropout = "torch.nn.modules.dropout.Dropout";

std::string feature(int index) { return "feature_extractor." + std::to_string(index); }

void declareBlock(ModuleBuilder& m, const std::string& path)
{
    m.module(path, "zoo.DepthwiseSeparable");
    m.conv2d(path + ".depthwise", {.in = kChannels,
                                   .out = kChannels,
                                   .kernel = 3,
                                   .padding = 1,
                                   .groups = kChannels,
                                   .hasBias = false});
    m.batchNorm2d(path + ".depthwise_bn", kChannels);
    m.conv2d(path + ".pointwise", {.in = kChannels, .out = kChannels, .hasBias = false});
    m.batchNorm2d(path + ".pointwise_bn", kChannels);
    m.module(path + ".relu", kRelu);
}

Traced callBlock(ModuleBuilder& m, const std::string& path, Traced x)
{
    for (const char* step : {".depthwise", ".pointwise"}) {
        const std::string conv = path + step;
        x = m.callRelu(path + ".relu", m.callBatchNorm(conv + "_bn", m.callConv2d(conv, x)));
    }
    return x;
}

} // namespace

Result<ZooModel> dsCnn(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "zoo.DsCnn");
    m.module("feature_extractor", "torch.nn.modules.container.Sequential");
    m.conv2d(feature(0), {.in = 1,
                          .out = kChannels,
                          .kernel = {10, 4},
                          .stride = 2,
                          .padding = {5, 1},
                          .hasBias = false});
    m.batchNorm2d(feature(1), kChannels);
    m.module(feature(2), kRelu);
    m.module(feature(3), kDropout);
    for (int i = 0; i < kBlocks; ++i)
        declareBlock(m, feature(4 + i));
    m.module(feature(4 + kBlocks), kDropout);
    m.module("pool", "torch.nn.modules.pooling.AvgPool2d");
    m.linear("classifier", kChannels, kClasses);

    Traced x = m.callConv2d(feature(0), m.input("x", {1, 1, 49, 10}));
    x = m.callDropout(feature(3), m.callRelu(feature(2), m.callBatchNorm(feature(1), x)), 0.2);
    for (int i = 0; i < kBlocks; ++i)
        x = callBlock(m, feature(4 + i), x);
    x = m.callAvgPool2d("pool", m.callDropout(feature(4 + kBlocks), x, 0.4), {24, 5});
    x = m.call("", "aten.flatten.using_ints", {x.node, 1}, "builtin_function_or_method");
    return m.finish(m.callLinear("classifier", x));
}

} // namespace pt2e::zoo
