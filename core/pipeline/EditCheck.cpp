#include "core/pipeline/EditCheck.h"

#include "core/observers/Observer.h"
#include "core/passes/Prepare.h"
#include "core/pipeline/Edits.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

/// dtype, bounds and scheme of a spec that has some.
struct Format
{
    DType dtype = DType::Int8;
    std::optional<std::int64_t> low, high;
    std::optional<QScheme> scheme;
};

std::optional<Format> formatOf(const Spec& spec)
{
    const auto of = [](const auto& s) {
        return Format{s.dtype, s.quantMin, s.quantMax, s.qscheme};
    };
    if (const auto* observed = std::get_if<ObservedSpec>(&spec))
        return of(*observed);
    if (const auto* fixed = std::get_if<FixedSpec>(&spec))
        return of(*fixed);
    if (const auto* derived = std::get_if<DerivedSpec>(&spec))
        return of(*derived);
    return std::nullopt;
}

std::string text(const Format& format)
{
    const auto bound = [](const auto& value) { return value ? std::to_string(*value) : "default"; };
    return fmt::format("{} {}…{} {}", dtypeName(format.dtype), bound(format.low),
                       bound(format.high), format.scheme ? qschemeName(*format.scheme) : "");
}

/// Looks at one annotation table.
class Check
{
public:
    Check(const AnnotatedStage& stage, const std::vector<Edit>& edits)
        : m_graph(stage.folded.graph),
          m_names(*stage.folded.graph),
          m_annotations(applyEdits(stage.quantizerSaid, edits, m_names, m_diagnostics))
    {}
    explicit Check(const AnnotatedStage& stage)
        : m_graph(stage.folded.graph),
          m_names(*stage.folded.graph),
          m_annotations(stage.annotations)
    {}

    std::vector<EditConflict> conflicts(const Edit& edit);
    std::vector<EditConflict> conflictsEverywhere();
    /// What prepare says; empty: nothing.
    std::string prepareError() const;

private:
    void say(ConflictKind kind, Severity severity, std::string message)
    {
        m_found.push_back({kind, severity, std::move(message)});
    }
    const Spec* specAt(const Point& point) const;
    std::optional<Format> followed(Point point) const;
    bool checkSpec(const Spec& spec);
    void checkSharing(const Point& at, const Spec& spec);
    std::pair<std::size_t, std::size_t> placeOf(const Point& point);
    void checkAnchor(const Point& at, const Point& anchor);
    void checkDelivery(const Point& edge);
    void checkValue(const Point& edge, const Spec& spec);
    void checkSupport(const Point& at, const Spec& spec);
    bool checkPoint(const Point& at, const Spec& spec);
    bool isConstant(NodeId id) const;

    GraphPtr m_graph;
    NodeNames m_names;
    Diagnostics m_diagnostics;
    AnnotationTable m_annotations;
    std::unordered_map<NodeId, std::size_t> m_places; ///< in the graph's order, once asked for
    std::vector<EditConflict> m_found;
};

const Spec* Check::specAt(const Point& point) const
{
    const Annotation* annotation = m_annotations.find(point.isEdge() ? point.user : point.node);
    if (!annotation)
        return nullptr;
    return point.isEdge() ? annotation->input(point.node) : &annotation->output;
}

/// The format at the end of a chain of shared specs.
std::optional<Format> Check::followed(Point point) const
{
    std::unordered_set<Point> seen;
    while (seen.insert(point).second) {
        const Spec* spec = specAt(point);
        const auto* shared = spec ? std::get_if<SharedSpec>(spec) : nullptr;
        if (!shared)
            return spec ? formatOf(*spec) : std::nullopt;
        point = shared->with;
    }
    return std::nullopt;
}

/// Observers are made in the order of the annotated nodes, inputs before the output.
std::pair<std::size_t, std::size_t> Check::placeOf(const Point& point)
{
    if (m_places.empty()) {
        for (const NodeId id : m_graph->order())
            m_places.emplace(id, m_places.size());
    }
    const NodeId owner = point.isEdge() ? point.user : point.node;
    const auto place = m_places.find(owner);
    std::size_t input = SIZE_MAX;
    if (const Annotation* annotation = m_annotations.find(owner); annotation && point.isEdge()) {
        for (std::size_t i = 0; i < annotation->inputs.size(); ++i) {
            if (annotation->inputs[i].first == point.node)
                input = i;
        }
    }
    return {place == m_places.end() ? m_places.size() : place->second, input};
}

