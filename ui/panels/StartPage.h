// What stands in the window before a model is open: built-in models, recent projects and files, where to drop a file, how to make one.
#pragma once

#include "ui/models/GalleryModel.h"
#include "ui/session/Preferences.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pt2e::ui {

class GalleryCard;

/// The lines of Python that export a model; the same in all languages.
QString exportSnippet();

class StartPage : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(Preferences& preferences, QWidget* parent = nullptr);

    /// A file is held over the window.
    void setDropActive(bool active);
    void showProblem(const QString& message);

Q_SIGNALS:
    void openWanted(const QString& what); ///< a built-in model's name or a path
    void chooseFileWanted();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildCards();
    void arrangeCards();
    void refreshRecent();
    void addRecent(const QStringList& paths);
    void retranslate();

    Preferences& m_preferences;
    GalleryModel* m_gallery;
    QLabel* m_heading;
    QLabel* m_lead;
    QLabel* m_builtIn;
    QWidget* m_cards;
    QGridLayout* m_cardGrid;
    std::vector<GalleryCard*> m_cardList; ///< in the gallery's order
    int m_cardColumns = 0;
    QLabel* m_recentTitle;
    QVBoxLayout* m_recent;
    QWidget* m_drop;
    QLabel* m_dropText;
    QPushButton* m_choose;
    QLabel* m_exportTitle;
    QLabel* m_exportCode;
    QPushButton* m_copy;
    QLabel* m_problem;
};

} // namespace pt2e::ui
