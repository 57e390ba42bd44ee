// Values to what a schema's type wants, and back. The rules are those of PyTorch's Python argument parser.
#include "core/kernels/torch/TorchKernels.h"

namespace pt2e::torchside {

namespace {

tl::unexpected<Error> mismatch(const Value& value, const c10::TypePtr& type)
{
    return badInput("", "expected " + type->annotation_str() + ", got " + describeValue(value));
}

std::int64_t layoutNumber(Layout layout)
{
    switch (layout) {
    case Layout::Strided: return static_cast<std::int64_t>(at::kStrided);
    case Layout::SparseCoo: return static_cast<std::int64_t>(at::kSparse);
    case Layout::SparseCsr: return static_cast<std::int64_t>(at::kSparseCsr);
    case Layout::SparseCsc: return static_cast<std::int64_t>(at::kSparseCsc);
    case Layout::SparseBsr: return static_cast<std::int64_t>(at::kSparseBsr);
    case Layout::SparseBsc: return static_cast<std::int64_t>(at::kSparseBsc);
    case Layout::Mkldnn: return static_cast<std::int64_t>(at::kMkldnn);
    }
    return static_cast<std::int64_t>(at::kStrided);
}

std::int64_t memoryFormatNumber(MemoryFormat format)
{
    switch (format) {
    case MemoryFormat::Contiguous: return static_cast<std::int64_t>(at::MemoryFormat::Contiguous);
    case MemoryFormat::ChannelsLast:
        return static_cast<std::int64_t>(at::MemoryFormat::ChannelsLast);
    case MemoryFormat::ChannelsLast3d:
        return static_cast<std::int64_t>(at::MemoryFormat::ChannelsLast3d);
    case MemoryFormat::Preserve: break;
    }
    return static_cast<std::int64_t>(at::MemoryFormat::Preserve);
}

/// A number, or nothing; a tensor with one element counts as its item().
Result<std::optional<at::Scalar>> asScalar(Border& border, const Value& value)
{
    if (const auto* flag = std::get_if<bool>(&value.data))
        return at::Scalar(*flag);
    if (const auto* number = std::get_if<std::int64_t>(&value.data))
        return at::Scalar(*number);
    if (const auto* number = std::get_if<double>(&value.data))
        return at::Scalar(*number);
    if (const auto* number = std::get_if<std::complex<double>>(&value.data))
        return at::Scalar(c10::complex<double>(number->real(), number->imag()));
    if (const Tensor* tensor = value.tensor();
        tensor && tensor->isValid() && tensor->elementCount() == 1) {
        PT2E_ASSIGN(const at::Tensor made, border.toAten(*tensor));
        return made.item();
    }
    return std::optional<at::Scalar>();
}

Result<c10::IValue> toTensorValue(Border& border, const Value& value, const c10::TypePtr& type)
{
    if (const Tensor* tensor = value.tensor()) {
        PT2E_ASSIGN(at::Tensor made, border.toAten(*tensor));
        return c10::IValue(std::move(made));
    }
    PT2E_ASSIGN(const auto scalar, asScalar(border, value));
    if (!scalar)
        return mismatch(value, type);
    // As Python does: the number must not take part in dtype promotion like a tensor.
    at::Tensor made = at::scalar_tensor(*scalar, at::TensorOptions(scalar->type()));
    if (made.scalar_type() == at::kFloat)
        made = made.to(at::kDouble);
    made.unsafeGetTensorImpl()->set_wrapped_number(true);
    return c10::IValue(std::move(made));
}

Result<c10::IValue> toIntValue(Border& border, const Value& value, const c10::TypePtr& type)
{
    if (const auto* dtype = std::get_if<DType>(&value.data)) {
        const auto theirs = toScalarType(*dtype);
        if (!theirs)
            return fail(ErrorCode::Unsupported, "",
                        "dtype " + std::string(dtypeName(*dtype))
                            + " is unknown to LibTorch " TORCH_VERSION);
        return c10::IValue(static_cast<std::int64_t>(*theirs));
    }
    if (const auto* layout = std::get_if<Layout>(&value.data))
        return c10::IValue(layoutNumber(*layout));
    if (const auto* format = std::get_if<MemoryFormat>(&value.data))
        return c10::IValue(memoryFormatNumber(*format));
    PT2E_ASSIGN(const auto scalar, asScalar(border, value));
    if (!scalar || !scalar->isIntegral(true))
        return mismatch(value, type);
    return c10::IValue(scalar->toLong());
}

Result<c10::IValue> toDeviceValue(const Value& value, const c10::TypePtr& type)
{
    const auto* device = std::get_if<Device>(&value.data);
    const auto* text = std::get_if<std::string>(&value.data);
    if (!device && !text)
        return mismatch(value, type);
    const std::string name = device ? device->type : *text;
    if (name == "meta")
        return fail(ErrorCode::Unsupported, "", "device meta holds no values");
    // Everything runs on the CPU, wherever the program was exported.
    return c10::IValue(c10::Device(at::kCPU));
}

Result<c10::IValue> convert(Border& border, const Value& value, const c10::TypePtr& type,
                            std::optional<int> count);

Result<c10::IValue> toListValue(Border& border, const Value& value, const c10::ListType& type,
                                std::optional<int> count)
{
    c10::impl::GenericList made(type.getElementType());
    if (const Value::List* items = value.list()) {
        made.reserve(items->size());
        for (const Value& item : *items) {
            PT2E_ASSIGN(c10::IValue element,
                        convert(border, item, type.getElementType(), std::nullopt));
            made.push_back(std::move(element));
        }
        return c10::IValue(std::move(made));
    }
    if (!count)
        return badInput("", "expected " + type.annotation_str() + ", got " + describeValue(value));
    // int[2] takes one int for both.
    PT2E_ASSIGN(const c10::IValue element,
                convert(border, value, type.getElementType(), std::nullopt));
    for (int i = 0; i < *count; ++i)
        made.push_back(element);
    return c10::IValue(std::move(made));
}

Result<c10::IValue> toNumberValue(Border& border, const Value& value, const c10::TypePtr& type)
{
    PT2E_ASSIGN(const auto scalar, asScalar(border, value));
    if (!scalar)
        return mismatch(value, type);
    switch (type->kind()) {
    case c10::TypeKind::FloatType:
        if (scalar->isComplex())
            return mismatch(value, type);
        return c10::IValue(scalar->toDouble());
    case c10::TypeKind::BoolType:
        if (!scalar->isIntegral(true))
            return mismatch(value, type);
        return c10::IValue(scalar->toLong() != 0);
    default: return c10::IValue(*scalar);
    }
}

Result<c10::IValue> convert(Border& border, const Value& value, const c10::TypePtr& type,
                            std::optional<int> count)
{
    switch (type->kind()) {
    case c10::TypeKind::OptionalType:
        if (value.isNone())
            return c10::IValue();
        return convert(border, value, type->expectRef<c10::OptionalType>().getElementType(), count);
    case c10::TypeKind::TensorType: return toTensorValue(border, value, type);
    case c10::TypeKind::NumberType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
    case c10::TypeKind::SymFloatType: return toNumberValue(border, value, type);
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: return toIntValue(border, value, type);
    case c10::TypeKind::StringType:
        if (const auto* text = std::get_if<std::string>(&value.data))
            return c10::IValue(*text);
        return mismatch(value, type);
    case c10::TypeKind::DeviceObjType: return toDeviceValue(value, type);
    case c10::TypeKind::ListType:
        return toListValue(border, value, type->expectRef<c10::ListType>(), count);
    default:
        return fail(ErrorCode::Unsupported, "",
                    "cannot pass a value of type " + type->annotation_str());
    }
}

} // namespace

Result<c10::IValue> toIValue(Border& border, const Value& value, const c10::Argument& argument)
{
    std::optional<int> count;
    if (argument.N())
        count = *argument.N();
    auto made = convert(border, value, argument.type(), count);
    if (!made)
        return fail(made.error().code, "argument '" + argument.name() + "'",
                    made.error().message());
    return made;
}

Result<Value> fromIValue(Border& border, const c10::IValue& value)
{
    if (value.isNone())
        return Value{};
    if (value.isTensor()) {
        if (!value.toTensor().defined())
            return Value{};
        PT2E_ASSIGN(Tensor tensor, border.fromAten(value.toTensor()));
        return Value{std::move(tensor)};
    }
    if (value.isBool())
        return Value{value.toBool()};
    if (value.isInt())
        return Value{static_cast<std::int64_t>(value.toInt())};
    if (value.isDouble())
        return Value{value.toDouble()};
    if (value.isComplexDouble())
        return Value{
            std::complex<double>(value.toComplexDouble().real(), value.toComplexDouble().imag())};
    if (value.isString())
        return Value{value.toStringRef()};
    if (value.isList() || value.isTuple()) {
        Value::List items;
        const auto elements =
            value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
        for (const c10::IValue& element : elements) {
            PT2E_ASSIGN(Value item, fromIValue(border, element));
            items.push_back(std::move(item));
        }
        return Value{std::move(items)};
    }
    return fail(ErrorCode::Unsupported, "", "the result is a " + value.tagKind());
}

} // namespace pt2e::torchside
