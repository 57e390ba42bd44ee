#include "core/engine/xnnpack/Unroll.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

/// As XNNPACK's xnn_f32_qs8_vcvt kernels: x · (1 / scale), clamped, rounded half to even. A NaN becomes
/// the highest value, as in those for x86.
struct Quantizer
{
    float inverse;
    float low; ///< before the zero point
    float high;
    std::int32_t zeroPoint;

    [[gnu::always_inline]] std::int32_t operator()(float x) const
    {
        float v = x * inverse;
        v = v < high ? v : high;
        v = v > low ? v : low;
        // Adding 1.5 · 2^23 leaves the rounded integer in the lowest bits.
        constexpr float kShift = 12582912.0F;
        return std::bit_cast<std::int32_t>(v + kShift) - std::bit_cast<std::int32_t>(kShift)
               + zeroPoint;
    }
};

constexpr std::size_t kLanes = 16;

/// One row of all channels, quantized, channels last. Writes up to three bytes more.
template<std::size_t kChannels>
[[gnu::always_inline]] inline void quantizeFew(const Quantizer& quantize, const float* in,
                                               std::size_t plane, std::size_t width,
                                               std::int8_t* out)
{
    const auto lane = [](std::int32_t value, std::size_t channel) {
        return (static_cast<std::uint32_t>(value) & 0xFF) << (8 * channel);
    };
    std::size_t x = 0;
    for (; x + kLanes <= width; x += kLanes) {
        std::array<std::uint32_t, kLanes> pixels{};
        for (std::size_t c = 0; c < kChannels; ++c) {
            for (std::size_t k = 0; k < kLanes; ++k)
                pixels[k] |= lane(quantize(in[c * plane + x + k]), c);
        }
        for (std::size_t k = 0; k < kLanes; ++k)
            std::memcpy(out + (x + k) * kChannels, &pixels[k], sizeof(std::uint32_t));
    }
    for (; x < width; ++x) {
        std::uint32_t pixel = 0;
        for (std::size_t c = 0; c < kChannels; ++c)
            pixel |= lane(quantize(in[c * plane + x]), c);
        std::memcpy(out + x * kChannels, &pixel, sizeof(std::uint32_t));
    }
}

[[gnu::always_inline]] inline void quantizeRow(const Quantizer& quantize, const float* in,
                                               std::size_t plane, std::size_t channels,
                                               std::size_t width, std::int8_t* out)
{
    if constexpr (std::endian::native == std::endian::little) {
        switch (channels) {
        case 1: return quantizeFew<1>(quantize, in, plane, width, out);
        case 2: return quantizeFew<2>(quantize, in, plane, width, out);
        case 3: return quantizeFew<3>(quantize, in, plane, width, out);
        case 4: return quantizeFew<4>(quantize, in, plane, width, out);
        default: break;
        }
    }
    for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t x = 0; x < width; ++x)
            out[x * channels + c] = static_cast<std::int8_t>(quantize(in[c * plane + x]));
    }
}

void quantizeRowAny(const Quantizer& quantize, const float* in, std::size_t plane,
                    std::size_t channels, std::size_t width, std::int8_t* out)
{
    quantizeRow(quantize, in, plane, channels, width, out);
}

PT2E_XNN_AVX2 void quantizeRowAvx2(const Quantizer& quantize, const float* in, std::size_t plane,
                                   std::size_t channels, std::size_t width, std::int8_t* out)
{
    quantizeRow(quantize, in, plane, channels, width, out);
}

std::size_t size(std::int64_t value) { return static_cast<std::size_t>(value); }

class UnrollKernel final : public OwnKernel
{
public:
    UnrollKernel(const UnrolledInput& u, const QuantType& type) : m_u(u)
    {
        m_quantize = {1.0F / type.scale, static_cast<float>(-128 - type.zeroPoint),
                      static_cast<float>(127 - type.zeroPoint), type.zeroPoint};
        m_zero = static_cast<std::int8_t>(type.zeroPoint);
        // As many columns as the window ever sees.
        const std::int64_t seen = (u.shape[2] - 1) * u.columnStride + u.columnTaps;
        const std::int64_t columns = std::max(seen, u.left + u.image[3]);
        m_rowBytes = size(columns * u.image[1]) + kSlack;
        m_rows.assign(size(u.image[0] * u.image[2] + 1) * m_rowBytes, m_zero);
    }

    void run(std::span<const float> in, void* out, const ThreadPool& pool) const override
    {
        const std::size_t rows = size(m_u.image[0] * m_u.image[2]);
        pool.forParts(rows, size(m_u.image[1] * m_u.image[3]),
                      [&](std::size_t begin, std::size_t end) {
                          for (std::size_t row = begin; row < end; ++row)
                              quantizeOne(in, row);
                      });
        auto* const to = static_cast<std::int8_t*>(out);
        const std::size_t results = size(m_u.shape[0] * m_u.shape[1]);
        pool.forParts(results, size(m_u.shape[2] * m_u.rowTaps * kCostOfCopy),
                      [&](std::size_t begin, std::size_t end) { unroll(begin, end, to); });
    }

private:
    static constexpr std::size_t kSlack = 64;
    static constexpr std::int64_t kCostOfCopy = 4;

