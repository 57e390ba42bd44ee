#include "core/pipeline/ActivationCache.h"

#include <algorithm>
#include <unistd.h>

namespace pt2e {

namespace {

constexpr std::uint64_t kGiB = 1024ull * 1024 * 1024;

void collectConstants(const Graph& graph, std::unordered_set<const Storage*>& storages)
{
    for (const auto& [name, attribute] : graph.attributes()) {
        if (attribute.value.isValid())
            storages.insert(attribute.value.storage().get());
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            collectConstants(*body, storages);
    }
}

Tensor withStorage(const Tensor& tensor, std::shared_ptr<const Storage> storage)
{
    return Tensor(std::move(storage), tensor.dtype(), tensor.shape(), tensor.strides(),
                  tensor.offset());
}

} // namespace

ActivationLimits ActivationLimits::defaults()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGESIZE);
    const std::uint64_t ram = pages > 0 && pageSize > 0 ? static_cast<std::uint64_t>(pages)
                                                              * static_cast<std::uint64_t>(pageSize)
                                                        : 4 * kGiB;
    return {std::min(ram / 4, 4 * kGiB), 16 * kGiB};
}

ActivationCache::ActivationCache(const ActivationLimits& limits)
    : m_limits(limits),
      m_file(limits.file)
{}

void ActivationCache::bind(const GraphPtr& graph, const std::string& dataHash)
{
    if (m_graph == graph && m_dataHash == dataHash)
        return;
    m_graph = graph;
    m_dataHash = dataHash;
    m_constants.clear();
    collectConstants(*graph, m_constants);
    m_batches.clear();
    m_states.clear();
    m_bytesInMemory = 0;
    m_file.clear();
    m_finished.clear();
    m_seen.clear();
    m_seenInputs.clear();
}

bool ActivationCache::keep(std::size_t batch, const BatchValues& values)
{
    std::unordered_set<const Storage*> storages;
    std::uint64_t bytes = 0;
    for (const auto& [node, tensor] : values) {
        const Storage* storage = tensor.storage().get();
        if (!m_constants.contains(storage) && storages.insert(storage).second)
            bytes += storage->size();
    }
    if (bytes <= m_limits.memory && m_bytesInMemory <= m_limits.memory - bytes) {
        m_bytesInMemory += bytes;
        m_batches[batch] = {values, {}};
        return true;
    }
    if (!m_file.hasRoomFor(bytes))
        return false;
    std::optional<Batch> spilled = spill(values);
    if (!spilled)
        return false;
    m_batches[batch] = std::move(*spilled);
    return true;
}

void ActivationCache::shareFrom(const ActivationCache& other)
{
    if (!other.m_graph)
        return;
    bind(other.m_graph, other.m_dataHash);
    for (const auto& [number, batch] : other.m_batches) {
        if (batch.spilled.empty() && !has(number))
            keep(number, batch.values);
    }
    m_states.insert(other.m_states.begin(), other.m_states.end());
    m_finished.insert(other.m_finished.begin(), other.m_finished.end());
    // Observers that ended there are not fed here: what was seen at their places comes with them.
    m_seen.insert(other.m_seen.begin(), other.m_seen.end());
    if (m_seenInputs.empty())
        m_seenInputs = other.m_seenInputs;
}

/// Nothing if the disk is full: the batch is then one that has to be run again.
std::optional<ActivationCache::Batch> ActivationCache::spill(const BatchValues& values)
{
    Batch batch;
    std::unordered_map<const Storage*, Spilled> written;
    for (const auto& [node, tensor] : values) {
        const Storage* storage = tensor.storage().get();
        if (m_constants.contains(storage)) {
            batch.values.emplace_back(node, tensor);
            continue;
        }
        auto place = written.find(storage);
        if (place == written.end()) {
            const auto bytes = storage->bytes();
            const auto offset =
                bytes ? m_file.append(*bytes) : Result<std::uint64_t>(passOn(bytes));
            if (!offset)
                return std::nullopt;
            place = written.emplace(storage, Spilled{*offset, storage->size()}).first;
        }
        batch.spilled.emplace(batch.values.size(), place->second);
        batch.values.emplace_back(node, withStorage(tensor, nullptr));
    }
    return batch;
}

Result<BatchValues> ActivationCache::values(std::size_t batch) const
{
    const Batch& kept = m_batches.at(batch);
    BatchValues values = kept.values;
    std::map<std::pair<std::uint64_t, std::size_t>, std::shared_ptr<const Storage>> read;
    for (const auto& [index, place] : kept.spilled) {
        std::shared_ptr<const Storage>& storage = read[{place.offset, place.bytes}];
        if (!storage) {
            PT2E_ASSIGN(storage, m_file.read(place.offset, place.bytes));
        }
        values[index].second = withStorage(values[index].second, storage);
    }
    return values;
}

RunState ActivationCache::stateBefore(std::size_t batch) const
{
    const auto found = batch == 0 ? m_states.end() : m_states.find(batch - 1);
    return found == m_states.end() ? RunState{} : found->second;
}

const ObserverResult* ActivationCache::finished(const std::string& key) const
{
    const auto found = m_finished.find(key);
    return found == m_finished.end() ? nullptr : &found->second;
}

void ActivationCache::setFinished(const std::string& key, ObserverResult result)
{
    m_finished[key] = std::move(result);
}

} // namespace pt2e
