// One row per check, so this is long rather than deep: see handMadeFiles().
#include "tests/pt2/HostileFiles.h"

#include "tests/pt2/ZipBuilder.h"

#include <QFile>
#include <functional>

QByteArray sample(const QString& name)
{
    QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/pt2/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray withWholeJson(const QByteArray& json, bool deflate)
{
    QList<ZipPart> parts = zipParts(sample(QStringLiteral("hand-made/hand_new_ex.pt2")));
    for (ZipPart& part : parts) {
        if (part.name.endsWith("models/model.json")) {
            part.data = json;
            part.deflate = deflate;
        }
    }
    return buildZip(parts);
}

namespace {

QByteArray replaced(QByteArray text, const QByteArray& from, const QByteArray& to)
{
    const qsizetype at = text.indexOf(from);
    Q_ASSERT(at >= 0);
    return at < 0 ? QByteArray() : text.replace(at, from.size(), to);
}

/// A sound archive with one record changed.
QByteArray withRecord(const QString& base, const QByteArray& ending,
                      const std::function<QByteArray(QByteArray)>& change)
{
    QList<ZipPart> parts = zipParts(sample(base));
    for (ZipPart& part : parts) {
        if (part.name.endsWith(ending))
            part.data = change(part.data);
    }
    return buildZip(parts);
}

QByteArray withJson(const QByteArray& from, const QByteArray& to)
{
    return withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "models/model.json",
                      [&](const QByteArray& json) { return replaced(json, from, to); });
}

QByteArray withConfig(const QByteArray& from, const QByteArray& to)
{
    return withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "model_weights_config.json",
                      [&](const QByteArray& json) { return replaced(json, from, to); });
}

/// An old zip whose state dict is this pickle.
QByteArray withPickle(const QByteArray& pickle)
{
    return withRecord(QStringLiteral("hand-made/hand_old.pt2"), "serialized_state_dict.pt",
                      [&](const QByteArray& zip) {
                          QList<ZipPart> parts = zipParts(zip);
                          for (ZipPart& part : parts) {
                              if (part.name.endsWith("data.pkl"))
                                  part.data = pickle;
                          }
                          return buildZip(parts);
                      });
}

QByteArray withExamples(const QByteArray& pickle)
{
    return withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "sample_inputs/model.pt",
                      [&](const QByteArray& zip) {
                          QList<ZipPart> parts = zipParts(zip);
                          for (ZipPart& part : parts) {
                              if (part.name.endsWith("data.pkl"))
                                  part.data = pickle;
                          }
                          return buildZip(parts);
                      });
}

QByteArray withName(const QByteArray& name)
{
    QList<ZipPart> parts = zipParts(sample(QStringLiteral("hand-made/hand_new_ex.pt2")));
    parts.append(ZipPart{name, "x"});
    return buildZip(parts);
}

QByteArray withPart(const std::function<void(ZipPart&)>& change, const ZipEnd& end = {})
{
    QList<ZipPart> parts = zipParts(sample(QStringLiteral("hand-made/hand_new_ex.pt2")));
    change(parts[3]);
    return buildZip(parts, end);
}

QByteArray withEnd(const ZipEnd& end)
{
    return withPart([](ZipPart&) {}, end);
}

/// BINUNICODE.
QByteArray pickledText(const QByteArray& text)
{
    return QByteArray("X") + char(text.size()) + QByteArray(3, '\0') + text;
}

QByteArray pickled(const QByteArray& body) { return QByteArray("\x80\x02") + body + '.'; }

/// {"name": SRC} as an expression in the size of an activation.
QByteArray withExpression(const QByteArray& expression)
{
    return withJson(R"("linear": {"dtype": 7, "sizes": [{"as_int": 1})",
                    R"("linear": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": ")" + expression
                        + R"("}})");
}

QByteArray nestedSubgraphs(int depth)
{
    QByteArray graph = R"({"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}})";
    for (int i = 0; i < depth; ++i)
        graph =
            R"({"inputs": [], "outputs": [], "tensor_values": {}, "nodes": [{"target": )"
            R"("torch.ops.higher_order.cond", "outputs": [], "metadata": {}, "inputs": [{"name": "", )"
            R"("arg": {"as_graph": {"name": "g", "graph": )"
            + graph + "}}}]}]}";
    return graph;
}

} // namespace

