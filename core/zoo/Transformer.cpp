// Transformers written out in single operators: a decoder, made for size (13 + 41 · layers nodes, so 244 layers are about
// 10,000), and an encoder with a classifier.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

#include <cmath>
#include <numeric>
#include <optional>

namespace pt2e::zoo {

namespace {

constexpr const char* kFunction = "builtin_function_or_method";
constexpr const char* kMethod = "method_descriptor";

struct Transformer
{
    const char* layerClass;
    std::int64_t width;
    std::int64_t heads;
    std::int64_t length;
    std::int64_t hidden; ///< of the feed-forward part
};

constexpr Transformer kDecoder{"zoo.DecoderLayer", 64, 4, 16, 128};
constexpr std::int64_t kDecoderClasses = 32;
constexpr Transformer kEncoder{"zoo.EncoderLayer", 256, 4, 128, 1024};
constexpr std::int64_t kEncoderLayers = 4;
constexpr std::int64_t kEncoderClasses = 10;

Tensor steps(std::int64_t length)
{
    std::vector<std::int64_t> values(static_cast<std::size_t>(length));
    std::iota(values.begin(), values.end(), 0);
    return Tensor::fromValues<std::int64_t>(DType::Int64, {length}, values);
}

/// True where a step would look ahead.
Tensor mask(std::int64_t length)
{
    const auto size = static_cast<std::size_t>(length);
    std::vector<std::uint8_t> values(size * size);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = row + 1; column < size; ++column)
            values[row * size + column] = 1;
    }
    return Tensor::fromValues<std::uint8_t>(DType::Bool, {length, length}, values);
}

std::string layer(std::int64_t i) { return "layers." + std::to_string(i); }

void declareLayer(ModuleBuilder& m, const std::string& path, const Transformer& t)
{
    m.module(path, t.layerClass);
    m.layerNorm(path + ".norm1", t.width);
    for (const char* name : {".query", ".key", ".value", ".proj"})
        m.linear(path + name, t.width, t.width);
    m.layerNorm(path + ".norm2", t.width);
    m.linear(path + ".up", t.width, t.hidden);
    m.linear(path + ".down", t.hidden, t.width);
}

Traced splitHeads(ModuleBuilder& m, const std::string& path, const Transformer& t, Traced x)
{
    const Traced split = m.call(path, "aten.view.default",
                                {x.node, Argument::ints({1, t.length, t.heads, -1})}, kMethod);
    return m.call(path, "aten.transpose.int", {split.node, 1, 2}, kMethod);
}

Traced attention(ModuleBuilder& m, const std::string& path, const Transformer& t, Traced x,
                 const std::optional<Traced>& mask)
{
    const Traced query = splitHeads(m, path, t, m.callLinear(path + ".query", x));
    const Traced key = splitHeads(m, path, t, m.callLinear(path + ".key", x));
    const Traced value = splitHeads(m, path, t, m.callLinear(path + ".value", x));
    const Traced turned = m.call(path, "aten.transpose.int", {key.node, 2, 3}, kMethod);
    const Traced product =
        m.call(path, "aten.matmul.default", {query.node, turned.node}, kFunction);
    const double scale = 1 / std::sqrt(static_cast<double>(t.width) / static_cast<double>(t.heads));
    Traced scores = m.call(path, "aten.mul.Tensor", {product.node, scale}, kMethod);
    if (mask)
        scores = m.call(path, "aten.masked_fill.Scalar", {scores.node, mask->node, -1e9}, kMethod);
    const Traced weights = m.call(path, "aten.softmax.int", {scores.node, -1}, kFunction);
    const Traced mixed = m.call(path, "aten.matmul.default", {weights.node, value.node}, kFunction);
    const Traced heads = m.call(path, "aten.transpose.int", {mixed.node, 1, 2}, kMethod);
    const Traced joined = m.call(path, "aten.reshape.default",
                                 {heads.node, Argument::ints({1, t.length, t.width})}, kMethod);
    return m.callLinear(path + ".proj", joined);
}

Traced callLayer(ModuleBuilder& m, const std::string& path, const Transformer& t, Traced x,
                 const std::optional<Traced>& mask)
{
    const Traced attended = attention(m, path, t, m.callLayerNorm(path + ".norm1", x), mask);
    const Traced y = m.call(path, "aten.add.Tensor", {x.node, attended.node}, kMethod);
    const Traced up = m.callLinear(path + ".up", m.callLayerNorm(path + ".norm2", y));
    const Traced down =
        m.callLinear(path + ".down", m.call(path, "aten.gelu.default", {up.node}, kFunction));
    return m.call(path, "aten.add.Tensor", {y.node, down.node}, kMethod);
}

/// The input plus what stands for its positions.
Traced positioned(ModuleBuilder& m, const Transformer& t)
{
    const Traced x = m.input("x", {1, t.length, t.width});
    const Traced positions = m.callEmbedding("position", m.attribute("steps"));
    return m.call("", "aten.add.Tensor", {x.node, positions.node}, kMethod);
}

} // namespace

Result<ZooModel> decoder(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "zoo.Decoder");
    m.embedding("position", kDecoder.length, kDecoder.width);
    for (std::int64_t i = 0; i < options.layers; ++i)
        declareLayer(m, layer(i), kDecoder);
    m.layerNorm("norm", kDecoder.width);
    m.linear("head", kDecoder.width, kDecoderClasses);
    m.buffer("steps", steps(kDecoder.length));
    m.buffer("mask", mask(kDecoder.length));

    Traced x = positioned(m, kDecoder);
    for (std::int64_t i = 0; i < options.layers; ++i)
        x = callLayer(m, layer(i), kDecoder, x, m.attribute("mask"));
    return m.finish(m.callLinear("head", m.callLayerNorm("norm", x)));
}

Result<ZooModel> encoder(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "zoo.Encoder");
    m.embedding("position", kEncoder.length, kEncoder.width);
    for (std::int64_t i = 0; i < kEncoderLayers; ++i)
        declareLayer(m, layer(i), kEncoder);
    m.layerNorm("norm", kEncoder.width);
    m.linear("head", kEncoder.width, kEncoderClasses);
    m.buffer("steps", steps(kEncoder.length));

    Traced x = positioned(m, kEncoder);
    for (std::int64_t i = 0; i < kEncoderLayers; ++i)
        x = callLayer(m, layer(i), kEncoder, x, std::nullopt);
    x = m.call("", "aten.mean.dim", {m.callLayerNorm("norm", x).node, Argument::ints({1})},
               kMethod);
    return m.finish(m.callLinear("head", x));
}

} // namespace pt2e::zoo
