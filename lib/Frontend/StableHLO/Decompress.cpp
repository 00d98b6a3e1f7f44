// Decompression with zlib and liblzma, where the build found them.
#include "Decompress.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#ifdef PLANWRIGHT_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef PLANWRIGHT_HAVE_LZMA
#include <lzma.h>
#endif

using namespace llvm;

using Bytes = SmallVector<char, 0>;

static constexpr size_t maxSize = size_t(1) << 30;

static Error fail(StringRef what) {
  return createStringError(inconvertibleErrorCode(), "cannot decompress: " + what);
}

/// Makes room behind what was written; no more than the limit, and one byte above it so that an
/// excess is seen.
static void grow(Bytes &out, size_t written) {
  out.resize_for_overwrite(std::min(std::max(2 * written, size_t(1) << 16), maxSize + 1));
}

/// Calls `step(from, room)` until it says that all is read; it returns how many bytes it wrote and
/// whether it is done.
template <typename Step> static Expected<Bytes> drain(Step step) {
  Bytes out;
  size_t written = 0;
  while (true) {
    grow(out, written);
    Expected<std::pair<size_t, bool>> result = step(out.data() + written, out.size() - written);
    if (!result)
      return result.takeError();
    written += result->first;
    if (written > maxSize)
      return fail("more than a gibibyte comes out");
    if (result->second)
      break;
  }
  out.truncate(written);
  return out;
}

#ifdef PLANWRIGHT_HAVE_ZLIB
static Expected<Bytes> inflateGzip(StringRef in) {
  z_stream stream = {};
  if (inflateInit2(&stream, /*windowBits=*/15 + 16) != Z_OK) // 16: gzip's header and nothing else
    return fail("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data()));
  stream.avail_in = in.size();
  Expected<Bytes> result = drain([&](char *to, size_t room) -> Expected<std::pair<size_t, bool>> {
    stream.next_out = reinterpret_cast<Bytef *>(to);
    stream.avail_out = room;
    int code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END)
      return fail("the gzip data is damaged or cut off");
    return std::pair(room - stream.avail_out, code == Z_STREAM_END);
  });
  inflateEnd(&stream);
  return result;
}
#else
static Expected<Bytes> inflateGzip(StringRef) { return fail("this build has no zlib"); }
#endif

#ifdef PLANWRIGHT_HAVE_LZMA
static Expected<Bytes> inflateXz(StringRef in) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, /*memlimit=*/maxSize, /*flags=*/0) != LZMA_OK)
    return fail("liblzma does not start");
  stream.next_in = reinterpret_cast<const uint8_t *>(in.data());
  stream.avail_in = in.size();
  Expected<Bytes> result = drain([&](char *to, size_t room) -> Expected<std::pair<size_t, bool>> {
    stream.next_out = reinterpret_cast<uint8_t *>(to);
    stream.avail_out = room;
    lzma_ret code = lzma_code(&stream, LZMA_FINISH);
    if (code != LZMA_OK && code != LZMA_STREAM_END)
      return fail("the xz data is damaged or cut off");
    return std::pair(room - stream.avail_out, code == LZMA_STREAM_END);
  });
  lzma_end(&stream);
  return result;
}
#else
static Expected<Bytes> inflateXz(StringRef) { return fail("this build has no liblzma"); }
#endif

Expected<std::unique_ptr<MemoryBuffer>>
planwright::decompress(std::unique_ptr<MemoryBuffer> buffer) {
  StringRef bytes = buffer->getBuffer();
  bool isGzip = bytes.starts_with("\x1f\x8b");
  bool isXz = bytes.starts_with(StringRef("\xfd"
                                          "7zXZ\0",
                                          6));
  if (!isGzip && !isXz)
    return std::move(buffer);
  Expected<Bytes> text = isGzip ? inflateGzip(bytes) : inflateXz(bytes);
  if (!text)
    return text.takeError();
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(*text), buffer->getBufferIdentifier(),
                                                   /*RequiresNullTerminator=*/true);
}