QList<HostileFile> handMadeFiles()
{
    QList<HostileFile> files;
    const auto row = [&files](const char* name, const QByteArray& bytes, const char* expected) {
        files.append({name, bytes, QString::fromUtf8(expected)});
    };
    const QByteArray sound = sample(QStringLiteral("hand-made/hand_new_ex.pt2"));
    row("sound", sound, "");

    // ---- other kinds of files
    row("short", "PK\3\4abc", "too short");
    row("html", "<!DOCTYPE html><html><body>Not found</body></html>", "web page");
    row("lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n", "Git LFS");
    row("pte", QByteArray("\x20\0\0\0ET12\0\0\0\0", 12), "ExecuTorch");
    row("pickle", QByteArray("\x80\x02}q\0.", 6), "pickle");
    row("json", "{\"a\": 1}", "json text");
    row("garbage", QByteArray(100, 'x'), "not a .pt2 file");
    row("empty zip", buildZip({}), "empty zip");
    const auto only = [](const QByteArray& name) { return buildZip({ZipPart{name, "x"}}); };
    row("torch.save", only("archive/data.pkl"), "torch.save");
    row("torchscript", only("net/code/__torch__.py"), "TorchScript");
    row("aoti", only("net/data/aotinductor/model/a.so"), "AOTInductor");
    row("other zip", only("word/document.xml"), "another program");
    row("no root folder", only("readme.txt"), "without an exported program");

    // ---- zip
    row("no end record", sound.first(sound.size() - 22), "truncated");
    row("directory outside", withEnd({.directoryOffset = 0x7fffffff}), "not where it should be");
    row("directory size", withEnd({.directorySize = 10}), "not where it should be");
    row("entry count too high", withEnd({.count = 60000}), "too short for its entries");
    row("entry count too low", withEnd({.count = 2}), "more bytes than entries");
    row("several disks", withEnd({.disk = 1}), "one part of several");
    row("zip64 without locator", withEnd({.count = 0xffff}), "zip64");
    QByteArray locator("PK\6\7", 4);
    locator += QByteArray(4, '\0') + QByteArray("\xff\xff\xff\xff\xff\xff\xff\x7f", 8)
               + QByteArray(4, '\0');
    row("zip64 locator astray", withEnd({.count = 0xffff, .before = locator}), "zip64");
    row("local signature", withPart([](ZipPart& p) { p.localSignature = 0x04034b51; }),
        "not where the directory says");
    row("local name", withPart([](ZipPart& p) { p.localName = QByteArray(p.name.size(), 'q'); }),
        "another name");
    row("header outside", withPart([](ZipPart& p) { p.headerOffset = 0x7ffffff0; }),
        "not where the directory says");
    row("overlap", withPart([](ZipPart& p) {
            p.size = 1000;
            p.packedSize = 1000;
        }),
        "overlaps");
    row("data outside", withPart([](ZipPart& p) {
            p.size = 0x7ffffff0;
            p.packedSize = 0x7ffffff0;
        }),
        "past the end");
    row("stored with two sizes", withPart([](ZipPart& p) { p.size = 5; }), "two sizes");
    row("method", withPart([](ZipPart& p) { p.method = 14; }), "unsupported method 14");
    row("encrypted", withPart([](ZipPart& p) { p.flags = 1; }), "encrypted");
    row("entry on another disk", withPart([](ZipPart& p) { p.disk = 3; }), "another part");
    row("checksum",
        withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "nothing", {})
            .replace("\"opset_version\"", "\"opset_versiom\""),
        "checksum");
    row("inflates to more", withPart([](ZipPart& p) {
            p.data = QByteArray(5000, 'a');
            p.deflate = true;
            p.size = 100;
            p.name = "hand_new/models/model.json2";
        }),
        "");
    const QByteArray many(1 << 20, ' ');
    row("deflate ratio", withWholeJson(many + many + many + many, true), "unpack");
    row(
        "deflate longer than said",
        [&] {
            QList<ZipPart> parts = zipParts(sound);
            for (ZipPart& part : parts) {
                if (part.name.endsWith("model.json")) {
                    part.size = quint32(part.data.size() - 1);
                    part.deflate = true;
                }
            }
            return buildZip(parts);
        }(),
        "compressed data is damaged");
    row(
        "deflate shorter than said",
        [&] {
            QList<ZipPart> parts = zipParts(sound);
            for (ZipPart& part : parts) {
                if (part.name.endsWith("model.json")) {
                    part.size = quint32(part.data.size() + 1);
                    part.deflate = true;
                }
            }
            return buildZip(parts);
        }(),
        "compressed data is damaged");
    row("name with NUL", withName(QByteArray("hand_new/a\0b", 12)), "utf-8");
    row("name not utf-8", withName("hand_new/\xff\xfe"), "utf-8");
    row("absolute name", withName("/etc/passwd"), "absolute");
    row("drive letter", withName("C:/windows"), "absolute");
    row("backslash", withName("hand_new\\x"), "absolute");
    row("dot dot", withName("hand_new/../../x"), "leads out");
    row("duplicate", withName("hand_new/byteorder"), "twice");
    row("big endian",
        withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "byteorder",
                   [](const QByteArray&) { return QByteArray("big"); }),
        "big-endian");
    row("archive_format",
        withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "archive_format",
                   [](const QByteArray&) { return QByteArray("pt3"); }),
        "other than 'pt2'");

    // ---- json
    row("deep json", withWholeJson(QByteArray(200000, '[')), "nested deeper");
    row("deep objects", withWholeJson(QByteArray("{\"a\":").repeated(100000)), "nested deeper");
    row("cut json", withWholeJson("{\"graph_module\": {"), "not valid json");
    row("json text after the end", withWholeJson("{} {}"), "not valid json");
    row("half of a surrogate pair in json", withWholeJson(R"({"a": "\udd1e"})"),
        "half of a surrogate pair");
    row("half of a surrogate pair in a json key", withWholeJson(R"({"\udd1e": 1})"),
        "half of a surrogate pair");
    row("json with NUL", withWholeJson(QByteArray("{}\0{}", 5)), "not valid json");
    for (const char* cut :
         {"{\"a\": \"\xf0", "{\"a\": \"\xe2\x82", "{\"a\": \"\xf0\x9f\x98", "{\"a\": \"\\"})
        row("character cut off at the end", withWholeJson(cut), "not valid json");
    row("json number", withWholeJson("17"), "not a json object");
    row("duplicate key", withJson("\"torch_version\"", "\"verifiers\""), "stands twice");
    row("integer beyond int64",
        withJson("\"opset_version\": {\"aten\": 10}",
                 "\"opset_version\": {\"aten\": 9223372036854775808}"),
        "does not fit 64 bits");
    row("largest integer",
        withJson("\"opset_version\": {\"aten\": 10}",
                 "\"opset_version\": {\"aten\": 9223372036854775807}"),
        "");
    row("bare NaN",
        withJson("\"opset_version\": {\"aten\": 10}",
                 "\"opset_version\": {\"aten\": -Infinity, \"b\": NaN}"),
        "");
    row("invalid utf-8", withJson("\"torch_version\": \"", "\"torch_version\": \"\xff\xfe"),
        "not valid json");
    row("byte order mark", withJson("{\"graph_module\"", "\xef\xbb\xbf{\"graph_module\""), "");
    row("many values", withWholeJson("[" + QByteArray("0,").repeated(6 << 20) + "0]"), "entries");
    row("many lists",
        withWholeJson("[" + QByteArray("[0,0,0,0,0,0,0],").repeated(3'900'000) + "0]"), "values");

    // ---- schema
    row("no schema version", withJson("\"schema_version\"", "\"schema_versiox\""),
        "schema_version");
    row("two variants", withJson("{\"as_int\": 2}", "{\"as_int\": 2, \"as_expr\": {}}"),
        "two variants");
    row("no variant", withJson("{\"as_int\": 2}", "{}"), "no variant");
    row("unused variants are null",
        withJson("{\"as_int\": 2}", "{\"as_int\": 2, \"as_expr\": null}"), "");
    row("unknown argument",
        withJson("{\"name\": \"weight\", \"arg\": {\"as_tensor\": {\"name\": \"p_weight\"}}}",
                 "{\"name\": \"weight\", \"arg\": {\"as_future\": {\"x\": 1}}}"),
        "");
    row("negative size",
        withJson("\"linear\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}",
                 "\"linear\": {\"dtype\": 7, \"sizes\": [{\"as_int\": -1}"),
        "negative");
    row("undefined name",
        withJson("\"arg\": {\"as_tensor\": {\"name\": \"x\"}}",
                 "\"arg\": {\"as_tensor\": {\"name\": \"zzz\"}}"),
        "not defined before");
    row("defined twice",
        withJson("\"outputs\": [{\"as_tensor\": {\"name\": \"linear\"}}], \"metadata\"",
                 "\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}], \"metadata\""),
        "defined twice");
    row("inputs and specs differ",
        withJson(
            "\"inputs\": [{\"as_tensor\": {\"name\": \"p_weight\"}}, ",
            "\"inputs\": [{\"as_tensor\": {\"name\": \"p_weight\"}}, {\"as_tensor\": {\"name\": \"extra\"}}, "),
        "3");
    row("outputs and specs differ",
        withJson("\"output_specs\": [",
                 "\"output_specs\": [{\"user_output\": {\"arg\": {\"as_none\": true}}}, "),
        "outputs");
    row("names disagree",
        withJson("\"arg\": {\"name\": \"p_weight\"}", "\"arg\": {\"name\": \"p_other\"}"),
        "in the signature");
    row("unknown input spec",
        withJson("\"input_specs\": [{\"parameter\"", "\"input_specs\": [{\"magic\""),
        "unknown kind");
    row("newer schema", withJson("\"major\": 8", "\"major\": 9"), "");
    const QByteArray subgraph =
        "\"inputs\": [{\"name\": \"input\", \"arg\": {\"as_graph\": {\"name\": \"g\", \"graph\": ";
    row("deep sub-graphs",
        withJson("\"inputs\": [{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}",
                 subgraph + nestedSubgraphs(40) + "}"),
        "deeper");
    row("sub-graph looks outside",
        withJson(
            "\"inputs\": [{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}",
            subgraph
                + "{\"inputs\": [], \"nodes\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}]}}"),
        "not defined before");
    row("sub-graph",
        withJson("\"inputs\": [{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}",
                 subgraph + nestedSubgraphs(3) + "}"),
        "");

    // ---- size expressions
    row("expression", withExpression("Add(Symbol('s0', positive=True, integer=True), Integer(1))"),
        "");
    row("unknown expression", withExpression("__import__('os').system('true')"), "");
    row("deep expression",
        withExpression(QByteArray("Add(").repeated(100) + "Integer(1)"
                       + QByteArray(")").repeated(100)),
        "nested too deeply");
    row("long expression", withExpression("Symbol('" + QByteArray(70000, 'a') + "')"), "too long");
    row("integer in an expression", withExpression("Integer(99999999999999999999)"), "64 bits");
    QByteArray wide = "Integer(1)";
    for (int i = 0; i < 60; ++i)
        wide = "Mul(Add(" + wide + ", Symbol('s0')), Integer(2))";
    row("nested expression", withExpression(wide.size() < 65000 ? wide : QByteArray("x")),
        "nested too deeply");
    QByteArray alternating = "Symbol('s0')";
    for (int i = 0; i < 30; ++i)
        alternating = "Add(Mul(" + alternating + ", Symbol('s1')), Integer(1))";
    row("alternating expression", withExpression(alternating), "");

    // ---- weights
    row("path with a slash",
        withConfig("\"path_name\": \"weight_0\"", "\"path_name\": \"../weight_0\""),
        "plain file name");
    row("negative weight size", withConfig("{\"as_int\": 2}", "{\"as_int\": -2}"), "negative");
    row("negative stride",
        withConfig("\"strides\": [{\"as_int\": 3}", "\"strides\": [{\"as_int\": -3}"), "negative");
    row("negative offset",
        withConfig("\"storage_offset\": {\"as_int\": 0}", "\"storage_offset\": {\"as_int\": -1}"),
        "past the end");
    row("offset outside",
        withConfig("\"storage_offset\": {\"as_int\": 0}", "\"storage_offset\": {\"as_int\": 1}"),
        "past the end");
    row("weight too large", withConfig("{\"as_int\": 2}", "{\"as_int\": 3}"), "past the end");
    row("size overflow", withConfig("{\"as_int\": 2}", "{\"as_int\": 4611686018427387904}"),
        "more elements");
    row("stride overflow",
        withConfig("\"strides\": [{\"as_int\": 3}",
                   "\"strides\": [{\"as_int\": 9223372036854775807}"),
        "past the end");
    row("expanded weight",
        withConfig("\"sizes\": [{\"as_int\": 2}, {\"as_int\": 3}]",
                   "\"sizes\": [{\"as_int\": 1000000000}, {\"as_int\": 3}]")
            .replace("zzz", "zzz"),
        "past the end");
    row("many dimensions",
        withConfig("\"sizes\": [", "\"sizes\": [" + QByteArray("{\"as_int\": 1}, ").repeated(65)),
        "64 dimensions");
    row("symbolic weight",
        withConfig("{\"as_int\": 2}", "{\"as_expr\": {\"expr_str\": \"Symbol('s0')\"}}"),
        "symbolic");
    row("part of an element", withConfig("\"dtype\": 7", "\"dtype\": 11"), "whole elements");
    row("unknown dtype", withConfig("\"dtype\": 7", "\"dtype\": 20"), "");
    row("missing record", withConfig("\"path_name\": \"weight_0\"", "\"path_name\": \"weight_9\""),
        "");
    row("pickled weight", withConfig("\"use_pickle\": false", "\"use_pickle\": true"), "");
    row("empty record",
        withRecord(QStringLiteral("hand-made/hand_new_ex.pt2"), "weight_0",
                   [](const QByteArray&) { return QByteArray(); }),
        "");

    // ---- metadata
    const QByteArray stack = QByteArray("a,b,c;").repeated(100000);
    row("long module stack",
        withJson("\"metadata\": {}", "\"metadata\": {\"nn_module_stack\": \"" + stack
                                         + "\", \"custom\": \"{not json\"}"),
        "");
    row("deep getattr",
        withJson("\"metadata\": {}", "\"metadata\": {\"nn_module_stack\": \"k,"
                                         + QByteArray("getattr(").repeated(100000) + "L['self']"
                                         + QByteArray(", '0')").repeated(100000) + ",t\"}"),
        "");
    row("deep from_node",
        withJson("\"metadata\": {}",
                 "\"metadata\": {\"from_node\": \"" + QByteArray("[").repeated(100000) + "\"}"),
        "");

    // ---- pickles
    row("pickle of a dict", withPickle(pickled("}")), "");
    row("empty pickle", withPickle(""), "ends too early");
    row("unknown opcode", withPickle(pickled("i")), "opcode 105");
    row("protocol", withPickle("\x80\x05}."), "protocol 5");
    row("set item of a list", withPickle(pickled("]K\1K\2s")), "no dict");
    row("set items of a tuple", withPickle(pickled(")(K\1K\2u")), "no dict");
    row("append to a dict", withPickle(pickled("}K\1a")), "no list");
    row("key without value", withPickle(pickled("}(K\1u")), "without a value");
    row("underflow", withPickle(pickled("R")), "stack is empty");
    row("mark missing", withPickle(pickled("K\1t")), "mark is missing");
    row("memo never set", withPickle(pickled("h\5")), "never set");
    row("memo index", withPickle(pickled("}r\xff\xff\xff\x7f")), "too large");
    row("long integer",
        withPickle(pickled("\x8a\x09"
                           "123456789")),
        "64 bits");
    row("long text",
        withPickle(pickled("X\xff\xff\xff\x7f"
                           "a")),
        "too early");
    row("endless name", withPickle(pickled("cos")), "does not end");
    row("code",
        withPickle(
            pickled("}(" + pickledText("weight") + "cos\nsystem\n(" + pickledText("true") + "tRu")),
        "");
    row("no dict", withPickle(pickled("]")), "dict of tensors");
    const auto tensor = [&](const QByteArray& storageKey, const QByteArray& count,
                            const QByteArray& offset, const QByteArray& shape) {
        const QByteArray storage = "(" + pickledText("storage") + "ctorch\nFloatStorage\n"
                                   + pickledText(storageKey) + pickledText("cpu") + count + "tQ";
        return withPickle(pickled("}(" + pickledText("weight")
                                  + "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset
                                  + shape + "(K\3K\1t\x89}tRu"));
    };
    const QByteArray zero("K\0", 2);
    row("tensor", tensor("0", "K\6", zero, "(K\2K\3t"), "");
    row("tensor past its storage", tensor("0", "K\6", "K\1", "(K\2K\3t"), "past the end");
    row("shape of text", tensor("0", "K\6", zero, "(NK\3t"), "integers");
    row("storage missing", tensor("7", "K\6", zero, "(K\2K\3t"), "is missing");
    row("storage too short", tensor("0", "K\7", zero, "(K\2K\3t"), "shorter than it says");
    row("tensor without storage",
        withPickle(pickled("}(" + pickledText("weight") + "ctorch._utils\n_rebuild_tensor_v2\n(N"
                           + zero + "(K\2K\3t(K\3K\1t\x89}tRu")),
        "no storage");
    row("persistent id", withPickle(pickled("K\1Q")), "no storage");
    row("many values", withPickle(pickled(QByteArray("N").repeated(2'000'000))), "too many values");
    row("many memoized lists", withPickle(pickled("]" + QByteArray("]a").repeated(5'000'000))),
        "too many values");
    QByteArray nested = QByteArray("]").repeated(900'000) + QByteArray("a").repeated(899'999);
    row("deep pickle", withPickle(pickled(nested)), "dict of tensors");
    row("deep examples", withExamples(pickled("(" + nested + "}t")), "");
    QByteArray laughs("(K\1tq\0", 6);
    for (char i = 1; i < 60; ++i)
        laughs += QByteArray("(h") + char(i - 1) + "h" + char(i - 1) + "tq" + char(i);
    row("examples that multiply", withExamples(pickled(laughs)), "");
    row("examples that hold themselves", withExamples(pickled(QByteArray("]q\0h\0a", 6))), "");
    row("examples of another program", withExamples(pickled("((K\1K\2t}t")), "");
    return files;
}
