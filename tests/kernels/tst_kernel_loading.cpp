// The library with LibTorch: loaded late, and a clear error when it is missing or is something else.
#include "core/kernels/Kernels.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pt2e;

class TestKernelLoading : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // In this order: a failed attempt must not stand in the way of a later one.
    void missingLibraryIsNamed()
    {
        QVERIFY(!kernelsAreLoaded());
        qputenv("PT2E_TORCH_LIBRARY", "/nowhere/libpt2e_torch.so");
        const auto missing = kernels();
        QVERIFY(!missing);
        const std::string message = missing.error().message();
        QVERIFY2(message.find("libpt2e_torch.so") != std::string::npos, message.c_str());
        QVERIFY2(message.find("/nowhere/") != std::string::npos, message.c_str());
        QVERIFY2(message.find("pt2e_torch") != std::string::npos, message.c_str());
        QVERIFY(!kernelsAreLoaded());
    }

    void wrongFileIsNamed()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("libpt2e_torch.so");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is not a library");
        file.close();
        qputenv("PT2E_TORCH_LIBRARY", path.toLocal8Bit());
        const auto broken = kernels();
        QVERIFY(!broken);
        QVERIFY(broken.error().message().find("cannot be loaded") != std::string::npos);
        QVERIFY(broken.error().message().find(path.toStdString()) != std::string::npos);
    }

    void foundBesideTheProgram()
    {
        qunsetenv("PT2E_TORCH_LIBRARY");
        const auto loaded = kernels();
        QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
        QVERIFY(kernelsAreLoaded());
        QCOMPARE(*kernels(), *loaded);
    }
};

QTEST_GUILESS_MAIN(TestKernelLoading)
#include "tst_kernel_loading.moc"
