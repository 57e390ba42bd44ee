// Samples one by one, and their elements as a network wants them.
#pragma once

#include "core/base/Result.h"
#include "core/data/DataFormat.h"
#include "core/data/GraphInputs.h"
#include "core/data/Picture.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// Turns a sample into elements of the input: bytes into values from 0 to 1 for a float input, then
/// (value − mean) / std per channel (torchvision's ToTensor and Normalize, in float32). Pictures are resized.
class SampleWriter
{
public:
    /// An error if mean and std do not go with the input.
    static Result<SampleWriter> make(const SampleForm& form, const DataFormat& format);

    const SampleForm& form() const { return m_form; }
    std::size_t byteCount() const;
    /// Elements in order; the number of them must be right. The error lacks the place.
    Result<void> write(const Tensor& sample, std::span<std::byte> to) const;
    Result<void> write(const Picture& picture, std::span<std::byte> to) const;

private:
    Result<Picture> fitted(const Picture& picture) const;
    template<typename T>
    Result<void> writeReals(std::span<const double> values, bool isBytes, std::span<T> to) const;
    template<typename T>
    Result<void> writeIntegers(std::span<const double> values, std::span<T> to) const;
    Result<void> writeValues(std::span<const double> values, DType given,
                             std::span<std::byte> to) const;

    SampleForm m_form;
    std::int64_t m_resize = 0;
    std::vector<double> m_mean; ///< per channel; empty: nothing to do
    std::vector<double> m_std;
};

class SampleSource
{
public:
    virtual ~SampleSource() = default;
    virtual std::int64_t count() const = 0;
    /// For messages: "images.idx: sample 12", "shirts/a.png".
    virtual std::string nameOf(std::int64_t i) const = 0;
    /// The error lacks the place.
    virtual Result<void> read(std::int64_t i, const SampleWriter& writer,
                              std::span<std::byte> to) const = 0;
};

/// The first axis of the array runs over the samples. Bytes of shape H×W or H×W×3 are pictures.
std::unique_ptr<SampleSource> samplesOf(Tensor all, std::string path);
/// Whether such samples are pictures, so that they may be resized.
bool isPictureShape(DType dtype, std::span<const std::int64_t> sample);
/// Picture files.
std::unique_ptr<SampleSource> samplesOf(std::vector<std::string> paths);

} // namespace pt2e
