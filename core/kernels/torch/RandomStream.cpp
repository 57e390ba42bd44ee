// PyTorch's CPU generator (mt19937), one of its own per stream.
#include "core/kernels/torch/TorchKernels.h"

namespace pt2e::torchside {

namespace {

class AtenRandomStream final : public RandomStream
{
public:
    explicit AtenRandomStream(at::Generator generator) : m_generator(std::move(generator)) {}

    Result<Tensor> randn(std::span<const std::int64_t> shape) override
    {
        return draw("randn", [&] {
            return at::randn(sizes(shape), m_generator, at::TensorOptions(at::kFloat));
        });
    }
    Result<Tensor> uniform(std::span<const std::int64_t> shape, double low, double high) override
    {
        return draw("uniform", [&] { return blank(shape).uniform_(low, high, m_generator); });
    }
    Result<Tensor> normal(std::span<const std::int64_t> shape, double mean, double stddev) override
    {
        return draw("normal", [&] { return blank(shape).normal_(mean, stddev, m_generator); });
    }
    std::unique_ptr<RandomStream> clone() const override
    {
        return std::make_unique<AtenRandomStream>(m_generator.clone());
    }

private:
    static at::IntArrayRef sizes(std::span<const std::int64_t> shape)
    {
        return {shape.data(), shape.size()};
    }
    static at::Tensor blank(std::span<const std::int64_t> shape)
    {
        return at::empty(sizes(shape), at::TensorOptions(at::kFloat));
    }
    static Result<Tensor> draw(const std::string& name, const std::function<at::Tensor()>& make)
    {
        auto drawn = guarded(name, [&]() -> Result<Values> {
            PT2E_ASSIGN(Tensor tensor, Border().fromAten(make()));
            return Values{Value{std::move(tensor)}};
        });
        if (!drawn)
            return passOn(drawn);
        return *drawn->front().tensor();
    }

    at::Generator m_generator;
};

} // namespace

std::unique_ptr<RandomStream> makeRandomStream(std::uint64_t seed)
{
    return std::make_unique<AtenRandomStream>(at::detail::createCPUGenerator(seed));
}

} // namespace pt2e::torchside
