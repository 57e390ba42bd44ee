// Python's arithmetic on plain numbers; the expected results were written down from Python.
#include "core/engine/reference/ScalarOps.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace pt2e;
using namespace pt2e::reference;

namespace {

using Whole = std::int64_t;
constexpr Whole kMin = std::numeric_limits<Whole>::min();
constexpr Whole kMax = std::numeric_limits<Whole>::max();

struct Case
{
    const char* function;
    Values args;
    Value expected;
};

Value w(Whole value) { return {value}; }
Value r(double value) { return {value}; }
Value b(bool value) { return {value}; }

std::vector<Case> cases()
{
    return {{"add", {w(2), w(3)}, w(5)},
            {"add", {w(2), r(0.5)}, r(2.5)},
            {"add", {b(true), b(true)}, w(2)},
            {"sub", {w(2), w(3)}, w(-1)},
            {"mul", {w(-4), w(3)}, w(-12)},
            {"mul", {r(1.5), b(true)}, r(1.5)},
            {"floordiv", {w(7), w(2)}, w(3)},
            {"floordiv", {w(-7), w(2)}, w(-4)},
            {"floordiv", {w(7), w(-2)}, w(-4)},
            {"floordiv", {w(-8), w(2)}, w(-4)},
            {"floordiv", {w(5), w(-1)}, w(-5)},
            {"floordiv", {r(-7), w(2)}, r(-4)},
            {"mod", {w(7), w(3)}, w(1)},
            {"mod", {w(-7), w(3)}, w(2)},
            {"mod", {w(7), w(-3)}, w(-2)},
            {"mod", {w(kMin), w(-1)}, w(0)},
            {"mod", {r(-7.5), w(2)}, r(0.5)},
            {"truediv", {w(7), w(2)}, r(3.5)},
            {"pow", {w(2), w(10)}, w(1024)},
            {"pow", {w(-3), w(3)}, w(-27)},
            {"pow", {w(2), w(-1)}, r(0.5)},
            {"pow", {w(0), w(0)}, w(1)},
            {"lshift", {w(3), w(4)}, w(48)},
            {"rshift", {w(-5), w(1)}, w(-3)},
            {"rshift", {w(5), w(100)}, w(0)},
            {"lshift", {w(0), w(100)}, w(0)},
            {"and_", {b(true), b(false)}, b(false)},
            {"or_", {b(true), b(false)}, b(true)},
            {"and_", {w(6), w(3)}, w(2)},
            {"eq", {w(1), r(1)}, b(true)},
            {"ne", {w(1), b(true)}, b(false)},
            {"lt", {w(kMax - 1), w(kMax)}, b(true)},
            {"le", {r(NAN), r(NAN)}, b(false)},
            {"gt", {w(2), w(1)}, b(true)},
            {"ge", {w(1), w(2)}, b(false)},
            {"neg", {w(5)}, w(-5)},
            {"neg", {r(0.5)}, r(-0.5)},
            {"pos", {b(true)}, w(1)},
            {"sym_not", {b(true)}, b(false)},
            {"sym_int", {r(-2.7)}, w(-2)},
            {"sym_float", {w(3)}, r(3)},
            {"trunc", {r(2.7)}, w(2)},
            {"_sym_sqrt", {w(16)}, r(4)},
            {"sym_max", {w(2), w(3)}, w(3)},
            {"sym_min", {w(2), w(3)}, w(2)},
            {"sym_max", {w(2), r(1.5)}, r(2)},
            {"sym_ite", {b(false), w(1), w(2)}, w(2)},
            {"sym_sum", {{Value::List{w(1), w(2), w(3)}}}, w(6)}};
}

std::vector<Case> failures()
{
    return {{"add", {w(kMax), w(1)}, {}},
            {"sub", {w(kMin), w(1)}, {}},
            {"mul", {w(kMax), w(2)}, {}},
            {"neg", {w(kMin)}, {}},
            {"floordiv", {w(kMin), w(-1)}, {}},
            {"floordiv", {w(1), w(0)}, {}},
            {"mod", {w(1), w(0)}, {}},
            {"truediv", {w(1), w(0)}, {}},
            {"mod", {r(1), r(0)}, {}},
            {"pow", {w(10), w(19)}, {}},
            {"pow", {w(0), w(-1)}, {}},
            {"lshift", {w(1), w(63)}, {}},
            {"lshift", {w(1), w(-1)}, {}},
            {"sym_int", {r(1e19)}, {}},
            {"sym_int", {r(NAN)}, {}},
            {"_sym_sqrt", {w(-1)}, {}},
            {"add", {w(1), {}}, {}},
            {"add", {w(1), w(2), w(3)}, {}},
            {"and_", {r(1), r(2)}, {}},
            {"neg", {{std::string("a")}}, {}}};
}

} // namespace

class TestScalarOps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void results()
    {
        for (const Case& c : cases()) {
            const auto got = callScalar(c.function, c.args);
            QVERIFY2(got, c.function);
            QCOMPARE(got->data.index(), c.expected.data.index());
            if (const auto* real = std::get_if<double>(&c.expected.data))
                QCOMPARE(std::get<double>(got->data), *real);
            else if (const auto* whole = std::get_if<Whole>(&c.expected.data))
                QVERIFY2(std::get<Whole>(got->data) == *whole, c.function);
            else
                QVERIFY2(std::get<bool>(got->data) == std::get<bool>(c.expected.data), c.function);
        }
    }

    void errors()
    {
        for (const Case& c : failures()) {
            const auto got = callScalar(c.function, c.args);
            QVERIFY2(!got && !got.error().what.empty(), c.function);
        }
    }

    void spellings()
    {
        QCOMPARE(scalarFunction("_operator.mul"), std::string("mul"));
        QCOMPARE(scalarFunction("operator.mul"), std::string("mul"));
        QCOMPARE(scalarFunction("torch.sym_float"), std::string("sym_float"));
        QCOMPARE(scalarFunction("math.trunc"), std::string("trunc"));
        QCOMPARE(scalarFunction("ge"), std::string("ge"));
        QCOMPARE(scalarFunction("aten.mul.Tensor"), std::string());
        QCOMPARE(scalarFunction("getitem"), std::string());
    }
};

QTEST_GUILESS_MAIN(TestScalarOps)
#include "tst_scalar_ops.moc"
