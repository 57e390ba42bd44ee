#include "ui/render/Figure.h"

#include "ui/render/LayoutClient.h"
#include "ui/render/Painter.h"
#include "ui/render/PdfWriter.h"
#include "ui/render/SvgWriter.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace pt2e {

Result<FigureFormat> figureFormat(const QString& fileName)
{
    const auto suffix = QFileInfo(fileName).suffix().toLower();
    if (suffix == QLatin1String("svg"))
        return FigureFormat::Svg;
    if (suffix == QLatin1String("pdf"))
        return FigureFormat::Pdf;
    if (suffix == QLatin1String("png"))
        return FigureFormat::Png;
    if (suffix == QLatin1String("dot") || suffix == QLatin1String("gv"))
        return FigureFormat::Dot;
    return badInput(fileName.toStdString(), "the name must end in .svg, .pdf, .png or .dot");
}

namespace {

void addQuantizer(const Snapshot& snapshot, QStringList& parts)
{
    const auto& settings = snapshot.recipe.quantizer;
    parts += QStringLiteral("quantizer ")
             + QString::fromUtf8(flavorName(settings.flavor).data(),
                                 static_cast<qsizetype>(flavorName(settings.flavor).size()));
    if (settings.flavor != QuantizerFlavor::None && settings.global) {
        parts += settings.global->perChannel ? QStringLiteral("per channel")
                                             : QStringLiteral("per tensor");
        if (settings.global->dynamic)
            parts += QStringLiteral("dynamic");
    } else if (settings.flavor != QuantizerFlavor::None) {
        parts += QStringLiteral("no global setting");
    }
    const auto addCount = [&](std::size_t count, const char* what) {
        if (settings.flavor != QuantizerFlavor::None && count > 0)
            parts += QStringLiteral("%1 %2 setting%3")
                         .arg(count)
                         .arg(QLatin1String(what), QLatin1String(count == 1 ? "" : "s"));
    };
    addCount(settings.moduleName.size() + settings.moduleType.size(), "module");
    addCount(settings.operatorType.size(), "operator");
    if (!snapshot.recipe.edits.empty())
        parts += QStringLiteral("%1 edits").arg(snapshot.recipe.edits.size());
    if (snapshot.calibrated)
        parts += QString::fromStdString(snapshot.calibrated->data);
}

} // namespace

Figure makeFigure(const Snapshot& snapshot, std::vector<Scene> scenes, const ViewOptions& options,
                  QString title)
{
    Figure figure;
    figure.title = title.isEmpty() && snapshot.model ? QString::fromStdString(snapshot.model->name)
                                                     : std::move(title);
    QStringList parts;
    const bool isQuantized = std::any_of(scenes.begin(), scenes.end(), [](const Scene& s) {
        return s.stage != StageKind::Exported;
    });
    if (isQuantized)
        addQuantizer(snapshot, parts);
    if (!options.focus.empty()) {
        QStringList names;
        for (const auto& name : options.focus)
            names += QString::fromStdString(name);
        parts += QStringLiteral("focus ") + names.join(QStringLiteral(", "));
        parts += QStringLiteral("hops %1").arg(options.hops);
    }
    figure.caption = parts.join(QStringLiteral(" · "));
    figure.scenes = std::move(scenes);
    return figure;
}

QByteArray figureAsSvg(const Figure& figure)
{
    return writeSvg(figureDisplayList(figure), Theme::light(), figure.title, figure.caption);
}

QByteArray figureAsPdf(const Figure& figure)
{
    return writePdf(figureDisplayList(figure), Theme::light(), figure.title);
}

