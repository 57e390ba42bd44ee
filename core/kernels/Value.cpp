#include "core/kernels/Value.h"

namespace pt2e {

namespace {

struct Describe
{
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return "int " + std::to_string(value); }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const std::string&) const { return "str"; }
    std::string operator()(const Tensor& tensor) const
    {
        if (!tensor.isValid())
            return "no tensor";
        return "tensor " + std::string(dtypeName(tensor.dtype())) + " "
               + shapeText(tensor.meta().shape);
    }
    std::string operator()(DType dtype) const { return "dtype " + std::string(dtypeName(dtype)); }
    std::string operator()(const Device& device) const { return "device " + device.type; }
    std::string operator()(Layout) const { return "layout"; }
    std::string operator()(MemoryFormat) const { return "memory format"; }
    std::string operator()(const Value::List& list) const
    {
        return "list of " + std::to_string(list.size());
    }
    std::string operator()(const std::complex<double>&) const { return "complex"; }
};

} // namespace

std::string describeValue(const Value& value) { return std::visit(Describe{}, value.data); }

} // namespace pt2e
