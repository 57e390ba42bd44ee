#include "core/pt2/Pickle.h"

#include <bit>
#include <cstring>

namespace pt2e::pt2 {

namespace {

constexpr std::size_t kMaxStack = 1'000'000;
constexpr std::size_t kMaxMemo = 1'000'000;
constexpr std::size_t kMaxValues = 3'000'000;
constexpr std::size_t kMaxItems = 12'000'000;

class Unpickler
{
public:
    Unpickler(std::span<const std::byte> bytes, const std::string& where)
        : m_bytes(bytes),
          m_where(where)
    {}

    Result<Pickle> run()
    {
        while (!m_isDone) {
            m_opcodeAt = m_at;
            PT2E_ASSIGN(const std::span<const std::byte> code, take(1));
            PT2E_TRY(step(std::to_integer<std::uint8_t>(code[0])));
            if (m_out.values.size() > kMaxValues || m_stack.size() > kMaxStack
                || m_itemCount > kMaxItems)
                return wrong("too many values");
        }
        return std::move(m_out);
    }

private:
    tl::unexpected<Error> wrong(const std::string& what) const
    {
        return badInput(m_where + ": byte " + std::to_string(m_opcodeAt), "bad pickle: " + what);
    }

    Result<std::span<const std::byte>> take(std::size_t count)
    {
        if (count > m_bytes.size() - m_at)
            return wrong("it ends too early");
        m_at += count;
        return m_bytes.subspan(m_at - count, count);
    }
    Result<std::uint64_t> number(std::size_t count)
    {
        PT2E_ASSIGN(const std::span<const std::byte> bytes, take(count));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value |= std::uint64_t{std::to_integer<std::uint8_t>(bytes[i])} << (8 * i);
        return value;
    }
    Result<std::string_view> text(std::size_t count)
    {
        PT2E_ASSIGN(const std::span<const std::byte> bytes, take(count));
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), count);
    }
    Result<std::string_view> line()
    {
        const std::size_t from = m_at;
        while (m_at < m_bytes.size() && std::to_integer<char>(m_bytes[m_at]) != '\n')
            ++m_at;
        if (m_at == m_bytes.size())
            return wrong("a name does not end");
        ++m_at;
        return std::string_view(reinterpret_cast<const char*>(m_bytes.data() + from),
                                m_at - 1 - from);
    }

    PickleRef make(PickleValue value)
    {
        m_itemCount += value.items.size();
        m_out.values.push_back(std::move(value));
        return static_cast<PickleRef>(m_out.values.size() - 1);
    }
    void push(PickleValue value) { m_stack.push_back(make(std::move(value))); }
    void push(PickleKind kind) { push(PickleValue{kind, 0, 0, {}, {}}); }
    void pushInt(std::int64_t value, PickleKind kind = PickleKind::Int)
    {
        push(PickleValue{kind, value, 0, {}, {}});
    }
    PickleKind kindOf(PickleRef ref) const { return m_out.values[ref].kind; }

    Result<PickleRef> pop()
    {
        if (m_stack.empty() || kindOf(m_stack.back()) == PickleKind::Mark)
            return wrong("its stack is empty");
        const PickleRef top = m_stack.back();
        m_stack.pop_back();
        return top;
    }
    Result<std::vector<PickleRef>> popToMark()
    {
        std::size_t from = m_stack.size();
        while (from > 0 && kindOf(m_stack[from - 1]) != PickleKind::Mark)
            --from;
        if (from == 0)
            return wrong("a mark is missing");
        std::vector<PickleRef> items(m_stack.begin() + static_cast<std::ptrdiff_t>(from),
                                     m_stack.end());
        m_stack.resize(from - 1);
        return items;
    }
    Result<void> pushTuple(std::size_t count)
    {
        PickleValue tuple{PickleKind::Tuple, 0, 0, {}, std::vector<PickleRef>(count)};
        for (std::size_t i = count; i-- > 0;) {
            PT2E_ASSIGN(tuple.items[i], pop());
        }
        push(std::move(tuple));
        return {};
    }

    Result<void> memoize(std::uint64_t index)
    {
        if (m_stack.empty() || kindOf(m_stack.back()) == PickleKind::Mark)
            return wrong("nothing to remember");
        if (index >= kMaxMemo)
            return wrong("memo index " + std::to_string(index) + " is too large");
        if (m_memo.size() <= index)
            m_memo.resize(index + 1, kNothing);
        m_memo[index] = m_stack.back();
        return {};
    }
    Result<void> recall(std::uint64_t index)
    {
        if (index >= m_memo.size() || m_memo[index] == kNothing)
            return wrong("memo index " + std::to_string(index) + " was never set");
        m_stack.push_back(m_memo[index]);
        return {};
    }

