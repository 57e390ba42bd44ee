// torchvision.models.squeezenet1_1: fire modules, which end in a cat.
#include "core/zoo/Models.h"
#include "core/zoo/ModuleBuilder.h"

#include <variant>

namespace pt2e::zoo {

namespace {

constexpr const char* kSequential = "torch.nn.modules.container.Sequential";
constexpr const char* kReluClass = "torch.nn.modules.activation.ReLU";
constexpr const char* kPoolClass = "torch.nn.modules.pooling.MaxPool2d";
constexpr std::int64_t kClasses = 1000;
constexpr MaxPool2d kPool = {.kernel = 3, .stride = 2, .padding = 0, .ceilMode = true};

struct Fire
{
    std::int64_t in;
    std::int64_t squeeze;
    std::int64_t expand; ///< of each of the two branches
};

/// features.2 and on; std::monostate is a max pool.
const std::vector<std::variant<std::monostate, Fire>>& features()
{
    static const std::vector<std::variant<std::monostate, Fire>> all = {
        {},
        Fire{64, 16, 64},
        Fire{128, 16, 64},
        {},
        Fire{128, 32, 128},
        Fire{256, 32, 128},
        {},
        Fire{256, 48, 192},
        Fire{384, 48, 192},
        Fire{384, 64, 256},
        Fire{512, 64, 256},
    };
    return all;
}

std::string feature(std::size_t index) { return "features." + std::to_string(index); }

void declareFire(ModuleBuilder& m, const std::string& path, const Fire& fire)
{
    m.module(path, "torchvision.models.squeezenet.Fire");
    m.conv2d(path + ".squeeze", {.in = fire.in, .out = fire.squeeze});
    m.conv2d(path + ".expand1x1", {.in = fire.squeeze, .out = fire.expand});
    m.conv2d(path + ".expand3x3",
             {.in = fire.squeeze, .out = fire.expand, .kernel = 3, .padding = 1});
    for (const char* name : {".squeeze", ".expand1x1", ".expand3x3"})
        m.module(path + name + "_activation", kReluClass);
}

Traced callFire(ModuleBuilder& m, const std::string& path, Traced x)
{
    const auto activated = [&](const std::string& name, Traced input) {
        return m.callRelu(path + name + "_activation", m.callConv2d(path + name, input));
    };
    const Traced squeezed = activated(".squeeze", x);
    const Traced one = activated(".expand1x1", squeezed);
    const Traced three = activated(".expand3x3", squeezed);
    return m.call(path, "aten.cat.default", {Argument::list({one.node, three.node}), 1},
                  "builtin_function_or_method");
}

void declare(ModuleBuilder& m)
{
    m.module("features", kSequential);
    m.conv2d(feature(0), {.in = 3, .out = 64, .kernel = 3, .stride = 2});
    m.module(feature(1), kReluClass);
    for (std::size_t i = 0; i < features().size(); ++i) {
        if (const Fire* fire = std::get_if<Fire>(&features()[i]))
            declareFire(m, feature(i + 2), *fire);
        else
            m.module(feature(i + 2), kPoolClass);
    }
    m.module("classifier", kSequential);
    m.module("classifier.0", "torch.nn.modules.dropout.Dropout");
    m.conv2d("classifier.1", {.in = 512, .out = kClasses});
    m.module("classifier.2", kReluClass);
    m.module("classifier.3", "torch.nn.modules.pooling.AdaptiveAvgPool2d");
    for (const std::string& path : m.modulesOf(kConv2dClass)) {
        if (path == "classifier.1")
            m.normal(path + ".weight", 0, 0.01);
        else
            m.kaimingUniform(path + ".weight", Fan::In);
        m.constant(path + ".bias", 0);
    }
}

} // namespace

Result<ZooModel> squeezeNet11(const Kernels& torch, const ZooOptions& options)
{
    ModuleBuilder m(torch, options.seed, "torchvision.models.squeezenet.SqueezeNet");
    declare(m);

    Traced x = m.callConv2d(feature(0), m.input("x", {1, 3, 224, 224}));
    x = m.callRelu(feature(1), x);
    for (std::size_t i = 0; i < features().size(); ++i) {
        const std::string path = feature(i + 2);
        const Fire* fire = std::get_if<Fire>(&features()[i]);
        x = fire ? callFire(m, path, x) : m.callMaxPool2d(path, x, kPool);
    }
    x = m.callDropout("classifier.0", x, 0.5);
    x = m.callRelu("classifier.2", m.callConv2d("classifier.1", x));
    x = m.callAdaptiveAvgPool2d("classifier.3", x);
    return m.finish(
        m.call("", "aten.flatten.using_ints", {x.node, 1}, "builtin_function_or_method"));
}

} // namespace pt2e::zoo
