// What a module's __init__ declares, and torch.nn.init.
#include "core/zoo/ModuleBuilder.h"

#include <cmath>

namespace pt2e::zoo {

namespace {

/// torch.nn.init.kaiming_uniform_(a=√5), in Python's own order of operations.
double kaimingBound(std::int64_t fanIn)
{
    const double a = std::sqrt(5.0);
    const double gain = std::sqrt(2.0 / (1 + a * a));
    const double deviation = gain / std::sqrt(static_cast<double>(fanIn));
    return std::sqrt(3.0) * deviation;
}

/// _calculate_fan_in_and_fan_out: groups are not asked for.
double fanOf(const std::vector<std::int64_t>& shape, Fan fan)
{
    std::int64_t field = 1;
    for (std::size_t i = 2; i < shape.size(); ++i)
        field *= shape[i];
    return static_cast<double>(shape[fan == Fan::In ? 1 : 0] * field);
}

} // namespace

// ---- __init__

void ModuleBuilder::declare(const std::string& path, AttributeKind kind, Result<Tensor> value)
{
    if (m_error)
        return;
    if (!value) {
        m_error = value.error();
        return;
    }
    m_attributes.set(path, {std::move(*value), kind});
}

Result<Tensor> ModuleBuilder::filled(std::vector<std::int64_t> shape, float value) const
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}

/// _ConvNd.reset_parameters and Linear.reset_parameters.
void ModuleBuilder::drawLinear(const std::string& path, std::vector<std::int64_t> weightShape,
                               std::int64_t outputs, std::int64_t fanIn, bool hasBias)
{
    const double bound = kaimingBound(fanIn);
    declare(path + ".weight", AttributeKind::Parameter,
            m_stream->uniform(weightShape, -bound, bound));
    if (!hasBias)
        return;
    const double biasBound = 1 / std::sqrt(static_cast<double>(fanIn));
    declare(path + ".bias", AttributeKind::Parameter,
            m_stream->uniform(std::vector<std::int64_t>{outputs}, -biasBound, biasBound));
}

void ModuleBuilder::conv2d(const std::string& path, const Conv2d& c)
{
    m_classes.set(path, kConv2dClass);
    m_convolutions[path] = c;
    const std::int64_t in = c.in / c.groups;
    const auto [height, width] = c.kernel;
    drawLinear(path, {c.out, in, height, width}, c.out, in * height * width, c.hasBias);
}

void ModuleBuilder::batchNorm2d(const std::string& path, std::int64_t channels)
{
    m_classes.set(path, kBatchNorm2dClass);
    declare(path + ".weight", AttributeKind::Parameter, filled({channels}, 1));
    declare(path + ".bias", AttributeKind::Parameter, filled({channels}, 0));
    declare(path + ".running_mean", AttributeKind::Buffer, filled({channels}, 0));
    declare(path + ".running_var", AttributeKind::Buffer, filled({channels}, 1));
    const std::int64_t none = 0;
    declare(path + ".num_batches_tracked", AttributeKind::Buffer,
            Tensor::fromValues<std::int64_t>(DType::Int64, {}, std::span(&none, 1)));
}

void ModuleBuilder::linear(const std::string& path, std::int64_t in, std::int64_t out)
{
    m_classes.set(path, kLinearClass);
    drawLinear(path, {out, in}, out, in, true);
}

void ModuleBuilder::layerNorm(const std::string& path, std::int64_t width)
{
    m_classes.set(path, "torch.nn.modules.normalization.LayerNorm");
    declare(path + ".weight", AttributeKind::Parameter, filled({width}, 1));
    declare(path + ".bias", AttributeKind::Parameter, filled({width}, 0));
}

void ModuleBuilder::embedding(const std::string& path, std::int64_t count, std::int64_t width)
{
    m_classes.set(path, "torch.nn.modules.sparse.Embedding");
    declare(path + ".weight", AttributeKind::Parameter,
            m_stream->normal(std::vector<std::int64_t>{count, width}, 0, 1));
}

void ModuleBuilder::buffer(const std::string& path, Result<Tensor> value)
{
    declare(path, AttributeKind::Buffer, std::move(value));
}

void ModuleBuilder::module(const std::string& path, std::string className)
{
    m_classes.set(path, std::move(className));
}

void ModuleBuilder::registerLast(const std::string& path)
{
    std::vector<std::pair<std::string, Attribute>> moved;
    for (const auto& [name, attribute] : m_attributes) {
        if (name.starts_with(path + "."))
            moved.emplace_back(name, attribute);
    }
    for (auto& [name, attribute] : moved) {
        m_attributes.erase(name);
        m_attributes.set(name, std::move(attribute));
    }
}

// ---- torch.nn.init

std::vector<std::string> ModuleBuilder::modulesOf(const std::string& className) const
{
    std::vector<std::string> paths;
    for (const auto& [name, attribute] : m_attributes) {
        const std::string path = name.substr(0, name.rfind('.'));
        const std::string* found = m_classes.find(path);
        if (found && *found == className && (paths.empty() || paths.back() != path))
            paths.push_back(path);
    }
    return paths;
}

void ModuleBuilder::redraw(const std::string& parameter,
                           const std::function<Result<Tensor>(const Tensor& before)>& draw)
{
    const Attribute* before = m_attributes.find(parameter);
    if (!m_error && before)
        declare(parameter, before->kind, draw(before->value));
}

void ModuleBuilder::kaimingNormal(const std::string& parameter, Fan fan)
{
    redraw(parameter, [&](const Tensor& before) {
        const std::vector<std::int64_t>& shape = before.shape();
        return m_stream->normal(shape, 0, std::sqrt(2.0) / std::sqrt(fanOf(shape, fan)));
    });
}

void ModuleBuilder::kaimingUniform(const std::string& parameter, Fan fan)
{
    redraw(parameter, [&](const Tensor& before) {
        const std::vector<std::int64_t>& shape = before.shape();
        const double deviation = std::sqrt(2.0) / std::sqrt(fanOf(shape, fan));
        const double bound = std::sqrt(3.0) * deviation;
        return m_stream->uniform(shape, -bound, bound);
    });
}

void ModuleBuilder::normal(const std::string& parameter, double mean, double deviation)
{
    redraw(parameter,
           [&](const Tensor& before) { return m_stream->normal(before.shape(), mean, deviation); });
}

void ModuleBuilder::constant(const std::string& parameter, float value)
{
    redraw(parameter, [&](const Tensor& before) { return filled(before.shape(), value); });
}

} // namespace pt2e::zoo