void Check::checkAnchor(const Point& at, const Point& anchor)
{
    if (placeOf(at) < placeOf(anchor))
        say(ConflictKind::LaterAnchor, Severity::Warning,
            fmt::format("the observer of {} is made later than that of {}",
                        m_names.pointText(anchor), m_names.pointText(at)));
}

void Check::checkSharing(const Point& at, const Spec& spec)
{
    std::vector<Point> anchors;
    if (const auto* shared = std::get_if<SharedSpec>(&spec))
        anchors.push_back(shared->with);
    if (const auto* derived = std::get_if<DerivedSpec>(&spec))
        anchors = derived->from;
    for (const Point& anchor : anchors) {
        std::unordered_set<Point> seen = {at};
        Point next = anchor;
        while (seen.insert(next).second) {
            const Spec* other = specAt(next);
            if (!other || isNone(*other)) {
                say(ConflictKind::NoAnnotation, Severity::Warning,
                    fmt::format("nothing is asked for at {}", m_names.pointText(next)));
                break;
            }
            const auto* shared = std::get_if<SharedSpec>(other);
            if (!shared)
                break;
            next = shared->with;
        }
        if (next == at)
            say(ConflictKind::Circle, Severity::Error,
                fmt::format("{} would share with itself, by way of {}", m_names.pointText(at),
                            m_names.pointText(anchor)));
        else
            checkAnchor(at, anchor);
    }
}

/// What an operator gives, and what one that reads it asks for.
void Check::checkDelivery(const Point& edge)
{
    const auto given = followed(Point::output(edge.node)), asked = followed(edge);
    if (!given || !asked)
        return;
    const std::string where = m_names.pointText(edge);
    if (given->dtype != asked->dtype)
        say(ConflictKind::DTypeMismatch, Severity::Warning,
            fmt::format("at {} a value is given in {} and read in {}: it is quantized twice", where,
                        dtypeName(given->dtype), dtypeName(asked->dtype)));
    else if (given->low != asked->low || given->high != asked->high
             || given->scheme != asked->scheme)
        say(ConflictKind::RangeMismatch, Severity::Warning,
            fmt::format("at {} a value is given as {} and read as {}: it is quantized twice", where,
                        text(*given), text(*asked)));
}

/// Outputs that are no tensors get no observer; what an operator reads gets one whatever it is.
void Check::checkValue(const Point& edge, const Spec& spec)
{
    const NodeNames::Entry* entry = m_names.entry(edge.node);
    if (!isNone(spec) && entry && entry->node->val.isNoTensor())
        say(ConflictKind::NotATensor, Severity::Warning,
            fmt::format("{} is not a tensor: it cannot be quantized, calibration or convert_pt2e "
                        "fails",
                        entry->name()));
}

bool Check::isConstant(NodeId id) const
{
    const NodeNames::Entry* entry = m_names.entry(id);
    return entry && entry->node->is(OpKind::GetAttr);
}

void Check::checkSupport(const Point& at, const Spec& spec)
{
    const auto format = formatOf(spec);
    if (!format)
        return;
    const bool isWeight = at.isEdge() && isConstant(at.node);
    const bool isByte =
        format->dtype == DType::Int8 || (!isWeight && format->dtype == DType::UInt8);
    const bool isBias = isWeight && format->dtype == DType::Int32;
    const bool isPerChannelActivation =
        !isWeight && format->scheme && isPerChannel(*format->scheme);
    if ((!isByte && !isBias) || isPerChannelActivation)
        say(ConflictKind::FloatOnXnnpack, Severity::Note,
            isWeight
                ? fmt::format("XNNPACK has no kernels for weights in {}: what it touches runs in "
                              "float there",
                              dtypeName(format->dtype))
                : fmt::format("XNNPACK has no kernels for activations in {}{}: what it "
                              "touches runs in float there",
                              dtypeName(format->dtype),
                              isPerChannelActivation ? ", per channel" : ""));
}

bool Check::checkSpec(const Spec& spec)
{
    if (!formatOf(spec))
        return true;
    const auto config = observerConfig(spec);
    if (!config)
        say(ConflictKind::BadSpec, Severity::Error, config.error().message());
    return config.has_value();
}

