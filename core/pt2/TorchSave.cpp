#include "core/pt2/TorchSave.h"

#include "core/pt2/Enums.h"

#include <algorithm>
#include <limits>

namespace pt2e::pt2 {

namespace {

constexpr std::uint64_t kMaxPickle = 256u << 20;
constexpr std::size_t kMaxRank = 64;

} // namespace

Result<TorchSave> TorchSave::open(Storage::Bytes bytes, const std::string& label)
{
    TorchSave made;
    made.m_label = label;
    PT2E_ASSIGN(ZipReader zip, ZipReader::open(std::move(bytes), label));
    made.m_zip = std::make_shared<const ZipReader>(std::move(zip));
    if (made.m_zip->entries().empty())
        return badInput(label, "holds no records");
    const std::string& first = made.m_zip->entries().front().name;
    const std::size_t slash = first.find('/');
    if (slash == std::string::npos)
        return badInput(label, "is not a torch.save file: its records have no folder");
    made.m_root = first.substr(0, slash + 1);
    if (const ZipEntry* order = made.m_zip->find(made.m_root + "byteorder")) {
        PT2E_ASSIGN(const std::string text, made.m_zip->readText(order->name, 64));
        if (text != "little")
            return badInput(label, "was written on a big-endian machine");
    }
    const ZipEntry* pickle = made.m_zip->find(made.m_root + "data.pkl");
    if (!pickle)
        return badInput(label, "is not a torch.save file: data.pkl is missing");
    PT2E_ASSIGN(made.m_pickleBytes, made.m_zip->read(*pickle, kMaxPickle));
    PT2E_ASSIGN(made.m_pickle, readPickle(made.m_pickleBytes.data, label + ": data.pkl"));
    return made;
}

Result<WeightMap> TorchSave::weights()
{
    const PickleValue& root = m_pickle[m_pickle.root];
    if (root.kind != PickleKind::Dict)
        return wrong("does not hold a dict of tensors");
    WeightMap found;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
        const PickleValue& key = m_pickle[root.items[i]];
        if (key.kind != PickleKind::String || !isCleanUtf8(key.text))
            return wrong("a name of its dict is no string");
        PT2E_ASSIGN(Weight entry, weight(root.items[i + 1]));
        found.set(std::string(key.text), std::move(entry));
    }
    return found;
}

Result<Weight> TorchSave::weight(PickleRef ref)
{
    Weight found;
    const PickleValue* value = &m_pickle[ref];
    if (value->kind == PickleKind::Parameter) {
        found.isParameter = true;
        const PickleValue& wanted = m_pickle[value->items[1]];
        found.requiresGrad = wanted.kind == PickleKind::Bool && wanted.integer != 0;
        value = &m_pickle[value->items[0]];
    } else if (value->kind == PickleKind::Tensor) {
        const PickleValue& wanted = m_pickle[value->items[4]];
        found.requiresGrad = wanted.kind == PickleKind::Bool && wanted.integer != 0;
    }
    if (value->kind != PickleKind::Tensor) {
        std::string what(value->text);
        std::replace(what.begin(), what.end(), '\n', '.');
        found.problem =
            "needs Python: "
            + (what.empty() || !isCleanUtf8(what) ? std::string("not a plain tensor") : what);
        return found;
    }
    PT2E_ASSIGN(found.tensor, tensor(*value));
    return found;
}

Result<Value> TorchSave::leaf(PickleRef ref)
{
    const PickleValue& value = m_pickle[ref];
    switch (value.kind) {
    case PickleKind::None: return Value{};
    case PickleKind::Bool: return Value{value.integer != 0};
    case PickleKind::Int: return Value{value.integer};
    case PickleKind::Float: return Value{value.real};
    case PickleKind::String: return Value{std::string(value.text)};
    case PickleKind::DType: return Value{static_cast<DType>(value.integer)};
    case PickleKind::Device: {
        const PickleValue& type = m_pickle[value.items[0]];
        const bool hasIndex = value.items.size() > 1;
        return Value{Device{std::string(type.text),
                            hasIndex ? static_cast<int>(m_pickle[value.items[1]].integer) : -1}};
    }
    case PickleKind::Tensor:
    case PickleKind::Parameter: {
        PT2E_ASSIGN(Weight found, weight(ref));
        if (!found.problem.empty())
            return wrong(found.problem);
        return Value{std::move(found.tensor)};
    }
    default: return wrong("holds something other than tensors, numbers and text");
    }
}

