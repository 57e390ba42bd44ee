// Scores that were computed, so that nothing is computed twice: not after a cancelled run, nor in a later one.
#pragma once

#include "core/analysis/SensitivityScore.h"
#include "core/base/OrderedMap.h"

#include <string>

namespace pt2e {

/// Scores by key. A key is a hash of all that the score depends on: the float graph and its weights, the data, and
/// which points quantize with which parameters (Sensitivity::keyOf); so one store may hold scores of many models.
class SensitivityStore
{
public:
    struct Entry
    {
        std::string label; ///< what was scored, for people
        SensitivityScore score;
    };
    const Entry* find(const std::string& key) const { return m_entries.find(key); }
    void set(const std::string& key, Entry entry) { m_entries.set(key, std::move(entry)); }
    std::size_t size() const { return m_entries.size(); }
    const OrderedMap<Entry>& entries() const { return m_entries; }
    /// Takes over what the other one has.
    void merge(const SensitivityStore& other);

private:
    OrderedMap<Entry> m_entries;
};

/// JSON of format "pt2e.sensitivity" version 1, exact; reading: unknown keys are an error with their place.
std::string writeStore(const SensitivityStore& store);
Result<SensitivityStore> readStore(const std::string& json, const std::string& fileName);
/// The same as CSV with a line of column names; for people's own scripts, and read back just as exactly.
std::string writeStoreCsv(const SensitivityStore& store);
Result<SensitivityStore> readStoreCsv(const std::string& csv, const std::string& fileName);

} // namespace pt2e
