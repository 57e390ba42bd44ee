#include "core/engine/xnnpack/OwnStep.h"

namespace pt2e::xnn {

namespace {

/// out[i] = table[in[i]], and from N, pixels, C to N, C, pixels where the order changes.
template<typename T>
void lookUp(std::span<const std::byte> in, const std::array<T, 256>& table, std::uint8_t flip,
            const Shape& natural, bool changesOrder, T* out)
{
    std::array<T, 256> byByte; // the table's entries are for -128 … 127
    for (std::size_t i = 0; i < 256; ++i)
        byByte[i ^ flip] = table[i];
    const auto entry = [&](std::size_t i) { return byByte[std::to_integer<std::uint8_t>(in[i])]; };
    if (!changesOrder) {
        for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = entry(i);
        return;
    }
    const auto images = static_cast<std::size_t>(natural[0]);
    const auto channels = static_cast<std::size_t>(natural[1]);
    const std::size_t pixels = in.size() / images / channels;
    for (std::size_t n = 0; n < images; ++n) {
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t p = 0; p < pixels; ++p)
                *out++ = entry((n * pixels + p) * channels + c);
        }
    }
}

/// A chain of elementwise ops as a table.
class TableWork final : public OwnWork
{
public:
    TableWork(const Plan& plan, const Unit& unit, const Boundary& boundary)
        : m_from(unit.reads.front()),
          m_table(unit.table),
          m_isFloat(!plan.view->typeOf(unit.writes.front())),
          m_natural(*plan.view->shape(unit.writes.front())),
          m_result(unit.writes.front(), plan.specOf(unit.writes.front()),
                   boundary.hidden.contains(unit.writes.front()))
    {
        m_changesOrder = plan.layoutOf(m_from) != plan.layoutOf(unit.writes.front());
    }

    Result<void> run(ValueMap& values) override
    {
        const Tensor* tensor = values.at(m_from).tensor();
        if (!tensor)
            return fail(ErrorCode::Internal, "byte table", "its input is not a tensor");
        PT2E_ASSIGN(const Tensor contiguous, tensor->contiguous());
        PT2E_ASSIGN(const auto bytes, contiguous.bytes());
        const bool isUnsigned = contiguous.dtype() == DType::UInt8;
        const std::uint8_t flip = isUnsigned ? 0 : 0x80;
        void* const memory = m_result.begin();
        if (m_isFloat)
            lookUp(bytes, m_table->floats, flip, m_natural, m_changesOrder,
                   static_cast<float*>(memory));
        else
            lookUp(bytes, m_table->bytes, flip, m_natural, m_changesOrder,
                   static_cast<std::int8_t*>(memory));
        m_result.publish(values);
        return {};
    }

private:
    NodeId m_from;
    std::shared_ptr<const ByteTable> m_table;
    bool m_isFloat;
    bool m_changesOrder = false; ///< NHWC in, the graph's order out
    Shape m_natural;
    ResultBuffer m_result;
};

/// An OwnKernel from a float value to its result.
class KernelWork final : public OwnWork
{
public:
    KernelWork(const Plan& plan, const Unit& unit, const Boundary& boundary, const ThreadPool& pool)
        : m_from(unit.reads.front()),
          m_name(plan.view->graph().node(m_from).name),
          m_shape(*plan.view->shape(m_from)),
          m_kernel(unit.kernel),
          m_pool(pool),
          m_result(unit.writes.front(), plan.specOf(unit.writes.front()),
                   boundary.hidden.contains(unit.writes.front()))
    {}

    Result<void> run(ValueMap& values) override
    {
        const Tensor* tensor = values.at(m_from).tensor();
        if (!tensor)
            return badInput(m_name, "is not a tensor");
        PT2E_TRY(checkInput(m_name, *tensor, DType::Float32, m_shape));
        PT2E_ASSIGN(const Tensor contiguous, tensor->contiguous());
        PT2E_ASSIGN(const auto in, contiguous.values<float>());
        m_kernel->run(in, m_result.begin(), m_pool);
        m_result.publish(values);
        return {};
    }

private:
    NodeId m_from;
    std::string m_name;
    Shape m_shape;
    std::shared_ptr<const OwnKernel> m_kernel;
    const ThreadPool& m_pool;
    ResultBuffer m_result;
};

} // namespace

OwnStep::OwnStep(const Plan& plan, const Step& step, const Boundary& boundary,
                 const ThreadPool& pool)
{
    for (const std::size_t i : step.units) {
        const Unit& unit = plan.units[i];
        if (unit.kind == Unit::Kind::Table)
            m_works.push_back(std::make_unique<TableWork>(plan, unit, boundary));
        else
            m_works.push_back(std::make_unique<KernelWork>(plan, unit, boundary, pool));
        m_times.push_back({unit.node, unit.decision.kernel, {}});
    }
}

Result<void> OwnStep::run(ValueMap& values)
{
    using Clock = std::chrono::steady_clock;
    for (std::size_t i = 0; i < m_works.size(); ++i) {
        const auto start = Clock::now();
        PT2E_TRY(m_works[i]->run(values));
        m_times[i].time = Clock::now() - start;
    }
    return {};
}

} // namespace pt2e::xnn
