// Kernels of the test program, as a compiler would emit them: void k(void *const *operands, int64_t
// low, int64_t high).

#include <cstdint>
#include <unistd.h>

namespace {
constexpr int64_t width = 4;      // Of a row of x.
constexpr float batchSize = 8.0f; // The global batch, a literal divisor.
} // namespace

extern "C" {

/// Rows [low, high) of y = x . w against t: adds to the gradient of w and to the loss. Operands: w,
/// x, t, gradient, loss.
void linear(void *const *operands, int64_t low, int64_t high) {
  const float *w = static_cast<const float *>(operands[0]);
  const float *x = static_cast<const float *>(operands[1]);
  const float *t = static_cast<const float *>(operands[2]);
  float *gradient = static_cast<float *>(operands[3]);
  float *loss = static_cast<float *>(operands[4]);
  for (int64_t row = low; row < high; ++row) {
    float error = -t[row];
    for (int64_t i = 0; i < width; ++i)
      error += w[i] * x[row * width + i];
    for (int64_t i = 0; i < width; ++i)
      gradient[i] += error * x[row * width + i] / batchSize;
    *loss += 0.5f * error * error / batchSize;
  }
}

/// w -= 0.1 * gradient; learning_rate = 0.1 / step (only to show both scalars). Operands: w,
/// gradient, step, rate.
void update(void *const *operands, int64_t low, int64_t high) {
  float *w = static_cast<float *>(operands[0]);
  const float *gradient = static_cast<const float *>(operands[1]);
  for (int64_t i = low; i < high; ++i)
    w[i] -= 0.1f * gradient[i];
  if (low == 0)
    *static_cast<float *>(operands[3]) =
        0.1f / static_cast<float>(*static_cast<const int64_t *>(operands[2]));
}

/// Takes a tenth of a second, so that a test can do something to a running job.
void rest(void *const *, int64_t, int64_t) { ::usleep(100'000); }

/// Takes a second on the rank whose coordinate is 1, so that the others wait for it. Operand: the
/// scalar axis/dp.
void linger(void *const *operands, int64_t, int64_t) {
  if (*static_cast<const int64_t *>(operands[0]) == 1)
    ::usleep(1'000'000);
}

/// Writes where nobody may, on the rank whose coordinate is 1. Operand: the scalar axis/dp.
void crash(void *const *operands, int64_t, int64_t) {
  if (*static_cast<const int64_t *>(operands[0]) == 1)
    *reinterpret_cast<volatile int *>(16) = 1;
}

/// out[i] = i, for i in [low, high).
void iota(void *const *operands, int64_t low, int64_t high) {
  for (int64_t i = low; i < high; ++i)
    static_cast<int64_t *>(operands[0])[i] = i;
}
}
