// A part of the inspector: a rule, a title with a note at its right, and what stands below.
#pragma once

#include <QString>

#include <vector>

class QGridLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;
class QWidget;

namespace pt2e::ui {

constexpr int kSectionMargin = 14;

struct Section
{
    QWidget* widget = nullptr;
    QLabel* title = nullptr;
    QLabel* note = nullptr;
    QVBoxLayout* body = nullptr;
};
/// A page that says what will be here.
struct EmptyPage
{
    QWidget* widget = nullptr;
    QLabel* title = nullptr;
    QLabel* text = nullptr; ///< wraps
};
EmptyPage addEmptyPage(QStackedWidget* stack);
/// The layout of a page: its head, then its sections.
QVBoxLayout* pageLayout(QWidget* page);
/// Labels one below the other, the title first.
void addHead(QVBoxLayout* layout, const std::vector<QLabel*>& labels);
/// Appends a section to a layout of the page.
Section addSection(QWidget* page, QVBoxLayout* layout);
/// Appends rows of a muted name and what it is; the second column takes the room.
QGridLayout* addGrid(const Section& section);
/// A row of that grid; `value` is owned by the grid from now on.
void addRow(QGridLayout* grid, const QString& name, QWidget* value);
/// The first row without items (rowCount() never shrinks).
int freeRow(const QGridLayout* grid);
/// Takes all rows out; their widgets are deleted when control returns to the event loop.
void clearGrid(QGridLayout* grid);

/// A label that breaks lines and can be copied from; `property` is a style's name, such as "muted".
QLabel* wrappedLabel(QWidget* parent, const char* property = nullptr);
/// A label that acts as a link; connect to QLabel::linkActivated.
QLabel* linkLabel(QWidget* parent, const QString& text);
/// Zero-width spaces behind what a long name or call may be broken at.
QString breakable(QString text);

} // namespace pt2e::ui
