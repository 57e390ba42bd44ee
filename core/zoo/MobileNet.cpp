// torchvision.models.mobilenet_v2: inverted residuals, ReLU6 in place.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

namespace pt2e::zoo {

namespace {

constexpr const char* kSequential = "torch.nn.modules.container.Sequential";
constexpr const char* kConvNormRelu = "torchvision.ops.misc.Conv2dNormActivation";
constexpr const char* kBlock = "torchvision.models.mobilenetv2.InvertedResidual";
constexpr std::int64_t kStem = 32;
constexpr std::int64_t kLast = 1280;
constexpr std::int64_t kClasses = 1000;

struct Stage
{
    std::int64_t expansion;
    std::int64_t channels;
    int blocks;
    std::int64_t stride; ///< of its first block
};

constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

struct Block
{
    std::string path;
    std::int64_t in;
    std::int64_t out;
    std::int64_t stride;
    std::int64_t expansion;
};

std::string feature(int index) { return "features." + std::to_string(index); }

std::vector<Block> blocks()
{
    std::vector<Block> all;
    std::int64_t in = kStem;
    for (const Stage& stage : kStages) {
        for (int i = 0; i < stage.blocks; ++i) {
            const std::string path = feature(static_cast<int>(all.size()) + 1);
            all.push_back({path, in, stage.channels, i == 0 ? stage.stride : 1, stage.expansion});
            in = stage.channels;
        }
    }
    return all;
}

void declareConvNorm(ModuleBuilder& m, const std::string& path, Conv2d conv)
{
    m.module(path, kConvNormRelu);
    conv.padding = (conv.kernel.height - 1) / 2;
    conv.hasBias = false;
    m.conv2d(path + ".0", conv);
    m.batchNorm2d(path + ".1", conv.out);
    m.module(path + ".2", "torch.nn.modules.activation.ReLU6");
}

Traced callConvNorm(ModuleBuilder& m, const std::string& path, Traced x)
{
    return m.callRelu6(path + ".2", m.callBatchNorm(path + ".1", m.callConv2d(path + ".0", x)));
}

/// The layers of the block's Sequential: expanding (not in the first block), depthwise, projecting, batch norm.
void declareBlock(ModuleBuilder& m, const Block& block)
{
    const std::int64_t hidden = block.in * block.expansion;
    const std::string conv = block.path + ".conv";
    int at = 0;
    const auto next = [&] { return conv + "." + std::to_string(at++); };
    m.module(block.path, kBlock);
    m.module(conv, kSequential);
    if (block.expansion != 1)
        declareConvNorm(m, next(), {.in = block.in, .out = hidden});
    declareConvNorm(
        m, next(),
        {.in = hidden, .out = hidden, .kernel = 3, .stride = block.stride, .groups = hidden});
    m.conv2d(next(), {.in = hidden, .out = block.out, .hasBias = false});
    m.batchNorm2d(next(), block.out);
}

Traced callBlock(ModuleBuilder& m, const Block& block, Traced x)
{
    int at = 0;
    const auto next = [&] { return block.path + ".conv." + std::to_string(at++); };
    Traced y = x;
    if (block.expansion != 1)
        y = callConvNorm(m, next(), y);
    y = callConvNorm(m, next(), y);
    y = m.callConv2d(next(), y);
    y = m.callBatchNorm(next(), y);
    if (block.stride != 1 || block.in != block.out)
        return y;
    return m.call(block.path, "aten.add.Tensor", {x.node, y.node}, "method_descriptor");
}

void initialise(ModuleBuilder& m)
{
    for (const std::string& path : m.modulesOf(kConv2dClass))
        m.kaimingNormal(path + ".weight", Fan::Out);
    m.normal("classifier.1.weight", 0, 0.01);
    m.constant("classifier.1.bias", 0);
}

} // namespace

Result<ZooModel> mobileNetV2(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "torchvision.models.mobilenetv2.MobileNetV2");
    const std::vector<Block> middle = blocks();
    const std::string last = feature(static_cast<int>(middle.size()) + 1);
    m.module("features", kSequential);
    declareConvNorm(m, feature(0), {.in = 3, .out = kStem, .kernel = 3, .stride = 2});
    for (const Block& block : middle)
        declareBlock(m, block);
    declareConvNorm(m, last, {.in = middle.back().out, .out = kLast});
    m.module("classifier", kSequential);
    m.module("classifier.0", "torch.nn.modules.dropout.Dropout");
    m.linear("classifier.1", kLast, kClasses);
    initialise(m);

    Traced x = callConvNorm(m, feature(0), m.input("x", {1, 3, 224, 224}));
    for (const Block& block : middle)
        x = callBlock(m, block, x);
    x = callConvNorm(m, last, x);
    x = m.call("", "aten.adaptive_avg_pool2d.default", {x.node, Argument::ints({1, 1})},
               "function");
    x = m.call("", "aten.flatten.using_ints", {x.node, 1}, "builtin_function_or_method");
    return m.finish(m.callLinear("classifier.1", m.callDropout("classifier.0", x, 0.2)));
}

} // namespace pt2e::zoo
