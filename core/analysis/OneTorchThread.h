// LibTorch on one thread for a while: runs then stand side by side, each on a thread of its own.
#pragma once

#include "core/kernels/Kernels.h"

namespace pt2e {

/// As long as this lives. LibTorch on several threads would share its own with ours, and sum in another order.
class OneTorchThread
{
public:
    explicit OneTorchThread(const Kernels& torch) : m_torch(torch), m_before(torch.info().threads)
    {
        if (m_before != 1)
            m_torch.setThreads(1);
    }
    OneTorchThread(const OneTorchThread&) = delete;
    OneTorchThread& operator=(const OneTorchThread&) = delete;
    ~OneTorchThread()
    {
        if (m_before != 1)
            m_torch.setThreads(m_before);
    }

private:
    const Kernels& m_torch;
    int m_before;
};

} // namespace pt2e