Result<Tensor> TorchSave::tensor(const PickleValue& value)
{
    const PickleValue& source = m_pickle[value.items[0]];
    if (source.kind != PickleKind::Storage)
        return wrong("a tensor has no storage");
    DType dtype{};
    PT2E_ASSIGN(std::shared_ptr<const Storage> bytes, storage(source, dtype));
    if (value.items.size() > 5) {
        const PickleValue& given = m_pickle[value.items[5]];
        if (given.kind != PickleKind::DType)
            return wrong("a tensor has an unknown dtype");
        dtype = static_cast<DType>(given.integer);
    }
    const PickleValue& offset = m_pickle[value.items[1]];
    if (offset.kind != PickleKind::Int)
        return wrong("a tensor's offset is no integer");
    PT2E_ASSIGN(std::vector<std::int64_t> shape, ints(value.items[2]));
    PT2E_ASSIGN(std::vector<std::int64_t> strides, ints(value.items[3]));
    return checkedView(std::move(bytes), dtype, std::move(shape), std::move(strides),
                       offset.integer, m_label);
}

Result<std::shared_ptr<const Storage>> TorchSave::storage(const PickleValue& value, DType& dtype)
{
    const PickleValue& type = m_pickle[value.items[0]];
    const PickleValue& key = m_pickle[value.items[1]];
    const PickleValue& count = m_pickle[value.items[3]];
    const std::size_t newline = type.text.find('\n');
    const auto known = type.kind == PickleKind::Global && newline != std::string_view::npos
                           ? dtypeOfStorageClass(type.text.substr(newline + 1))
                           : std::nullopt;
    if (!known || key.kind != PickleKind::String || count.kind != PickleKind::Int)
        return wrong("a storage is of an unknown kind");
    dtype = *known;
    const std::string name = m_root + "data/" + std::string(key.text);
    const ZipEntry* entry = m_zip->find(name);
    if (!entry)
        return wrong("storage 'data/" + std::string(key.text) + "' is missing");
    const auto available = entry->size / elementSize(dtype);
    if (count.integer < 0 || static_cast<std::uint64_t>(count.integer) > available)
        return wrong("storage 'data/" + std::string(key.text) + "' is shorter than it says");
    std::shared_ptr<const Storage>& present = m_storages[name];
    if (!present)
        present = m_zip->storage(*entry);
    return present;
}

Result<std::vector<std::int64_t>> TorchSave::ints(PickleRef tuple) const
{
    const PickleValue& value = m_pickle[tuple];
    if (value.kind != PickleKind::Tuple || value.items.size() > kMaxRank)
        return wrong("a tensor has a bad shape");
    std::vector<std::int64_t> numbers;
    for (const PickleRef item : value.items) {
        if (m_pickle[item].kind != PickleKind::Int)
            return wrong("a tensor has a shape that is not made of integers");
        numbers.push_back(m_pickle[item].integer);
    }
    return numbers;
}

Result<Tensor> checkedView(std::shared_ptr<const Storage> storage, DType dtype,
                           std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                           std::int64_t offset, const std::string& where)
{
    if (shape.size() > kMaxRank || shape.size() != strides.size())
        return badInput(where, "a tensor has a bad number of dimensions");
    std::int64_t count = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] < 0 || strides[i] < 0)
            return badInput(where, "a tensor has a negative size or stride");
        // A size of 0 empties the tensor but must not hide an overflow of the others.
        if (__builtin_mul_overflow(count, std::max<std::int64_t>(shape[i], 1), &count)
            || count > std::numeric_limits<std::int64_t>::max() / 16)
            return badInput(where, "a tensor has more elements than can be counted");
    }
    if (offset < 0 || !Tensor::fits(storage->size(), dtype, shape, strides, offset))
        return badInput(where, "a tensor reaches past the end of its data ("
                                   + std::to_string(storage->size()) + " bytes)");
    return Tensor(std::move(storage), dtype, std::move(shape), std::move(strides), offset);
}

} // namespace pt2e::pt2