Result<QByteArray> figureAsPng(const Figure& figure, double scale)
{
    constexpr int kLargest = 20000;
    const auto list = figureDisplayList(figure);
    const int width = static_cast<int>(std::ceil(list.bounds.width() * scale));
    const int height = static_cast<int>(std::ceil(list.bounds.height() * scale));
    if (width > kLargest || height > kLargest)
        return fail(ErrorCode::Unsupported, "PNG",
                    "the picture would have " + std::to_string(width) + " × "
                        + std::to_string(height) + " pixels, more than " + std::to_string(kLargest)
                        + " a side: choose SVG or PDF, or a focus");
    QImage image(width, height, QImage::Format_RGB32);
    if (image.isNull())
        return fail(ErrorCode::Internal, "PNG", "not enough memory for the picture");
    image.fill(Theme::light().color(ColorRole::Canvas));
    image.setDotsPerMeterX(static_cast<int>(std::round(scale * 72 / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    {
        QPainter painter(&image);
        painter.scale(scale, scale);
        painter.translate(-list.bounds.topLeft());
        PaintOptions options;
        options.zoom = scale;
        options.textAsOutlines = true;
        paint(painter, list, Theme::light(), {}, options);
    }
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return fail(ErrorCode::Internal, "PNG", "the picture could not be encoded");
    return png;
}

namespace {

DotNode dotNode(const SceneItem& item, int cluster, double left, double top)
{
    DotNode node;
    node.cluster = cluster;
    node.width = item.rect.width;
    node.height = item.rect.height;
    node.at = {left + item.rect.x + item.rect.width / 2, top + item.rect.y + item.rect.height / 2};
    node.label = item.title;
    const auto addLine = [&](const std::string& text) {
        if (!text.empty())
            node.label += "\n" + text;
    };
    switch (item.kind) {
    case ItemKind::Op:
        node.style = item.isUnquantized ? "rounded,dashed" : "rounded";
        if (!item.name.empty())
            node.label += " " + item.name;
        addLine(item.mark.empty() ? item.detail : item.detail + " · " + item.mark);
        break;
    case ItemKind::Placeholder:
    case ItemKind::Output:
        node.shape = "ellipse";
        addLine(item.detail);
        break;
    case ItemKind::Weight: node.shape = "note"; break;
    case ItemKind::Observer:
        node.shape = "hexagon";
        node.label = item.number;
        addLine(item.badge);
        break;
    case ItemKind::Quantize:
        node.shape = "invtriangle";
        node.label = item.badge;
        break;
    case ItemKind::Dequantize:
        node.shape = "triangle";
        node.label = item.badge;
        break;
    case ItemKind::Ghost:
        node.style = "dashed";
        node.label = item.detail;
        break;
    case ItemKind::Module:
        node.shape = "box3d";
        if (!item.name.empty())
            node.label += " " + item.name;
        addLine(item.detail);
        break;
    case ItemKind::Stub:
        node.shape = "ellipse";
        node.style = "dashed";
        break;
    }
    return node;
}

} // namespace

Result<QByteArray> figureAsDot(const Figure& figure)
{
    DotGraph graph;
    graph.title = figure.title.toStdString();
    graph.hasPositions = true;
    double left = 0;
    for (const auto& scene : figure.scenes) {
        const int cluster = static_cast<int>(graph.clusters.size());
        const int first = static_cast<int>(graph.nodes.size());
        graph.clusters.push_back(scene.title);
        for (const auto& item : scene.items)
            graph.nodes.push_back(dotNode(item, cluster, left, 0));
        for (const auto& edge : scene.edges)
            graph.edges.push_back({first + edge.from, first + edge.to, edge.isInt8 ? "bold" : ""});
        left += scene.bounds.width + 40;
    }
    LayoutClient client;
    return client.write(graph, {});
}

Result<QByteArray> encodeFigure(const Figure& figure, FigureFormat format)
{
    switch (format) {
    case FigureFormat::Svg: return figureAsSvg(figure);
    case FigureFormat::Pdf: return figureAsPdf(figure);
    case FigureFormat::Png: return figureAsPng(figure);
    case FigureFormat::Dot: return figureAsDot(figure);
    }
    return fail(ErrorCode::Internal, "figure", "unknown format");
}

Result<void> writeFigure(const Figure& figure, const QString& fileName)
{
    PT2E_ASSIGN(const auto format, figureFormat(fileName));
    PT2E_ASSIGN(const auto bytes, encodeFigure(figure, format));
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::Io, fileName.toStdString(), file.errorString().toStdString());
    return {};
}

} // namespace pt2e