    /// APPEND(S) and SETITEM(S) act on the value below; only a list, only a dict.
    Result<void> extend(PickleKind kind, const std::vector<PickleRef>& items)
    {
        if (m_stack.empty())
            return wrong("its stack is empty");
        PickleValue& target = m_out.values[m_stack.back()];
        if (target.kind == PickleKind::Opaque)
            return {};
        if (target.kind != kind)
            return wrong(kind == PickleKind::Dict ? "sets an item of something that is no dict"
                                                  : "appends to something that is no list");
        if (kind == PickleKind::Dict && items.size() % 2 != 0)
            return wrong("sets a key without a value");
        target.items.insert(target.items.end(), items.begin(), items.end());
        m_itemCount += items.size();
        return {};
    }

    Result<void> persistent()
    {
        PT2E_ASSIGN(const PickleRef id, pop());
        const PickleValue value = m_out.values[id];
        if (value.kind != PickleKind::Tuple || value.items.size() != 5
            || m_out.values[value.items[0]].text != "storage")
            return wrong("a persistent id is no storage");
        push(PickleValue{
            PickleKind::Storage, 0, 0, {}, {value.items.begin() + 1, value.items.end()}});
        return {};
    }

    Result<void> pushGlobal(std::string_view full)
    {
        constexpr std::string_view kTorch = "torch\n";
        if (full.starts_with(kTorch)) {
            if (const auto dtype = dtypeFromName(full.substr(kTorch.size()))) {
                pushInt(static_cast<std::int64_t>(*dtype), PickleKind::DType);
                return {};
            }
        }
        push(PickleValue{PickleKind::Global, 0, 0, full, {}});
        return {};
    }

    Result<void> reduce()
    {
        PT2E_ASSIGN(const PickleRef argumentsRef, pop());
        PT2E_ASSIGN(const PickleRef functionRef, pop());
        const PickleValue function = m_out.values[functionRef];
        if (kindOf(argumentsRef) != PickleKind::Tuple)
            return wrong("calls with something that is no tuple");
        std::vector<PickleRef> arguments = m_out.values[argumentsRef].items;
        if (function.kind != PickleKind::Global) {
            push(PickleValue{PickleKind::Opaque, 0, 0, "object", {}});
            return {};
        }
        return pushCall(function.text, std::move(arguments));
    }

    Result<void> pushCall(std::string_view name, std::vector<PickleRef> arguments)
    {
        const std::size_t count = arguments.size();
        const auto data = [&](PickleKind kind, std::size_t from, std::size_t to) {
            push(PickleValue{kind,
                             0,
                             0,
                             {},
                             {arguments.begin() + static_cast<std::ptrdiff_t>(from),
                              arguments.begin() + static_cast<std::ptrdiff_t>(to)}});
        };
        if (name == "collections\nOrderedDict" && count <= 1) {
            return pushOrderedDict(arguments);
        } else if (name == "torch._utils\n_rebuild_tensor_v2" && count >= 6) {
            data(PickleKind::Tensor, 0, 5);
        } else if (name == "torch._utils\n_rebuild_tensor_v3" && count >= 7) {
            arguments[5] = arguments[6];
            data(PickleKind::Tensor, 0, 6);
        } else if ((name == "torch._utils\n_rebuild_parameter"
                    || name == "torch._utils\n_rebuild_parameter_with_state")
                   && count >= 2) {
            data(PickleKind::Parameter, 0, 2);
        } else if (name == "torch\ndevice" && count >= 1 && count <= 2) {
            data(PickleKind::Device, 0, count);
        } else if (name == "torch\nSize" && count == 1
                   && kindOf(arguments[0]) == PickleKind::Tuple) {
            m_stack.push_back(arguments[0]);
        } else {
            push(PickleValue{PickleKind::Opaque, 0, 0, name, {}});
        }
        return {};
    }

    Result<void> pushOrderedDict(const std::vector<PickleRef>& arguments)
    {
        PickleValue dict{PickleKind::Dict, 0, 0, {}, {}};
        if (!arguments.empty()) {
            for (const PickleRef pair : m_out.values[arguments[0]].items) {
                const PickleValue& entry = m_out.values[pair];
                if (entry.items.size() != 2)
                    return wrong("an ordered dict is not made of pairs");
                dict.items.insert(dict.items.end(), entry.items.begin(), entry.items.end());
            }
        }
        push(std::move(dict));
        return {};
    }

    Result<void> build()
    {
        PT2E_TRY(pop()); // the state: a module's metadata, ignored
        if (m_stack.empty() || kindOf(m_stack.back()) == PickleKind::Mark)
            return wrong("its stack is empty");
        return {};
    }

