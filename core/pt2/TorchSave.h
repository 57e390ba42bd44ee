// What torch.save wrote: a zip with one pickle and raw storages. Old programs keep weights and
// example inputs in such files, new ones the example inputs.
#pragma once

#include "core/base/OrderedMap.h"
#include "core/base/Result.h"
#include "core/kernels/Value.h"
#include "core/pt2/Pickle.h"
#include "core/pt2/Zip.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace pt2e::pt2 {

/// A parameter, buffer or constant as a file holds it.
struct Weight
{
    Tensor tensor; ///< not valid when problem is set
    bool isParameter = false;
    bool requiresGrad = false;
    std::string problem; ///< why there is no tensor: "needs Python: …"
};
using WeightMap = OrderedMap<Weight>;

class TorchSave
{
public:
    /// Opens the bytes of a torch.save file; label is how errors call it.
    static Result<TorchSave> open(Storage::Bytes bytes, const std::string& label);

    /// The dict of tensors it holds. Entries that are no plain tensor carry a problem instead.
    Result<WeightMap> weights();
    const Pickle& pickle() const { return m_pickle; }
    const std::string& label() const { return m_label; }
    /// A tensor or parameter of the pickle; shares storages as the file does.
    Result<Weight> weight(PickleRef ref);
    /// A leaf (tensor, number, string, bool, dtype, device, None); an error for everything else.
    Result<Value> leaf(PickleRef ref);

private:
    Result<Tensor> tensor(const PickleValue& value);
    Result<std::shared_ptr<const Storage>> storage(const PickleValue& value, DType& dtype);
    Result<std::vector<std::int64_t>> ints(PickleRef tuple) const;
    tl::unexpected<Error> wrong(const std::string& what) const { return badInput(m_label, what); }

    std::string m_label;
    std::string m_root; ///< "archive/"
    std::shared_ptr<const ZipReader> m_zip;
    Storage::Bytes m_pickleBytes;
    Pickle m_pickle;
    std::unordered_map<std::string, std::shared_ptr<const Storage>> m_storages;
};

/// A view on a storage after all checks of sizes, strides and extent; where is for errors.
Result<Tensor> checkedView(std::shared_ptr<const Storage> storage, DType dtype,
                           std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                           std::int64_t offset, const std::string& where);

} // namespace pt2e::pt2
