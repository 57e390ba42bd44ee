// SHA-256 of bytes that come piece by piece; Tensor.h has it for what is in memory as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pt2e {

class Sha256
{
public:
    void update(std::span<const std::byte> bytes);
    /// 64 hexadecimal digits, lower case. Once, at the end.
    std::string finish();

private:
    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_rest{}; ///< begins a block that is not full yet
    std::size_t m_restSize = 0;
    std::uint64_t m_size = 0; ///< in bytes
};

} // namespace pt2e
