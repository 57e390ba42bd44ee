// torchvision.models.resnet18 and resnet50.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

#include <array>

namespace pt2e::zoo {

namespace {

constexpr const char* kSequential = "torch.nn.modules.container.Sequential";
constexpr const char* kReluClass = "torch.nn.modules.activation.ReLU";
constexpr std::int64_t kStem = 64;
constexpr std::int64_t kClasses = 1000;

struct Shape
{
    bool isBottleneck;
    std::array<int, 4> blocks; ///< of layer1 to layer4
    std::int64_t expansion() const { return isBottleneck ? 4 : 1; }
};

struct Block
{
    std::string path;
    std::int64_t in;
    std::int64_t planes;
    std::int64_t stride;
    bool hasDownsample;
};

std::vector<Block> blocksOf(const Shape& shape)
{
    std::vector<Block> all;
    std::int64_t in = kStem;
    for (std::size_t layer = 0; layer < shape.blocks.size(); ++layer) {
        const std::int64_t planes = kStem << layer;
        for (int i = 0; i < shape.blocks[layer]; ++i) {
            const std::int64_t stride = layer > 0 && i == 0 ? 2 : 1;
            const std::int64_t out = planes * shape.expansion();
            all.push_back({"layer" + std::to_string(layer + 1) + "." + std::to_string(i), in,
                           planes, stride, stride != 1 || in != out});
            in = out;
        }
    }
    return all;
}

/// The convolutions of a block's main path.
std::vector<Conv2d> convolutions(const Shape& shape, const Block& block)
{
    const auto one = [](std::int64_t in, std::int64_t out) {
        return Conv2d{.in = in, .out = out, .hasBias = false};
    };
    const auto three = [&](std::int64_t in, std::int64_t stride) {
        return Conv2d{.in = in,
                      .out = block.planes,
                      .kernel = 3,
                      .stride = stride,
                      .padding = 1,
                      .hasBias = false};
    };
    if (!shape.isBottleneck)
        return {three(block.in, block.stride), three(block.planes, 1)};
    return {one(block.in, block.planes), three(block.planes, block.stride),
            one(block.planes, block.planes * shape.expansion())};
}

std::string numbered(const std::string& path, const char* name, std::size_t i)
{
    return path + "." + name + std::to_string(i + 1);
}

void declareBlock(ModuleBuilder& m, const Shape& shape, const Block& block)
{
    const std::string down = block.path + ".downsample";
    const std::int64_t out = block.planes * shape.expansion();
    m.module(block.path.substr(0, block.path.find('.')), kSequential);
    m.module(block.path, shape.isBottleneck ? "torchvision.models.resnet.Bottleneck"
                                            : "torchvision.models.resnet.BasicBlock");
    // Made before the block, assigned after the block's own layers.
    if (block.hasDownsample) {
        m.module(down, kSequential);
        m.conv2d(down + ".0",
                 {.in = block.in, .out = out, .stride = block.stride, .hasBias = false});
        m.batchNorm2d(down + ".1", out);
    }
    const std::vector<Conv2d> convs = convolutions(shape, block);
    for (std::size_t i = 0; i < convs.size(); ++i) {
        m.conv2d(numbered(block.path, "conv", i), convs[i]);
        m.batchNorm2d(numbered(block.path, "bn", i), convs[i].out);
    }
    m.module(block.path + ".relu", kReluClass);
    m.registerLast(down);
}

Traced callBlock(ModuleBuilder& m, const Shape& shape, const Block& block, Traced x)
{
    const std::size_t count = shape.isBottleneck ? 3 : 2;
    Traced y = x;
    for (std::size_t i = 0; i < count; ++i) {
        y = m.callBatchNorm(numbered(block.path, "bn", i),
                            m.callConv2d(numbered(block.path, "conv", i), y));
        if (i + 1 < count)
            y = m.callRelu(block.path + ".relu", y);
    }
    Traced identity = x;
    if (block.hasDownsample)
        identity = m.callBatchNorm(block.path + ".downsample.1",
                                   m.callConv2d(block.path + ".downsample.0", x));
    y = m.call(block.path, "aten.add_.Tensor", {y.node, identity.node}, "method_descriptor");
    return m.callRelu(block.path + ".relu", y);
}

void declare(ModuleBuilder& m, const Shape& shape, const std::vector<Block>& blocks)
{
    m.conv2d("conv1",
             {.in = 3, .out = kStem, .kernel = 7, .stride = 2, .padding = 3, .hasBias = false});
    m.batchNorm2d("bn1", kStem);
    m.module("relu", kReluClass);
    m.module("maxpool", "torch.nn.modules.pooling.MaxPool2d");
    for (const Block& block : blocks)
        declareBlock(m, shape, block);
    m.module("avgpool", "torch.nn.modules.pooling.AdaptiveAvgPool2d");
    m.linear("fc", blocks.back().planes * shape.expansion(), kClasses);
    for (const std::string& path : m.modulesOf(kConv2dClass))
        m.kaimingNormal(path + ".weight", Fan::Out);
}

Result<ZooModel> resNet(const Kernels& torch, const ZooOptions& options, const Shape& shape)
{
    ModuleBuilder m(torch, options.seed, "torchvision.models.resnet.ResNet");
    const std::vector<Block> blocks = blocksOf(shape);
    declare(m, shape, blocks);

    Traced x = m.callConv2d("conv1", m.input("x", {1, 3, 224, 224}));
    x = m.callRelu("relu", m.callBatchNorm("bn1", x));
    x = m.callMaxPool2d("maxpool", x, {.kernel = 3, .stride = 2, .padding = 1});
    for (const Block& block : blocks)
        x = callBlock(m, shape, block, x);
    x = m.callAdaptiveAvgPool2d("avgpool", x);
    x = m.call("", "aten.flatten.using_ints", {x.node, 1}, "builtin_function_or_method");
    return m.finish(m.callLinear("fc", x));
}

} // namespace

Result<ZooModel> resNet18(const Kernels& torch, const ZooOptions& options)
{
    return resNet(torch, options, {false, {2, 2, 2, 2}});
}

Result<ZooModel> resNet50(const Kernels& torch, const ZooOptions& options)
{
    return resNet(torch, options, {true, {3, 4, 6, 3}});
}

} // namespace pt2e::zoo