/// Everything about one point; false: its spec is of no use, and nothing else was looked at.
bool Check::checkPoint(const Point& at, const Spec& spec)
{
    if (!checkSpec(spec))
        return false;
    checkSharing(at, spec);
    if (at.isEdge()) {
        checkDelivery(at);
        checkValue(at, spec);
    }
    checkSupport(at, spec);
    return true;
}

std::vector<EditConflict> Check::conflictsEverywhere()
{
    for (const NodeNames::Entry& entry : m_names.entries()) {
        const Annotation* annotation = m_annotations.find(entry.node->id);
        if (!annotation)
            continue;
        for (const auto& [input, spec] : annotation->inputs)
            checkPoint(Point::edge(input, entry.node->id), spec);
        checkPoint(Point::output(entry.node->id), annotation->output);
    }
    return std::move(m_found);
}

std::vector<EditConflict> Check::conflicts(const Edit& edit)
{
    const auto at = m_names.resolve(edit.at);
    const auto spec = resolveSpec(edit.spec, m_names);
    for (const auto* error : {at ? nullptr : &at.error(), spec ? nullptr : &spec.error()}) {
        if (error) {
            say(ConflictKind::MissingNode, Severity::Error, error->message());
            return std::move(m_found);
        }
    }
    const NodeNames::Entry* entry = at->isEdge() ? nullptr : m_names.entry(at->node);
    if (checkPoint(*at, *spec) && entry) {
        for (const NodeId user : entry->node->users)
            checkDelivery(Point::edge(at->node, user));
    }
    return std::move(m_found);
}

std::string Check::prepareError() const
{
    const auto prepared = insertObservers(m_graph, m_annotations, {});
    return prepared ? std::string() : prepared.error().message();
}

/// Where prepare fails, the conflict that explains it is an error; else what prepare said is one itself.
void addPrepareError(std::vector<EditConflict>& found, const std::string& error)
{
    const auto explains = [](ConflictKind kind) {
        return [kind](const EditConflict& conflict) { return conflict.kind == kind; };
    };
    for (const ConflictKind kind : {ConflictKind::NoAnnotation, ConflictKind::LaterAnchor}) {
        const auto it = std::find_if(found.begin(), found.end(), explains(kind));
        if (it == found.end())
            continue;
        it->severity = Severity::Error;
        it->message += ", so that prepare_pt2e fails";
        if (kind == ConflictKind::NoAnnotation)
            std::erase_if(found, explains(ConflictKind::LaterAnchor));
        return;
    }
    if (std::none_of(found.begin(), found.end(), [](const EditConflict& conflict) {
            return conflict.severity == Severity::Error;
        }))
        found.push_back({ConflictKind::PrepareFails, Severity::Error, error});
}

/// With what prepare says, now and without the change; errors first.
std::vector<EditConflict> judged(std::vector<EditConflict> found, const std::string& error,
                                 const std::string& errorBefore)
{
    if (error.empty()) // the group has another point that its observer is made for
        std::erase_if(found, [](const auto& c) { return c.kind == ConflictKind::LaterAnchor; });
    else if (error != errorBefore)
        addPrepareError(found, error);
    std::stable_sort(found.begin(), found.end(), [](const EditConflict& a, const EditConflict& b) {
        return a.severity > b.severity;
    });
    return found;
}

} // namespace

std::vector<EditConflict> conflictsOf(const AnnotatedStage& stage, const Recipe& recipe,
                                      const Edit& edit)
{
    const Recipe edited = withEdit(recipe, edit);
    Check check(stage, edited.edits);
    std::vector<EditConflict> found = check.conflicts(edit);
    const std::string error = check.prepareError();
    const std::string before = error.empty() ? error : Check(stage, recipe.edits).prepareError();
    return judged(std::move(found), error, before);
}

std::vector<EditConflict> newConflicts(const AnnotatedStage& before, const AnnotatedStage& after)
{
    Check now(before), then(after);
    const std::vector<EditConflict> known = now.conflictsEverywhere();
    std::vector<EditConflict> found;
    for (EditConflict& conflict : then.conflictsEverywhere()) {
        const auto isSame = [&](const EditConflict& other) {
            return other.kind == conflict.kind && other.message == conflict.message;
        };
        if (std::none_of(known.begin(), known.end(), isSame)
            && std::none_of(found.begin(), found.end(), isSame))
            found.push_back(std::move(conflict));
    }
    const std::string error = then.prepareError();
    return judged(std::move(found), error, error.empty() ? error : now.prepareError());
}

} // namespace pt2e