    void quantizeOne(std::span<const float> in, std::size_t row) const
    {
        const std::size_t height = size(m_u.image[2]);
        const std::size_t width = size(m_u.image[3]);
        const std::size_t channels = size(m_u.image[1]);
        const std::size_t plane = height * width;
        const float* const from =
            in.data() + row / height * channels * plane + row % height * width;
        std::int8_t* const to = &m_rows[row * m_rowBytes + size(m_u.left) * channels];
        const auto quantize = hasAvx2() ? quantizeRowAvx2 : quantizeRowAny;
        quantize(m_quantize, from, plane, channels, width, to);
        std::memset(to + width * channels, m_zero, sizeof(std::uint32_t));
    }

    /// Rows begin to end of the result.
    void unroll(std::size_t begin, std::size_t end, std::int8_t* out) const
    {
        const std::size_t run = size(m_u.columnTaps * m_u.image[1]);
        if (run <= 16)
            unrollRuns<16>(begin, end, run, out);
        else if (run <= 32)
            unrollRuns<32>(begin, end, run, out);
        else
            unrollRuns<kSlack>(begin, end, run, out);
    }

    /// Copies whole kBlocks, whose end the next one overwrites; not in the last row, behind which
    /// another thread may write.
    template<std::size_t kBlock>
    void unrollRuns(std::size_t begin, std::size_t end, std::size_t run, std::int8_t* out) const
    {
        const std::size_t rowBytes = size(m_u.shape[2] * m_u.shape[3]);
        const bool hasBlocks = run <= kBlock && rowBytes >= kBlock;
        std::vector<const std::int8_t*> seen(size(m_u.rowTaps));
        for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t tap = 0; tap < seen.size(); ++tap)
                seen[tap] = rowOf(row, tap);
            std::int8_t* const to = out + row * rowBytes;
            if (hasBlocks && row + 1 < end)
                copyRow(seen, run, to, [](std::int8_t* target, const std::int8_t* from) {
                    std::memcpy(target, from, kBlock);
                });
            else
                copyRow(seen, run, to, [run](std::int8_t* target, const std::int8_t* from) {
                    std::memcpy(target, from, run);
                });
        }
    }

    template<typename Copy>
    void copyRow(const std::vector<const std::int8_t*>& seen, std::size_t run, std::int8_t* to,
                 Copy copy) const
    {
        const std::size_t columns = size(m_u.shape[2]);
        const std::size_t step = size(m_u.columnStride * m_u.image[1]);
        if (seen.size() == 1) {
            for (std::size_t column = 0; column < columns; ++column)
                copy(to + column * run, seen[0] + column * step);
            return;
        }
        for (std::size_t column = 0; column < columns; ++column) {
            for (const std::int8_t* const from : seen) {
                copy(to, from + column * step);
                to += run;
            }
        }
    }

    /// What a tap of the window sees in a row of the result: a quantized row, or the one of zeros.
    const std::int8_t* rowOf(std::size_t row, std::size_t tap) const
    {
        const std::int64_t image = static_cast<std::int64_t>(row) / m_u.shape[1];
        const std::int64_t y = static_cast<std::int64_t>(row) % m_u.shape[1] * m_u.rowStride
                               - m_u.top + static_cast<std::int64_t>(tap) * m_u.rowDilation;
        const std::int64_t rows = m_u.image[2];
        const bool isInside = y >= 0 && y < rows;
        return &m_rows[size(isInside ? image * rows + y : m_u.image[0] * rows) * m_rowBytes];
    }

    UnrolledInput m_u;
    Quantizer m_quantize{};
    std::int8_t m_zero = 0;
    std::size_t m_rowBytes = 0;
    /// The image, channels last, borders of zero points at its sides; then a row of zero points.
    mutable std::vector<std::int8_t> m_rows;
};

std::string nameOf(const UnrolledInput& u)
{
    if (u.rowTaps * u.columnTaps == 1)
        return "quantize to channels last (own kernel)";
    return fmt::format("quantize and unroll {}x{} taps (own kernel)", u.rowTaps, u.columnTaps);
}

bool isFloatInput(const ConvertedView& view, NodeId id)
{
    const Node& node = view.graph().node(id);
    const TensorMeta* meta = node.val.tensor();
    return node.is(OpKind::Placeholder) && meta && meta->dtype == DType::Float32 && view.shape(id);
}

} // namespace

std::shared_ptr<const OwnKernel> makeUnrollKernel(const UnrolledInput& input, const QuantType& type)
{
    return std::make_shared<UnrollKernel>(input, type);
}

std::unordered_map<NodeId, UnrolledInput> unrollInputs(std::vector<Unit>& units,
                                                       const ConvertedView& view)
{
    std::unordered_map<NodeId, UnrolledInput> result;
    for (Unit& unit : units) {
        if (unit.kind != Unit::Kind::Quantize || !isFloatInput(view, unit.reads.front()))
            continue;
        const Unit* reader = onlyReader(units, view, unit.node);
        if (!reader || reader->kind != Unit::Kind::Op || reader->rule->decide != decideConvolution)
            continue;
        const auto unrolled = unrolledConvolution(reader->call);
        if (!unrolled)
            continue;
        unit.kind = Unit::Kind::Own;
        unit.kernel = makeUnrollKernel(*unrolled, *view.typeOf(unit.node));
        unit.decision = Decision::yes(nameOf(*unrolled), DataLayout::Natural);
        result.emplace(unit.node, *unrolled);
    }
    return result;
}

} // namespace pt2e::xnn
