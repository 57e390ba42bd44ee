#include "core/data/Samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace pt2e {

Result<SampleWriter> SampleWriter::make(const SampleForm& form, const DataFormat& format)
{
    SampleWriter writer;
    writer.m_form = form;
    writer.m_resize = format.resize;
    if (format.mean.empty() && format.std.empty())
        return writer;
    if (!isFloatingPoint(form.dtype))
        return badInput("", fmt::format("mean and std are for float inputs, '{}' is {}", form.input,
                                        dtypeName(form.dtype)));
    const auto geometry = form.geometry();
    const auto channels = static_cast<std::size_t>(geometry ? geometry->channels : 1);
    const auto spread = [&](std::vector<double> values, double otherwise) {
        return values.size() == 1 || values.empty()
                   ? std::vector<double>(channels, values.empty() ? otherwise : values.front())
                   : values;
    };
    writer.m_mean = spread(format.mean, 0);
    writer.m_std = spread(format.std, 1);
    if (writer.m_mean.size() != channels || writer.m_std.size() != channels)
        return badInput("", fmt::format("mean and std need one number, or one for each of the {} "
                                        "channels of input '{}'",
                                        channels, form.input));
    for (const double std : writer.m_std) {
        if (!(std > 0) || std::isinf(std))
            return badInput("", "std must be larger than 0");
    }
    return writer;
}

std::size_t SampleWriter::byteCount() const
{
    return static_cast<std::size_t>(m_form.elements()) * elementSize(m_form.dtype);
}

template<typename T>
Result<void> SampleWriter::writeReals(std::span<const double> values, bool isBytes,
                                      std::span<T> to) const
{
    const std::size_t plane = m_mean.empty() ? values.size() : values.size() / m_mean.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value = static_cast<T>(values[i]);
        if (std::isnan(value))
            return badInput("", "has a NaN");
        if (isBytes)
            value /= static_cast<T>(255);
        if (!m_mean.empty()) {
            const std::size_t channel = i / plane;
            value = (value - static_cast<T>(m_mean[channel])) / static_cast<T>(m_std[channel]);
        }
        to[i] = value;
    }
    return {};
}

template<typename T>
Result<void> SampleWriter::writeIntegers(std::span<const double> values, std::span<T> to) const
{
    using Limits = std::numeric_limits<T>;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < static_cast<double>(Limits::min())
            || values[i] > static_cast<double>(Limits::max()))
            return badInput("", fmt::format("has the value {}, which input '{}' ({}) cannot hold",
                                            values[i], m_form.input, dtypeName(m_form.dtype)));
        to[i] = static_cast<T>(values[i]);
    }
    return {};
}

Result<void> SampleWriter::writeValues(std::span<const double> values, DType given,
                                       std::span<std::byte> to) const
{
    const auto as = [&]<typename T>(T) {
        return std::span<T>(reinterpret_cast<T*>(to.data()), values.size());
    };
    const bool isBytes = given == DType::UInt8;
    if (m_form.dtype == DType::Float32)
        return writeReals(values, isBytes, as(float()));
    if (m_form.dtype == DType::Float64)
        return writeReals(values, isBytes, as(double()));
    if (isInteger(given)) {
        switch (m_form.dtype) {
        case DType::UInt8: return writeIntegers(values, as(std::uint8_t()));
        case DType::Int8: return writeIntegers(values, as(std::int8_t()));
        case DType::Int16: return writeIntegers(values, as(std::int16_t()));
        case DType::Int32: return writeIntegers(values, as(std::int32_t()));
        case DType::Int64: return writeIntegers(values, as(std::int64_t()));
        default: break;
        }
    }
    return badInput("", fmt::format("has dtype {}, input '{}' needs {}", dtypeName(given),
                                    m_form.input, dtypeName(m_form.dtype)));
}

Result<void> SampleWriter::write(const Tensor& sample, std::span<std::byte> to) const
{
    if (sample.elementCount() != m_form.elements())
        return badInput("", fmt::format("has shape {}, input '{}' needs {} a sample",
                                        shapeText(sample.meta().shape), m_form.input,
                                        shapeText({m_form.sample.begin(), m_form.sample.end()})));
    const bool isSame = sample.dtype() == m_form.dtype && m_mean.empty();
    if (isSame && !isFloatingPoint(m_form.dtype)) {
        PT2E_ASSIGN(const std::span<const std::byte> bytes, sample.bytes());
        std::copy(bytes.begin(), bytes.end(), to.begin());
        return {};
    }
    PT2E_ASSIGN(const std::vector<double> values, sample.toDoubles());
    return writeValues(values, sample.dtype(), to);
}

