// Figures laid over the operators of a picture: error, engine, time or bytes, as words and as one of a few levels that
// the painter has colours for.
#pragma once

#include "core/analysis/Compare.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e {

enum class OverlayKind : std::uint8_t { Error, Engine, Time, Bytes };

/// Levels of a scale run from 0 (harmless) to kOverlayScale − 1; those behind them are kinds without an order.
inline constexpr int kOverlayScale = 6;
inline constexpr int kOverlayKinds = 4;

struct OverlayMark
{
    int level = 0;
    std::string text; ///< "37.6 dB"
};

struct OverlayLevel
{
    int level = 0;
    std::string text; ///< for the legend: "30 to 35 dB", or a word that the window translates
};

struct Overlay
{
    OverlayKind kind = OverlayKind::Error;
    std::string title; ///< a word that the window translates: "SQNR alone"
    std::vector<OverlayLevel> levels; ///< the legend, in order
    std::unordered_map<NodeId, OverlayMark> marks; ///< operators; others have none
};
using OverlayPtr = std::shared_ptr<const Overlay>;

/// SQNR of each operator's value under one question.
Overlay errorOverlay(const CompareReport& report, ErrorQuestion question);
/// Where each operator of the converted graph ran.
Overlay engineOverlay(const CompareReport& report);
/// What each operator takes in int8 on XNNPACK, changes of layout and type for it included, and its share of all.
/// No marks where no times were taken.
Overlay timeOverlay(const CompareReport& report);
/// Bytes of the constants that each operator reads, as the converted graph stores them, and their share of all.
Overlay bytesOverlay(const Graph& converted);

} // namespace pt2e
