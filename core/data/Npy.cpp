#include "core/data/Npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace pt2e {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader =
    1 << 16; ///< NumPy's own limit for files it does not trust is 10,000
constexpr std::size_t kMaxRank = 64; ///< NumPy's

struct TypeCode
{
    std::string_view code;
    DType dtype;
};
constexpr std::array kTypeCodes{
    TypeCode{"b1", DType::Bool},      TypeCode{"i1", DType::Int8},
    TypeCode{"i2", DType::Int16},     TypeCode{"i4", DType::Int32},
    TypeCode{"i8", DType::Int64},     TypeCode{"u1", DType::UInt8},
    TypeCode{"u2", DType::UInt16},    TypeCode{"u4", DType::UInt32},
    TypeCode{"u8", DType::UInt64},    TypeCode{"f2", DType::Float16},
    TypeCode{"f4", DType::Float32},   TypeCode{"f8", DType::Float64},
    TypeCode{"c8", DType::Complex64}, TypeCode{"c16", DType::Complex128}};

tl::unexpected<Error> badHeader(const std::string& what)
{
    return badInput("", ".npy header: " + what);
}

/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (4, 8), }.
class HeaderParser
{
public:
    explicit HeaderParser(std::string_view text) : m_text(text) {}

    Result<NpyHeader> parse()
    {
        if (!take('{'))
            return badHeader("does not start with '{'");
        while (!take('}')) {
            PT2E_ASSIGN(const std::string key, quoted());
            if (!take(':'))
                return badHeader("':' expected after '" + key + "'");
            PT2E_TRY(entry(key));
            if (!take(',') && peek() != '}')
                return badHeader("',' or '}' expected");
        }
        if (peek() != '\0')
            return badHeader("text after '}'");
        if (!m_hasType || !m_hasOrder || !m_hasShape)
            return badHeader("descr, fortran_order and shape are needed");
        return m_header;
    }

private:
    char peek()
    {
        while (m_at < m_text.size()
               && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t'))
            ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char wanted)
    {
        if (peek() != wanted || m_at >= m_text.size())
            return false;
        ++m_at;
        return true;
    }
    bool takeWord(std::string_view word)
    {
        peek();
        if (!m_text.substr(m_at).starts_with(word))
            return false;
        m_at += word.size();
        return true;
    }
    Result<std::string> quoted()
    {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            return badHeader("a quoted text was expected (structured types are not supported)");
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos)
            return badHeader("a text does not end");
        std::string text(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return text;
    }
    Result<void> entry(const std::string& key)
    {
        bool* seen = key == "descr"           ? &m_hasType
                     : key == "fortran_order" ? &m_hasOrder
                     : key == "shape"         ? &m_hasShape
                                              : nullptr;
        if (!seen)
            return badHeader("unknown key '" + key.substr(0, 40) + "'");
        if (*seen)
            return badHeader("key '" + key + "' stands twice");
        *seen = true;
        if (key == "descr")
            return type();
        if (key == "shape")
            return shape();
        m_header.isFortranOrder = takeWord("True");
        if (!m_header.isFortranOrder && !takeWord("False"))
            return badHeader("fortran_order is neither True nor False");
        return {};
    }
    Result<void> type()
    {
        PT2E_ASSIGN(const std::string text, quoted());
        const std::string_view code =
            std::string_view(text).substr(std::min<std::size_t>(1, text.size()));
        const auto known = std::find_if(kTypeCodes.begin(), kTypeCodes.end(),
                                        [&](const TypeCode& t) { return t.code == code; });
        const char order = text.empty() ? '\0' : text.front();
        if (order == 'O' || code.starts_with('O'))
            return badHeader("Python objects are not read");
        if (known == kTypeCodes.end()
            || std::string_view("<>=|").find(order) == std::string_view::npos)
            return badHeader("unsupported type '" + text.substr(0, 40) + "'");
        m_header.dtype = known->dtype;
        m_header.isBigEndian = order == '>';
        return {};
    }
    Result<void> shape()
    {
        if (!take('('))
            return badHeader("shape is not a tuple");
        while (!take(')')) {
            peek();
            std::int64_t size = 0;
            const char* const begin = m_text.data() + m_at;
            const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), size);
            if (error != std::errc() || size < 0)
                return badHeader("a size is not a number from 0 to 2^63-1");
            m_at += static_cast<std::size_t>(end - begin);
            if (m_header.shape.size() == kMaxRank)
                return badHeader(fmt::format("more than {} dimensions", kMaxRank));
            m_header.shape.push_back(size);
            take('L'); // Python 2 wrote it
            if (!take(',') && peek() != ')')
                return badHeader("',' or ')' expected in shape");
        }
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    NpyHeader m_header;
    bool m_hasType = false, m_hasOrder = false, m_hasShape = false;
};

/// Bytes of the array, or nothing if they do not fit into 63 bits.
std::optional<std::size_t> byteCountOf(const NpyHeader& header)
{
    std::int64_t bytes = static_cast<std::int64_t>(elementSize(header.dtype));
    bool isEmpty = false;
    for (const std::int64_t size : header.shape) {
        isEmpty = isEmpty || size == 0;
        if (size != 0 && __builtin_mul_overflow(bytes, size, &bytes))
            return std::nullopt;
    }
    return isEmpty ? 0 : static_cast<std::size_t>(bytes);
}

