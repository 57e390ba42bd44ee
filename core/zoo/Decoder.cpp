// A transformer decoder, made for size: 13 + 41 · layers nodes, so 244 layers are about 10,000.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

#include <array>

namespace pt2e::zoo {

namespace {

constexpr const char* kFunction = "builtin_function_or_method";
constexpr const char* kMethod = "method_descriptor";
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kLength = 16;
constexpr std::int64_t kClasses = 32;

Tensor steps()
{
    std::array<std::int64_t, kLength> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int64_t>(i);
    return Tensor::fromValues<std::int64_t>(DType::Int64, {kLength}, values);
}

/// True where a step would look ahead.
Tensor mask()
{
    std::array<std::uint8_t, kLength * kLength> values{};
    for (std::size_t row = 0; row < kLength; ++row) {
        for (std::size_t column = row + 1; column < kLength; ++column)
            values[row * kLength + column] = 1;
    }
    return Tensor::fromValues<std::uint8_t>(DType::Bool, {kLength, kLength}, values);
}

void declareLayer(ModuleBuilder& m, const std::string& path)
{
    m.module(path, "zoo.DecoderLayer");
    m.layerNorm(path + ".norm1", kWidth);
    for (const char* name : {".query", ".key", ".value", ".proj"})
        m.linear(path + name, kWidth, kWidth);
    m.layerNorm(path + ".norm2", kWidth);
    m.linear(path + ".up", kWidth, 2 * kWidth);
    m.linear(path + ".down", 2 * kWidth, kWidth);
}

Traced splitHeads(ModuleBuilder& m, const std::string& path, Traced x)
{
    const Traced split = m.call(path, "aten.view.default",
                                {x.node, Argument::ints({1, kLength, kHeads, -1})}, kMethod);
    return m.call(path, "aten.transpose.int", {split.node, 1, 2}, kMethod);
}

Traced attention(ModuleBuilder& m, const std::string& path, Traced x, Traced mask)
{
    const Traced query = splitHeads(m, path, m.callLinear(path + ".query", x));
    const Traced key = splitHeads(m, path, m.callLinear(path + ".key", x));
    const Traced value = splitHeads(m, path, m.callLinear(path + ".value", x));
    const Traced turned = m.call(path, "aten.transpose.int", {key.node, 2, 3}, kMethod);
    const Traced product =
        m.call(path, "aten.matmul.default", {query.node, turned.node}, kFunction);
    const Traced scores = m.call(path, "aten.mul.Tensor", {product.node, 0.25}, kMethod);
    const Traced masked =
        m.call(path, "aten.masked_fill.Scalar", {scores.node, mask.node, -1e9}, kMethod);
    const Traced weights = m.call(path, "aten.softmax.int", {masked.node, -1}, kFunction);
    const Traced mixed = m.call(path, "aten.matmul.default", {weights.node, value.node}, kFunction);
    const Traced heads = m.call(path, "aten.transpose.int", {mixed.node, 1, 2}, kMethod);
    const Traced joined = m.call(path, "aten.reshape.default",
                                 {heads.node, Argument::ints({1, kLength, kWidth})}, kMethod);
    return m.callLinear(path + ".proj", joined);
}

Traced callLayer(ModuleBuilder& m, const std::string& path, Traced x, Traced mask)
{
    const Traced attended = attention(m, path, m.callLayerNorm(path + ".norm1", x), mask);
    const Traced y = m.call(path, "aten.add.Tensor", {x.node, attended.node}, kMethod);
    const Traced up = m.callLinear(path + ".up", m.callLayerNorm(path + ".norm2", y));
    const Traced down =
        m.callLinear(path + ".down", m.call(path, "aten.gelu.default", {up.node}, kFunction));
    return m.call(path, "aten.add.Tensor", {y.node, down.node}, kMethod);
}

} // namespace

Result<ZooModel> decoder(const Kernels& torch, const ZooOptions& options)
{
    const auto layer = [](std::int64_t i) { return "layers." + std::to_string(i); };
    ModuleBuilder m(torch, options.seed, "zoo.Decoder");
    m.embedding("position", kLength, kWidth);
    for (std::int64_t i = 0; i < options.layers; ++i)
        declareLayer(m, layer(i));
    m.layerNorm("norm", kWidth);
    m.linear("head", kWidth, kClasses);
    m.buffer("steps", steps());
    m.buffer("mask", mask());

    Traced x = m.input("x", {1, kLength, kWidth});
    const Traced positions = m.callEmbedding("position", m.attribute("steps"));
    x = m.call("", "aten.add.Tensor", {x.node, positions.node}, kMethod);
    for (std::int64_t i = 0; i < options.layers; ++i)
        x = callLayer(m, layer(i), x, m.attribute("mask"));
    return m.finish(m.callLinear("head", m.callLayerNorm("norm", x)));
}

} // namespace pt2e::zoo
