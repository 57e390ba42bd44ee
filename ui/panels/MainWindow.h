// The window: puts the panels together, and all that can be done into menus.
#pragma once

#include "ui/session/Preferences.h"
#include "ui/session/Session.h"

#include <QMainWindow>

class QMenu;
class QSplitter;
class QStackedWidget;

namespace pt2e::ui {

class CommandPalette;
class Comparison;
class ComparisonPanel;
class FocusBar;
class Inspector;
class OutlinePanel;
class Overlays;
class ProjectDesk;
class SceneSource;
class SecondRecipe;
class SensitivityPanel;
class StageBoard;
class StageStrip;
class StartPage;
class StatusLine;
class TablesPanel;
class TopBar;
struct SearchEntry;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(Preferences& preferences, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return *m_session; }
    SceneSource& scenes() { return *m_scenes; }
    Comparison& comparison() { return *m_comparison; }
    Overlays& overlays() { return *m_overlays; }
    SecondRecipe& secondRecipe() { return *m_second; }
    ProjectDesk& projects() { return *m_desk; }
    StageBoard& board() { return *m_board; }
    TablesPanel& tables() { return *m_tables; }
    ComparisonPanel& comparisonPanel() { return *m_comparisonPanel; }
    Inspector& inspector() { return *m_inspector; }
    OutlinePanel& outline() { return *m_outline; }
    FocusBar& focusBar() { return *m_focusBar; }
    StatusLine& statusLine() { return *m_status; }
    CommandPalette& palette() { return *m_palette; }
    StartPage& startPage() { return *m_start; }
    bool isStartPageShown() const;
    /// A built-in model's name or a path, of a project too; a file that is neither is explained instead.
    void open(const QString& what, const ModelRequest& defaults = {});
    /// Writes the panes as they stand; figureExported() tells when it is done.
    void exportFigure(const QString& path);
    /// Writes the converted model, or the float model with its annotations; modelSaved() tells when it is done.
    void saveModel(const QString& path, StageKind stage);
    /// A command: in the menu, the palette and the list of keys.
    QAction* addAction(QMenu* menu, const char* text, const QKeySequence& keys,
                       const std::function<void()>& what);
Q_SIGNALS:
    void firstFramePainted(); ///< once
    /// `problem` is empty when all went well.
    void figureExported(const QString& path, const QString& problem);
    void modelSaved(const QString& path, const QString& problem);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override; // WindowLayout.cpp

private:
    // MainWindow.cpp
    void build();
    void connectPanels();
    void updateState();
    void showResults(const QString& table);
    void updateComparison();
    void chooseFile();
    void connectDesk();
    void chooseDataFile();
    void chooseEvaluation();
    void chooseFigure();
    void showHelpFor(const QString& path);
    // WindowLayout.cpp
    void restoreLayout();
    void keepLayout() const;
    void resetLayout();
    // SaveModel.cpp
    void makeSaveActions(QMenu* menu);
    void updateSaveActions();
    void chooseSavePath(StageKind stage);
    // MainMenus.cpp, LookMenus.cpp
    void makeActions();
    QMenu* addMenu(const char* title);
    void makeFileMenu();
    void makeEditMenu();
    void updateUndo();
    void makeRunMenu();
    void makeViewMenu();
    void makeRangeMenu(QMenu* run);
    void makeHelpMenu();
    void fillRecentMenu();
    void retranslate();
    void openPalette();
    void goTo(const SearchEntry& entry);
    void showKeys();
    void showAbout();
    void makeOverlayMenu(QMenu* view);
    void makePreferenceMenus(QMenu* view);
    Preferences& m_preferences;
    Session* m_session;
    SceneSource* m_scenes;
    Comparison* m_comparison;
    Overlays* m_overlays;
    SecondRecipe* m_second;
    ProjectDesk* m_desk;
    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    TopBar* m_topBar = nullptr;
    StageStrip* m_strip = nullptr;
    StageBoard* m_board = nullptr;
    FocusBar* m_focusBar = nullptr;
    TablesPanel* m_tables = nullptr;
    ComparisonPanel* m_comparisonPanel = nullptr;
    SensitivityPanel* m_sensitivity = nullptr;
    Inspector* m_inspector = nullptr;
    OutlinePanel* m_outline = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    QSplitter *m_columns = nullptr, *m_rows = nullptr;
    std::vector<std::pair<QAction*, const char*>> m_texts; ///< of menus, too; untranslated
    std::vector<QAction*> m_commands; ///< what Ctrl+K and F1 list
    QMenu *m_openMenu = nullptr, *m_recentMenu = nullptr;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_next = nullptr, *m_hide = nullptr,
            *m_cancel = nullptr, *m_saveConverted = nullptr, *m_saveAnnotated = nullptr;
    std::vector<QAction*> m_needModel, m_needConverted;
    bool m_hasPainted = false;
};

} // namespace pt2e::ui
