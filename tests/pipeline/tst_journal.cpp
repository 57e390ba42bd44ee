// The journal: what was written is read, whatever happened to the end of the file; the history comes back; it stays short.
#include "core/pipeline/Journal.h"
#include "tests/support/FullProject.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <csignal>
#include <random>
#include <sys/resource.h>

using namespace pt2e;

namespace {

JournalEntry entryAt(std::int64_t index, int seed)
{
    JournalEntry entry;
    entry.index = index;
    entry.text = index == 0 ? "" : "step \"" + std::to_string(seed) + "\"";
    entry.time = 1700000000000 + seed;
    entry.isModified = true;
    entry.projectFile = "/somewhere/work.pt2ew";
    entry.project = test::fullProject("/somewhere");
    entry.project.recipe.calibration.seed = static_cast<std::uint64_t>(seed);
    return entry;
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string writeAs(const QTemporaryDir& folder, const QByteArray& bytes)
{
    QFile file(folder.filePath("changed.journal"));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        return {};
    return file.fileName().toStdString();
}

std::vector<int> seedsOf(const JournalHistory& history)
{
    std::vector<int> seeds;
    for (const JournalStep& step : history.steps())
        seeds.push_back(static_cast<int>(step.recipe.calibration.seed));
    return seeds;
}

/// Runs what a lane would run.
void sync(Journal& journal)
{
    if (const auto pending = journal.pendingSync()) {
        QVERIFY(pending());
        QVERIFY(journal.synced());
    }
}

} // namespace

class TestJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        {
            Journal journal(path);
            QVERIFY(journal.isEmpty() && !QFile::exists(QString::fromStdString(path)));
            for (int i = 0; i < 5; ++i)
                QVERIFY(journal.append(entryAt(i, i)));
            QVERIFY(journal.append(entryAt(3, 3))); // undo
        }
        const auto history = readJournal(path);
        QVERIFY(history);
        QCOMPARE(seedsOf(*history), (std::vector<int>{0, 1, 2, 3, 4}));
        QCOMPARE(history->current(), std::size_t(3));
        QCOMPARE(history->steps()[4].text, std::string("step \"4\""));
        QCOMPARE(history->last().time, std::int64_t(1700000000003));
        QCOMPARE(history->last().projectFile, std::string("/somewhere/work.pt2ew"));
        QCOMPARE(writeProject(history->last().project, {}),
                 writeProject(entryAt(3, 3).project, {}));
    }

    void theHistoryFollowsUndoAndRedo()
    {
        JournalHistory history;
        for (int i = 0; i < 4; ++i)
            history.apply(entryAt(i, i));
        history.apply(entryAt(1, 1)); // two back
        history.apply(entryAt(1, 1)); // something else changed: a view
        QCOMPARE(seedsOf(history), (std::vector<int>{0, 1, 2, 3}));
        history.apply(entryAt(2, 2)); // redo
        QCOMPARE(history.current(), std::size_t(2));
        history.apply(entryAt(1, 1));
        history.apply(entryAt(2, 9)); // another step cuts off the rest
        QCOMPARE(seedsOf(history), (std::vector<int>{0, 1, 9}));
        history.apply(entryAt(7, 7)); // what lies between was lost
        QCOMPARE(seedsOf(history), (std::vector<int>{7}));
        history.apply(entryAt(8, 8));
        QCOMPARE(seedsOf(history), (std::vector<int>{7, 8}));
    }

    void aTornEndIsIgnored()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        std::vector<qsizetype> ends;
        for (int i = 0; i < 3; ++i) {
            QVERIFY(journal.append(entryAt(i, i)));
            ends.push_back(contentOf(path).size());
        }
        const QByteArray whole = contentOf(path);
        for (qsizetype size = 0; size < whole.size(); ++size) {
            if (size > 100 && size % 13 != 0 && size + 100 < whole.size()
                && std::none_of(ends.begin(), ends.end(),
                                [&](qsizetype end) { return std::abs(end - size) < 3; }))
                continue;
            const auto history = readJournal(writeAs(folder, whole.left(size)));
            QVERIFY2(history, qPrintable(QString::number(size)));
            const auto expected =
                std::count_if(ends.begin(), ends.end(), [&](qsizetype end) { return end <= size; });
            QCOMPARE(static_cast<std::ptrdiff_t>(history->steps().size()), expected);
        }
    }

    void damageInTheMiddleEndsThere()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        QVERIFY(journal.append(entryAt(0, 0)));
        const qsizetype first = contentOf(path).size();
        for (int i = 1; i < 4; ++i)
            QVERIFY(journal.append(entryAt(i, i)));
        const QByteArray whole = contentOf(path);
        std::mt19937 random(1);
        for (int i = 0; i < 300; ++i) {
            QByteArray bad = whole;
            const auto at = static_cast<qsizetype>(random()) % (whole.size() - first) + first;
            bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
            const auto history = readJournal(writeAs(folder, bad));
            QVERIFY(history && !history->isEmpty() && history->steps().size() < 4);
        }
        // A length that no file has.
        QByteArray huge = whole.left(first) + "99999999999999999999 0123456789abcdef\n{}\n";
        QCOMPARE(readJournal(writeAs(folder, huge))->steps().size(), std::size_t(1));
        huge = whole.left(first) + "18446744073709551600 0123456789abcdef\n{}\n";
        QCOMPARE(readJournal(writeAs(folder, huge))->steps().size(), std::size_t(1));
        QVERIFY(!readJournal(writeAs(folder, "pt2e.journal 2\n")));
        QVERIFY(!readJournal(folder.filePath("nothing").toStdString()));
        QVERIFY(readJournal(writeAs(folder, "pt2e.jour"))->isEmpty());
    }

    void itStaysShort()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        qsizetype largest = 0;
        int smaller = 0;
        qsizetype before = 0;
        for (int i = 0; i < 1500; ++i) {
            QVERIFY(journal.append(entryAt(i, i)));
            if (i % 10 == 9)
                sync(journal);
            const qsizetype size = contentOf(path).size();
            largest = std::max(largest, size);
            smaller += size < before;
            before = size;
        }
        QVERIFY2(largest < 3 * Journal::kCompactAt, qPrintable(QString::number(largest)));
        QVERIFY(smaller > 2);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList("a.journal"));
        const auto history = readJournal(path);
        QVERIFY2(history, qPrintable(QString::fromStdString(history ? std::string()
                                                                    : history.error().message())));
        QCOMPARE(static_cast<int>(history->last().project.recipe.calibration.seed), 1499);
        QVERIFY(history->steps().size() >= 50);
        QCOMPARE(history->current(), history->steps().size() - 1);
        int expected = 1499;
        for (std::size_t i = history->steps().size(); i-- > 0;)
            QCOMPARE(static_cast<int>(history->steps()[i].recipe.calibration.seed), expected--);
    }

    /// The old file is whole until the new one is in place, and both hold what comes between.
    void aCrashWhileItIsMadeShorterLosesNothing()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        const QString next = QString::fromStdString(path) + ".new";
        Journal journal(path);
        int i = 0;
        for (; !QFile::exists(next); ++i)
            QVERIFY(journal.append(entryAt(i, i)));
        const auto pending = journal.pendingSync();
        QVERIFY(pending && pending());
        for (int more = 0; more < 3; ++more, ++i)
            QVERIFY(journal.append(entryAt(i, i)));
        QCOMPARE(static_cast<int>(readJournal(path)->last().project.recipe.calibration.seed),
                 i - 1);
        QCOMPARE(static_cast<int>(
                     readJournal(next.toStdString())->last().project.recipe.calibration.seed),
                 i - 1);
        QVERIFY(journal.synced());
        QVERIFY(!QFile::exists(next));
        QVERIFY(contentOf(path).size() < Journal::kCompactAt);
        QVERIFY(journal.append(entryAt(i, i)));
        QCOMPARE(static_cast<int>(readJournal(path)->last().project.recipe.calibration.seed), i);
    }

    void aFullDiskLeavesNoPart()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        QVERIFY(journal.append(entryAt(0, 0)));
        const qsizetype whole = contentOf(path).size();
        // Room for half a record: the system writes that half and refuses the rest.
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before = {};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit little = before;
        little.rlim_cur = static_cast<rlim_t>(whole + whole / 2);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
        const auto failed = journal.append(entryAt(1, 1));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        QVERIFY(!failed && failed.error().code == ErrorCode::Io);
        QCOMPARE(contentOf(path).size(), whole);
        // And it goes on when there is room again.
        QVERIFY(journal.append(entryAt(1, 7)));
        QCOMPARE(seedsOf(*readJournal(path)), (std::vector<int>{0, 7}));
        Journal nowhere("/nowhere/at/all.journal");
        QVERIFY(!nowhere.append(entryAt(0, 0)));
    }

    /// One that this program wrote and cannot read costs that one alone.
    void anUnreadableRecordIsLeftOut()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        JournalEntry bad = entryAt(0, 0);
        bad.project.recipe.threads = 5000;
        QVERIFY(journal.append(bad));
        QVERIFY(!readJournal(path));
        QVERIFY(journal.append(entryAt(1, 1)));
        bad.index = 2;
        QVERIFY(journal.append(bad));
        QCOMPARE(seedsOf(*readJournal(path)), std::vector<int>{1});
    }

    void removing()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.journal").toStdString();
        Journal journal(path);
        QVERIFY(journal.append(entryAt(0, 0)));
        journal.remove();
        QVERIFY(!QFile::exists(QString::fromStdString(path)) && journal.isEmpty());
        QVERIFY(journal.append(entryAt(0, 5)));
        QCOMPARE(readJournal(path)->steps().size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