    Result<void> stepNumber(std::uint8_t code)
    {
        if (code == 'G') {
            PT2E_ASSIGN(const std::span<const std::byte> bytes, take(8));
            std::uint64_t bits = 0;
            for (const std::byte byte : bytes)
                bits = bits << 8 | std::to_integer<std::uint8_t>(byte);
            push(PickleValue{PickleKind::Float, 0, std::bit_cast<double>(bits), {}, {}});
            return {};
        }
        std::size_t length = code == 'K' ? 1 : code == 'M' ? 2 : 4;
        if (code == 0x8a) {
            PT2E_ASSIGN(length, number(1));
            if (length > 8)
                return wrong("an integer has more than 64 bits");
        }
        PT2E_ASSIGN(std::uint64_t value, number(length));
        const bool isSigned = code == 'J' || code == 0x8a;
        if (isSigned && length > 0 && length < 8 && (value >> (8 * length - 1)) != 0)
            value |= ~std::uint64_t{0} << (8 * length);
        pushInt(static_cast<std::int64_t>(value));
        return {};
    }

    Result<void> stepText(std::uint8_t code)
    {
        if (code == 'c') {
            const std::size_t from = m_at;
            PT2E_TRY(line());
            PT2E_TRY(line());
            // "module\nname" as it stands in the file.
            return pushGlobal(
                {reinterpret_cast<const char*>(m_bytes.data() + from), m_at - 1 - from});
        }
        PT2E_ASSIGN(const std::uint64_t length, number(code == 'X' ? 4 : 1));
        PT2E_ASSIGN(const std::string_view string, text(length));
        push(PickleValue{PickleKind::String, 0, 0, string, {}});
        return {};
    }

    Result<void> stepMemo(std::uint8_t code)
    {
        if (code == 0x94)
            return memoize(m_memo.size());
        PT2E_ASSIGN(const std::uint64_t index, number(code == 'q' || code == 'h' ? 1 : 4));
        return code == 'q' || code == 'r' ? memoize(index) : recall(index);
    }

    Result<void> stepCollect(std::uint8_t code)
    {
        std::vector<PickleRef> items;
        if (code == 'u' || code == 'e' || code == 't') {
            PT2E_ASSIGN(items, popToMark());
        } else {
            items.resize(code == 's' ? 2 : 1);
            for (std::size_t i = items.size(); i-- > 0;) {
                PT2E_ASSIGN(items[i], pop());
            }
        }
        if (code == 't') {
            push(PickleValue{PickleKind::Tuple, 0, 0, {}, std::move(items)});
            return {};
        }
        return extend(code == 'u' || code == 's' ? PickleKind::Dict : PickleKind::List, items);
    }

    Result<void> step(std::uint8_t code)
    {
        switch (code) {
        case 0x80: { // PROTO
            PT2E_ASSIGN(const std::uint64_t version, number(1));
            return version <= 4 ? Result<void>{} : wrong("protocol " + std::to_string(version));
        }
        case '.': { // STOP
            PT2E_ASSIGN(m_out.root, pop());
            m_isDone = true;
            return {};
        }
        case '(': push(PickleKind::Mark); return {};
        case 'N': push(PickleKind::None); return {};
        case '}': push(PickleKind::Dict); return {};
        case ']': push(PickleKind::List); return {};
        case ')': return pushTuple(0);
        case 0x85: return pushTuple(1);
        case 0x86: return pushTuple(2);
        case 0x87: return pushTuple(3);
        case 0x88: pushInt(1, PickleKind::Bool); return {};
        case 0x89: pushInt(0, PickleKind::Bool); return {};
        case 'K':
        case 'M':
        case 'J':
        case 'G':
        case 0x8a: return stepNumber(code);
        case 'X':
        case 0x8c:
        case 'c': return stepText(code);
        case 'q':
        case 'r':
        case 'h':
        case 'j':
        case 0x94: return stepMemo(code);
        case 't':
        case 'u':
        case 'e':
        case 's':
        case 'a': return stepCollect(code);
        case 'Q': return persistent();
        case 'R': return reduce();
        case 'b': return build();
        default: break;
        }
        return wrong("opcode " + std::to_string(code) + " is not allowed");
    }

    static constexpr PickleRef kNothing = ~PickleRef{0};
    std::span<const std::byte> m_bytes;
    const std::string& m_where;
    std::size_t m_at = 0;
    std::size_t m_opcodeAt = 0;
    std::size_t m_itemCount = 0;
    std::vector<PickleRef> m_stack;
    std::vector<PickleRef> m_memo;
    Pickle m_out;
    bool m_isDone = false;
};

} // namespace

Result<Pickle> readPickle(std::span<const std::byte> bytes, const std::string& where)
{
    return Unpickler(bytes, where).run();
}

} // namespace pt2e::pt2
