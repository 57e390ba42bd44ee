// SHA-256 as FIPS 180-4 defines it.
#include "core/tensor/Sha256.h"

#include "core/tensor/Tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pt2e {

namespace {

constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void compress(State& state, const std::byte* block)
{
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = 0;
        for (std::size_t j = 0; j < 4; ++j)
            w[i] = w[i] << 8 | std::to_integer<std::uint32_t>(block[4 * i + j]);
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 =
            std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const std::uint32_t s1 =
            std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const State add{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        state[i] += add[i];
}

void compressAny(State& state, const std::byte* blocks, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        compress(state, blocks + 64 * i);
}

#if defined(__x86_64__)
/// The processor's own rounds: four at a time, the state as (a, b, e, f) and (c, d, g, h).
[[gnu::target("sha,sse4.1")]] void compressSha(State& state, const std::byte* blocks,
                                               std::size_t count)
{
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    auto* const words = reinterpret_cast<__m128i*>(state.data());
    const auto* const constants = reinterpret_cast<const __m128i*>(kRound.data());
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
    for (; count > 0; --count, blocks += 64) {
        const __m128i abefBefore = abef, cdghBefore = cdgh;
        __m128i w[16]; // std::array would drop its alignment
        for (std::size_t i = 0; i < 16; ++i) {
            if (i < 4) {
                const auto* const from = reinterpret_cast<const __m128i*>(blocks) + i;
                w[i] = _mm_shuffle_epi8(_mm_loadu_si128(from), bigEndian);
            } else {
                const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]),
                                                  _mm_alignr_epi8(w[i - 1], w[i - 2], 4));
                w[i] = _mm_sha256msg2_epu32(sum, w[i - 1]);
            }
            const __m128i message = _mm_add_epi32(w[i], _mm_loadu_si128(constants + i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, message);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(message, 0x0e));
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

bool hasSha()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kShaBit = 1u << 29;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kShaBit) != 0
           && __builtin_cpu_supports("sse4.1");
}
const auto compressBlocks = hasSha() ? compressSha : compressAny;
#else
const auto compressBlocks = compressAny;
#endif

} // namespace

void Sha256::update(std::span<const std::byte> bytes)
{
    constexpr std::size_t kBlock = 64;
    m_size += bytes.size();
    if (m_restSize > 0) {
        const std::size_t taken = std::min(bytes.size(), kBlock - m_restSize);
        std::copy_n(bytes.begin(), taken, m_rest.begin() + m_restSize);
        m_restSize += taken;
        bytes = bytes.subspan(taken);
        if (m_restSize < kBlock)
            return;
        compressBlocks(m_state, m_rest.data(), 1);
        m_restSize = 0;
    }
    const std::size_t blocks = bytes.size() / kBlock;
    compressBlocks(m_state, bytes.data(), blocks);
    bytes = bytes.subspan(blocks * kBlock);
    std::copy(bytes.begin(), bytes.end(), m_rest.begin());
    m_restSize = bytes.size();
}

std::string Sha256::finish()
{
    std::array<std::byte, 128> tail{};
    std::copy_n(m_rest.begin(), m_restSize, tail.begin());
    tail[m_restSize] = std::byte{0x80};
    const std::size_t tailSize = m_restSize < 56 ? 64 : 128;
    const std::uint64_t bits = m_size * 8;
    for (std::size_t i = 0; i < 8; ++i)
        tail[tailSize - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
    compressBlocks(m_state, tail.data(), tailSize / 64);

    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    text.reserve(64);
    for (const std::uint32_t word : m_state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            text += kHex[(word >> shift) & 0xf];
    }
    return text;
}

std::string sha256(std::span<const std::byte> bytes)
{
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

Result<std::string> sha256(const Tensor& tensor)
{
    auto contiguous = tensor.contiguous();
    if (!contiguous)
        return passOn(contiguous);
    auto bytes = contiguous->bytes();
    if (!bytes)
        return passOn(bytes);
    return sha256(*bytes);
}

} // namespace pt2e
