// A file that appears whole or not at all: written beside its place, then renamed. What is no
// regular file (a pipe, a device) is written to directly. Not here: surviving a power cut (fsync).
//
//   NewFile file("weights.safetensors");
//   file.write(header);
//   file.write(bytes);
//   return file.commit();         // until then, an older file of that name is as it was

#ifndef PLANWRIGHT_RUNTIME_DATA_NEWFILE_H
#define PLANWRIGHT_RUNTIME_DATA_NEWFILE_H

#include "absl/status/status.h"

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace planwright::rt {

class NewFile {
public:
  explicit NewFile(const std::string &path);
  NewFile(const NewFile &) = delete;
  /// Without a successful commit nothing is left.
  ~NewFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Puts the file in its place. The first thing that went wrong so far, with the path and the
  /// system's reason.
  absl::Status commit();

private:
  void fail(const char *what);
  bool isDirect() const { return written == destination; }

  std::string path;        ///< as the user wrote it
  std::string destination; ///< behind symbolic links
  std::string written;     ///< the same, or a name beside it
  std::FILE *file = nullptr;
  absl::Status status;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_NEWFILE_H
