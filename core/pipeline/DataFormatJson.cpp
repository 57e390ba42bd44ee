#include "core/pipeline/DataFormatJson.h"

#include "core/pipeline/JsonText.h"

namespace pt2e::json {

std::string dataFormat(const DataFormat& format)
{
    Object written;
    if (!format.mean.empty())
        written.add("mean", arrayOf(format.mean, real));
    if (!format.std.empty())
        written.add("std", arrayOf(format.std, real));
    if (format.resize != 0)
        written.add("resize", integer(format.resize));
    if (!format.rawShape.empty())
        written.add("raw_shape", arrayOf(format.rawShape, integer));
    if (format.rawDtype)
        written.add("raw_dtype", text(dtypeName(*format.rawDtype)));
    if (format.batchSize != 0)
        written.add("batch_size", integer(format.batchSize));
    return written.line();
}

namespace {

template<typename T>
Result<void> readList(const Place& place, std::vector<T>& values)
{
    values.clear();
    return place.items([&](const Place& item) { return item.read(values.emplace_back()); });
}

Result<void> readCount(const Place& place, std::int64_t& value)
{
    PT2E_TRY(place.read(value));
    if (value < 0 || value > 65536)
        return place.error("must be 0 to 65536");
    return {};
}

Result<void> readDtype(const Place& place, std::optional<DType>& dtype)
{
    std::string name;
    PT2E_TRY(place.read(name));
    dtype = dtypeFromName(name);
    if (!dtype)
        return place.error("is no dtype");
    return {};
}

} // namespace

Result<void> readDataFormat(const Place& place, DataFormat& format)
{
    format = {};
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "mean")
            return readList(member, format.mean);
        if (key == "std")
            return readList(member, format.std);
        if (key == "resize")
            return readCount(member, format.resize);
        if (key == "raw_shape") {
            PT2E_TRY(readList(member, format.rawShape));
            for (const std::int64_t size : format.rawShape) {
                if (size <= 0)
                    return member.error("sizes must be larger than 0");
            }
            return {};
        }
        if (key == "raw_dtype")
            return readDtype(member, format.rawDtype);
        if (key == "batch_size")
            return readCount(member, format.batchSize);
        return member.unknownKey();
    });
}

} // namespace pt2e::json
