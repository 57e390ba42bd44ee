// The three models of the published notebook.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

namespace pt2e::zoo {

namespace {

constexpr const char* kFunction = "builtin_function_or_method";
constexpr const char* kMethod = "method_descriptor";

Traced relu(ModuleBuilder& builder, Traced x)
{
    return builder.call("", "aten.relu.default", {x.node}, kFunction);
}

Traced add(ModuleBuilder& builder, Traced a, Traced b)
{
    return builder.call("", "aten.add.Tensor", {a.node, b.node}, kMethod);
}

} // namespace

Result<ZooModel> residual(const Kernels& torch, const ZooOptions& options)
{
    const std::int64_t channels = options.channels;
    ModuleBuilder m(torch, options.seed, "zoo.Residual");
    m.conv2d("conv1",
             {.in = channels, .out = channels, .kernel = 3, .padding = 1, .hasBias = false});
    m.batchNorm2d("bn1", channels);
    m.conv2d("conv2",
             {.in = channels, .out = channels, .kernel = 3, .padding = 1, .hasBias = false});
    m.batchNorm2d("bn2", channels);

    const Traced x = m.input("x", {4, channels, 16, 16});
    const Traced y = relu(m, m.callBatchNorm("bn1", m.callConv2d("conv1", x)));
    const Traced z = m.callBatchNorm("bn2", m.callConv2d("conv2", y));
    return m.finish(relu(m, add(m, z, x)));
}

Result<ZooModel> catPool(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "zoo.CatPool");
    m.conv2d("a", {.in = 3, .out = 8, .kernel = 3, .padding = 1, .hasBias = true});
    m.conv2d("b", {.in = 3, .out = 8, .kernel = 3, .padding = 1, .hasBias = true});
    m.conv2d("out", {.in = 16, .out = 16, .kernel = 3, .padding = 1, .hasBias = true});

    const Traced x = m.input("x", {4, 3, 16, 16});
    const Traced a = relu(m, m.callConv2d("a", x));
    const Traced b = relu(m, m.callConv2d("b", x));
    const Traced both =
        m.call("", "aten.cat.default", {Argument::list({a.node, b.node}), 1}, kFunction);
    const Traced pooled =
        m.call("", "aten.max_pool2d.default", {both.node, Argument::ints({2, 2})}, "function");
    const Traced y = m.callConv2d("out", pooled);
    const Traced mean =
        m.call("", "aten.mean.dim", {y.node, Argument::ints({2, 3}), true}, kMethod);
    return m.finish(add(m, y, mean));
}

Result<ZooModel> stem(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "zoo.Stem");
    m.conv2d("conv",
             {.in = 3, .out = options.channels, .kernel = 3, .padding = 1, .hasBias = false});
    m.batchNorm2d("bn", options.channels);

    const Traced x = m.input("x", {4, 3, 16, 16});
    return m.finish(relu(m, m.callBatchNorm("bn", m.callConv2d("conv", x))));
}

} // namespace pt2e::zoo
