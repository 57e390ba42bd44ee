// Files made by hand, one for each thing the reader must check.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

struct HostileFile
{
    const char* name;
    QByteArray bytes;
    QString expected; ///< part of the message; empty: it must be read, perhaps with a remark
};

/// A file of tests/data/pt2.
QByteArray sample(const QString& name);
/// A sound archive with another program record.
QByteArray withWholeJson(const QByteArray& json, bool deflate = false);
QList<HostileFile> handMadeFiles();
