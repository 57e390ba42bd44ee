#include "core/pt2/Weights.h"

#include <algorithm>

namespace pt2e::pt2 {

namespace {

constexpr std::uint64_t kMaxConfig = 256u << 20;
constexpr std::uint64_t kMaxTorchSave = std::uint64_t{64} << 30;
constexpr std::int64_t kMaxZeros = std::int64_t{16} << 30;

bool isPlainFileName(std::string_view name)
{
    return !name.empty() && name.size() < 256 && name != "." && name != ".."
           && std::all_of(name.begin(), name.end(), [](char c) {
                  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                         || c == '_' || c == '.' || c == '-';
              });
}

/// Python fills an empty record with zeros (how weights of fake tensors are stored).
std::shared_ptr<const Storage> zeros(std::size_t byteCount, const std::string& where)
{
    return std::make_shared<const Storage>(
        byteCount, [byteCount, where]() -> Result<Storage::Bytes> {
            try {
                Storage::Allocation memory = Storage::allocate(byteCount);
                return Storage::Bytes{memory.memory, memory.data};
            } catch (const std::bad_alloc&) {
                return badInput(where, "not enough memory for " + std::to_string(byteCount)
                                           + " bytes of zeros");
            }
        });
}

class ConfigReader
{
public:
    ConfigReader(const std::shared_ptr<const ZipReader>& zip, const std::string& folder,
                 Remarks& remarks)
        : m_zip(zip),
          m_folder(folder),
          m_remarks(remarks)
    {}

    Result<Weight> entry(const std::string& fqn, const Json& config, const Place& place)
    {
        PT2E_ASSIGN(const std::string_view file, requiredString(config, "path_name", place));
        if (!isPlainFileName(file))
            return place.key("path_name").error("is not a plain file name");
        Weight weight;
        weight.isParameter = flag(config, "is_param", false);
        const Json* meta = member(config, "tensor_meta");
        if (file.starts_with("custom_obj_") || file.starts_with("opaque_obj_")
            || flag(config, "use_pickle", false) || !meta) {
            weight.problem = "needs Python: " + std::string(file) + " is a pickled object";
            return weight;
        }
        const ZipEntry* record = m_zip->find(m_folder + std::string(file));
        if (!record) {
            weight.problem = "record '" + std::string(file) + "' is missing";
            return weight;
        }
        weight.requiresGrad = flag(*meta, "requires_grad", false);
        PT2E_TRY(view(fqn, *record, *meta, place.key("tensor_meta"), weight));
        return weight;
    }

private:
    Result<void> view(const std::string& fqn, const ZipEntry& record, const Json& metaJson,
                      const Place& place, Weight& weight)
    {
        PT2E_ASSIGN(const std::optional<TensorMeta> meta,
                    parseTensorMeta(metaJson, place, m_remarks));
        if (!meta) {
            weight.problem = "its dtype is not known";
            return {};
        }
        if (const Json* layout = member(metaJson, "layout");
            layout && layout->IsInt64() && layout->GetInt64() != 7) {
            weight.problem = "is not a strided tensor";
            return {};
        }
        std::int64_t offset = 0;
        if (const Json* given = member(metaJson, "storage_offset")) {
            PT2E_ASSIGN(const SymInt parsed, parseSymInt(*given, place.key("storage_offset")));
            if (parsed.isSymbolic())
                return place.key("storage_offset").error("is symbolic");
            offset = parsed.value();
        }
        PT2E_ASSIGN(std::vector<std::int64_t> shape, numbers(meta->shape, place.key("sizes")));
        PT2E_ASSIGN(std::vector<std::int64_t> strides,
                    numbers(meta->strides, place.key("strides")));
        const std::size_t itemSize = elementSize(meta->dtype);
        if (record.size % itemSize != 0)
            return place.error("record '" + record.name + "' does not hold whole elements");
        std::shared_ptr<const Storage>& storage = m_storages[record.name];
        if (!storage)
            storage = m_zip->storage(record);
        const std::optional<std::int64_t> count = meta->elementCount();
        if (record.size == 0 && count && *count > 0) {
            if (*count > kMaxZeros / static_cast<std::int64_t>(itemSize))
                return place.error("record '" + record.name + "' is empty");
            m_remarks.warn("zero-weights", fqn,
                           "weights of '" + fqn + "' are not in the file; zeros are used");
            weight.tensor = Tensor(zeros(static_cast<std::size_t>(*count) * itemSize, fqn),
                                   meta->dtype, shape, Tensor::contiguousStrides(shape));
            return {};
        }
        PT2E_ASSIGN(weight.tensor, checkedView(storage, meta->dtype, std::move(shape),
                                               std::move(strides), offset, place.text()));
        return {};
    }

    static Result<std::vector<std::int64_t>> numbers(const std::vector<SymInt>& sizes,
                                                     const Place& place)
    {
        std::vector<std::int64_t> plain;
        for (const SymInt& size : sizes) {
            if (size.isSymbolic())
                return place.error("of a weight is symbolic");
            plain.push_back(size.value());
        }
        return plain;
    }

    const std::shared_ptr<const ZipReader>& m_zip;
    const std::string& m_folder;
    Remarks& m_remarks;
    std::unordered_map<std::string, std::shared_ptr<const Storage>> m_storages;
};

} // namespace

Result<WeightMap> readConfiguredWeights(const std::shared_ptr<const ZipReader>& zip,
                                        const std::string& folder, const std::string& configName,
                                        Remarks& remarks)
{
    const ZipEntry* record = zip->find(folder + configName);
    if (!record)
        return badInput(zip->label(), "record '" + folder + configName + "' is missing");
    PT2E_ASSIGN(const Storage::Bytes bytes, zip->read(*record, kMaxConfig));
    const std::string where = zip->label() + ": " + configName;
    PT2E_ASSIGN(const std::unique_ptr<JsonDocument> document,
                JsonDocument::parse(bytes.data, where));
    const Place root(where);
    PT2E_ASSIGN(const Json* config, requiredObject(document->root(), "config", root));
    ConfigReader reader(zip, folder, remarks);
    const Place place = root.key("config");
    WeightMap weights;
    for (auto at = config->MemberBegin(); at != config->MemberEnd(); ++at) {
        const std::string fqn(textOf(at->name));
        PT2E_ASSIGN(Weight weight, reader.entry(fqn, at->value, place.key(fqn)));
        weights.set(fqn, std::move(weight));
    }
    return weights;
}

Result<WeightMap> readPickledWeights(const std::shared_ptr<const ZipReader>& zip,
                                     const ZipEntry& record)
{
    PT2E_ASSIGN(Storage::Bytes bytes, zip->read(record, kMaxTorchSave));
    PT2E_ASSIGN(TorchSave file,
                TorchSave::open(std::move(bytes), zip->label() + ": " + record.name));
    return file.weights();
}

} // namespace pt2e::pt2