void swapBytes(std::span<std::byte> data, DType dtype)
{
    const bool isComplex = dtype == DType::Complex64 || dtype == DType::Complex128;
    const std::size_t step = elementSize(dtype) / (isComplex ? 2 : 1);
    for (std::size_t at = 0; at + step <= data.size(); at += step)
        std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                     data.begin() + static_cast<std::ptrdiff_t>(at + step));
}

std::vector<std::int64_t> fortranStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides;
    std::int64_t step = 1;
    for (const std::int64_t size : shape) {
        strides.push_back(step);
        step *= std::max<std::int64_t>(size, 1);
    }
    return strides;
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> file)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (!text.starts_with(kMagic))
        return badInput("", "not a .npy array");
    if (text.size() < 12)
        return badInput("", ".npy array is cut off in its header");
    const int version = static_cast<unsigned char>(text[6]);
    if (version < 1 || version > 3)
        return badInput("", fmt::format(".npy version {} is not known", version));
    const std::size_t countBytes = version == 1 ? 2 : 4;
    std::size_t length = 0;
    for (std::size_t i = 0; i < countBytes; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(text[8 + i])) << (8 * i);
    const std::size_t start = 8 + countBytes;
    if (length > kMaxHeader)
        return badHeader(fmt::format("{} bytes long", length));
    if (length > text.size() - start)
        return badInput("", ".npy array is cut off in its header");
    PT2E_ASSIGN(NpyHeader header, HeaderParser(text.substr(start, length)).parse());
    header.dataOffset = start + length;
    return header;
}

Result<Tensor> readNpy(std::span<const std::byte> file)
{
    PT2E_ASSIGN(const NpyHeader header, parseNpyHeader(file));
    const auto promised = byteCountOf(header);
    const std::size_t present = file.size() - header.dataOffset;
    if (!promised || *promised != present)
        return badInput(
            "", fmt::format(".npy array has {} bytes of data, its header promises {}", present,
                            promised ? std::to_string(*promised) : std::string("more than 2^63")));
    Storage::Allocation memory = Storage::allocate(present);
    if (present > 0)
        std::memcpy(memory.data.data(), file.data() + header.dataOffset, present);
    if (header.isBigEndian)
        swapBytes(memory.data, header.dtype);
    const auto isBadBool = [](std::byte value) { return value > std::byte{1}; };
    if (header.dtype == DType::Bool
        && std::any_of(memory.data.begin(), memory.data.end(), isBadBool))
        return badInput("", ".npy array holds a bool that is neither 0 nor 1");
    auto storage = std::make_shared<const Storage>(Storage::Bytes{memory.memory, memory.data});
    if (!header.isFortranOrder)
        return Tensor(std::move(storage), header.dtype, header.shape,
                      Tensor::contiguousStrides(header.shape));
    return Tensor(std::move(storage), header.dtype, header.shape, fortranStrides(header.shape))
        .contiguous();
}

Result<std::vector<std::byte>> writeNpy(const Tensor& given)
{
    PT2E_ASSIGN(Tensor tensor, given.contiguous());
    auto code = std::find_if(kTypeCodes.begin(), kTypeCodes.end(),
                             [&](const TypeCode& t) { return t.dtype == tensor.dtype(); });
    if (code == kTypeCodes.end()) {
        if (!isFloatingPoint(tensor.dtype()))
            return fail(ErrorCode::Unsupported, "",
                        fmt::format("NumPy has no type for {}", dtypeName(tensor.dtype())));
        PT2E_ASSIGN(const std::vector<double> wide, tensor.toDoubles());
        const std::vector<float> values(wide.begin(), wide.end());
        tensor = Tensor::fromValues<float>(DType::Float32, tensor.shape(), values);
        code = std::find_if(kTypeCodes.begin(), kTypeCodes.end(),
                            [](const TypeCode& t) { return t.dtype == DType::Float32; });
    }
    std::string shape;
    for (const std::int64_t size : tensor.shape())
        shape += fmt::format("{}, ", size);
    if (tensor.shape().size() > 1)
        shape.resize(shape.size() - 2);
    else if (tensor.shape().size() == 1)
        shape.resize(shape.size() - 1);
    std::string header =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                    elementSize(tensor.dtype()) == 1 ? '|' : '<', code->code, shape);
    constexpr std::size_t kBefore = 10; // magic, version, length
    const std::size_t padding = 64 - (kBefore + header.size() + 1) % 64;
    header += std::string(padding % 64, ' ') + '\n';
    std::string file(kMagic);
    file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
             static_cast<char>(header.size() >> 8)};
    file += header;
    PT2E_ASSIGN(const std::span<const std::byte> data, tensor.bytes());
    const auto head = std::as_bytes(std::span(file));
    std::vector<std::byte> all(head.begin(), head.end());
    all.insert(all.end(), data.begin(), data.end());
    return all;
}

} // namespace pt2e
