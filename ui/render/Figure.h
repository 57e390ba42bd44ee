// Figures: one or several panes side by side with title and captions, light theme, as SVG, PDF, PNG and DOT. The window
// and `pt2e draw` both come here, so equal scenes give equal bytes.
#pragma once

#include "core/base/Result.h"
#include "ui/render/DisplayList.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pt2e {

enum class FigureFormat : std::uint8_t { Svg, Pdf, Png, Dot };
/// By the file name's suffix; an error names the four that are known.
Result<FigureFormat> figureFormat(const QString& fileName);

struct Figure
{
    std::vector<Scene> scenes;
    QString title; ///< may be empty
    QString caption; ///< one line below the panes; may be empty
};

/// The figure of these scenes, with the caption that says how they came about: quantizer, data, focus. An empty title
/// is the model's name. The window and `pt2e draw` both make their figures here.
Figure makeFigure(const Snapshot& snapshot, std::vector<Scene> scenes, const ViewOptions& options,
                  QString title = {});

/// The whole picture, laid out.
DisplayList figureDisplayList(const Figure& figure);

QByteArray figureAsSvg(const Figure& figure);
QByteArray figureAsPdf(const Figure& figure);
/// Two device pixels per unit; an error says so when the picture would be larger than 20,000 pixels a side.
Result<QByteArray> figureAsPng(const Figure& figure, double scale = 2);
/// Through pt2e-layout (libcgraph writes it); one cluster per stage, with the places of the picture.
Result<QByteArray> figureAsDot(const Figure& figure);

Result<QByteArray> encodeFigure(const Figure& figure, FigureFormat format);
/// Writes to a temporary name beside the target and renames.
Result<void> writeFigure(const Figure& figure, const QString& fileName);

} // namespace pt2e