Result<Picture> SampleWriter::fitted(const Picture& picture) const
{
    const auto geometry = m_form.geometry();
    if (!geometry || (geometry->channels != 1 && geometry->channels != 3)) {
        const auto count = static_cast<std::int64_t>(picture.pixels.size());
        if (m_form.sample.size() == 1 && count == m_form.elements())
            return picture;
        return badInput("",
                        fmt::format("is a picture of {}×{} pixels, input '{}' needs {} a sample",
                                    picture.width, picture.height, m_form.input,
                                    shapeText({m_form.sample.begin(), m_form.sample.end()})));
    }
    const Picture colored = withChannels(picture, static_cast<int>(geometry->channels));
    const auto width = static_cast<int>(geometry->width);
    const auto height = static_cast<int>(geometry->height);
    if (m_resize == 0)
        return resized(colored, width, height);
    const Picture scaled = resizedShorterSide(colored, static_cast<int>(m_resize));
    if (scaled.width < width || scaled.height < height)
        return badInput("",
                        fmt::format("is {}×{} after resizing, smaller than the {}×{} of input '{}'",
                                    scaled.width, scaled.height, width, height, m_form.input));
    return centerCropped(scaled, width, height);
}

Result<void> SampleWriter::write(const Picture& picture, std::span<std::byte> to) const
{
    PT2E_ASSIGN(const Picture ready, fitted(picture));
    // Pixels have their channels side by side; the network has one plane per channel.
    const auto channels = static_cast<std::size_t>(ready.channels);
    const std::size_t plane = ready.pixels.size() / channels;
    std::vector<double> values(ready.pixels.size());
    for (std::size_t i = 0; i < plane; ++i) {
        for (std::size_t c = 0; c < channels; ++c)
            values[c * plane + i] = ready.pixels[i * channels + c];
    }
    return writeValues(values, DType::UInt8, to);
}

bool isPictureShape(DType dtype, std::span<const std::int64_t> sample)
{
    return dtype == DType::UInt8
           && (sample.size() == 2 || (sample.size() == 3 && sample.back() == 3))
           && std::all_of(sample.begin(), sample.end(), [](std::int64_t size) {
                  return size > 0 && size <= std::int64_t{1} << 16;
              });
}

namespace {

class ArraySamples final : public SampleSource
{
public:
    ArraySamples(Tensor all, std::string path) : m_all(std::move(all)), m_path(std::move(path))
    {
        m_shape.assign(m_all.shape().begin() + 1, m_all.shape().end());
        for (const std::int64_t size : m_shape)
            m_step *= size;
    }
    std::int64_t count() const override { return m_all.shape().front(); }
    std::string nameOf(std::int64_t i) const override
    {
        return fmt::format("{}: sample {}", m_path, i);
    }
    Result<void> read(std::int64_t i, const SampleWriter& writer,
                      std::span<std::byte> to) const override
    {
        const Tensor sample(m_all.storage(), m_all.dtype(), m_shape,
                            Tensor::contiguousStrides(m_shape), m_all.offset() + i * m_step);
        if (!isPictureShape(m_all.dtype(), m_shape))
            return writer.write(sample, to);
        PT2E_ASSIGN(const std::span<const std::uint8_t> pixels, sample.values<std::uint8_t>());
        const Picture picture{static_cast<int>(m_shape[1]),
                              static_cast<int>(m_shape[0]),
                              m_shape.size() == 3 ? 3 : 1,
                              {pixels.begin(), pixels.end()}};
        return writer.write(picture, to);
    }

private:
    Tensor m_all;
    std::string m_path;
    std::vector<std::int64_t> m_shape;
    std::int64_t m_step = 1;
};

class PictureFiles final : public SampleSource
{
public:
    explicit PictureFiles(std::vector<std::string> paths) : m_paths(std::move(paths)) {}
    std::int64_t count() const override { return static_cast<std::int64_t>(m_paths.size()); }
    std::string nameOf(std::int64_t i) const override
    {
        return m_paths[static_cast<std::size_t>(i)];
    }
    Result<void> read(std::int64_t i, const SampleWriter& writer,
                      std::span<std::byte> to) const override
    {
        auto picture = readPictureFile(nameOf(i));
        if (!picture)
            return fail(picture.error().code, "", picture.error().what);
        return writer.write(*picture, to);
    }

private:
    std::vector<std::string> m_paths;
};

} // namespace

std::unique_ptr<SampleSource> samplesOf(Tensor all, std::string path)
{
    return std::make_unique<ArraySamples>(std::move(all), std::move(path));
}

std::unique_ptr<SampleSource> samplesOf(std::vector<std::string> paths)
{
    return std::make_unique<PictureFiles>(std::move(paths));
}

} // namespace pt2e
