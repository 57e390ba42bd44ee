// Reads bytes as a .pt2 file in a forked child with limits of memory and time.
#pragma once

#include <QByteArray>
#include <QString>

struct ChildResult
{
    int exitCode = -1; ///< 0 read, 3 refused; -1 when a signal ended it
    int signal = 0;
    qint64 peakMemory = 0; ///< bytes
    QString message; ///< the error, if it was refused
    /// Empty if all is as it must be: exit code 0 or 3, a message with 3, memory within 1 GiB.
    QString problem() const;
};

inline constexpr qint64 kMemoryLimit = qint64(1) << 30;
inline constexpr unsigned kSecondsLimit = 10;

/// Opens the bytes, reads every program, every weight and every example input.
ChildResult readInChild(const QByteArray& bytes);
