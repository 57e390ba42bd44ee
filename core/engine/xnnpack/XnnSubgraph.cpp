// Values of a subgraph: what is computed, and constants.
#include "core/engine/xnnpack/XnnState.h"

#include <cstring>
#include <fmt/format.h>

namespace pt2e::xnn {

static_assert(Storage::kPadding >= XNN_EXTRA_BYTES, "kernels read past the end of their inputs");
static_assert(kMaxRank == XNN_MAX_TENSOR_DIMS);
static_assert(kNoValue == XNN_INVALID_VALUE_ID);

namespace {

std::string_view statusText(xnn_status status)
{
    switch (status) {
    case xnn_status_success: return "success";
    case xnn_status_uninitialized: return "not initialized";
    case xnn_status_invalid_parameter: return "invalid parameter";
    case xnn_status_invalid_state: return "invalid state";
    case xnn_status_unsupported_parameter: return "unsupported parameter";
    case xnn_status_unsupported_hardware: return "unsupported hardware";
    case xnn_status_out_of_memory: return "out of memory";
    default: return "unknown status";
    }
}

} // namespace

std::mutex& creationMutex()
{
    static std::mutex mutex;
    return mutex;
}

Result<void> check(const char* what, xnn_status status)
{
    if (status == xnn_status_success)
        return {};
    return fail(ErrorCode::Internal, fmt::format("xnnpack: {}", what),
                std::string(statusText(status)));
}

std::vector<std::size_t> dimensions(const Shape& shape) { return {shape.begin(), shape.end()}; }

Subgraph::State::~State()
{
    if (handle)
        xnn_delete_subgraph(handle);
}

Result<void> Subgraph::State::add(const char* what, xnn_status status)
{
    PT2E_TRY(check(what, status));
    operators.push_back({owner, what});
    return {};
}

Result<ValueId> Subgraph::State::define(const TensorSpec& spec, std::uint32_t externalId,
                                        std::uint32_t flags)
{
    const auto dims = dimensions(spec.shape);
    ValueId id = kNoValue;
    const xnn_status status =
        spec.isFloat ? xnn_define_tensor_value(handle, xnn_datatype_fp32, dims.size(), dims.data(),
                                               nullptr, externalId, flags, &id)
                     : xnn_define_quantized_tensor_value(handle, xnn_datatype_qint8, spec.zeroPoint,
                                                         spec.scale, dims.size(), dims.data(),
                                                         nullptr, externalId, flags, &id);
    if (auto done = check("value", status); !done)
        return passOn(done);
    if (externalId != kNoValue)
        specs[externalId] = spec;
    return id;
}

Subgraph::Subgraph(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Subgraph::~Subgraph() = default;

Result<std::unique_ptr<Subgraph>> Subgraph::create(std::uint32_t externals)
{
    const std::scoped_lock lock(creationMutex());
    static const xnn_status initialized = xnn_initialize(nullptr);
    if (auto done = check("xnn_initialize", initialized); !done)
        return passOn(done);
    auto state = std::make_unique<State>();
    state->externals = externals;
    state->specs.resize(externals);
    if (auto done = check("subgraph", xnn_create_subgraph(externals, 0, &state->handle)); !done)
        return passOn(done);
    return std::unique_ptr<Subgraph>(new Subgraph(std::move(state)));
}

void Subgraph::setOwner(NodeId node) { m_state->owner = node; }

Result<ValueId> Subgraph::externalInput(ValueId id, const TensorSpec& spec)
{
    return m_state->define(spec, id, XNN_VALUE_FLAG_EXTERNAL_INPUT);
}

Result<ValueId> Subgraph::externalOutput(ValueId id, const TensorSpec& spec)
{
    return m_state->define(spec, id, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
}

Result<ValueId> Subgraph::internal(const TensorSpec& spec)
{
    return m_state->define(spec, kNoValue, 0);
}

Result<ValueId> Subgraph::dynamic(const Shape& shape, std::size_t partAxes)
{
    const auto dims = dimensions(shape);
    ValueId id = kNoValue;
    const xnn_status status = xnn_define_dynamically_quantized_tensor_value(
        m_state->handle, xnn_datatype_qdint8, dims.size(), partAxes, dims.data(), kNoValue, 0, &id);
    if (auto done = check("dynamically quantized value", status); !done)
        return passOn(done);
    return id;
}

Result<ValueId> Subgraph::constant(const ConstantSpec& spec)
{
    Storage::Allocation copy = Storage::allocate(spec.bytes.size());
    std::memcpy(copy.data.data(), spec.bytes.data(), spec.bytes.size());
    const void* data = copy.data.data();
    (spec.isPacked ? m_state->packed : m_state->bytes).push_back(std::move(copy));

    const auto dims = dimensions(spec.shape);
    const bool isBias = spec.dtype == DType::Int32;
    ValueId id = kNoValue;
    xnn_status status = xnn_status_invalid_parameter;
    if (spec.dtype == DType::Float32) {
        status = xnn_define_tensor_value(m_state->handle, xnn_datatype_fp32, dims.size(),
                                         dims.data(), data, kNoValue, 0, &id);
    } else if (spec.scales.size() == 1 && !spec.isPerChannel) {
        status = xnn_define_quantized_tensor_value(
            m_state->handle, isBias ? xnn_datatype_qint32 : xnn_datatype_qint8, spec.zeroPoint,
            spec.scales[0], dims.size(), dims.data(), data, kNoValue, 0, &id);
    } else {
        // The scale array is kept by pointer.
        auto scales = std::make_unique<std::vector<float>>(spec.scales);
        status = xnn_define_channelwise_quantized_tensor_value(
            m_state->handle, isBias ? xnn_datatype_qcint32 : xnn_datatype_qcint8, scales->data(),
            dims.size(), spec.channelAxis, dims.data(), data, kNoValue, 0, &id);
        m_state->scales.push_back(std::move(scales));
    }
    if (auto done = check("constant", status); !done)
        return passOn(done);
    return id;
}

} // namespace pt2e::xnn
