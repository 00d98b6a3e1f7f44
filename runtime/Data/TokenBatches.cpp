// Batches cut from a stream of tokens: row r of step s is window s * rows + r; windows follow each
// other without overlap and start again at the file's beginning. "next_tokens" are the same window,
// one token later.

#include "runtime/Data/Batches.h"
#include "runtime/Data/MappedFile.h"

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include <cstring>

namespace planwright::rt {

namespace {

/// A file of integers in memory.
class TokenFile {
public:
  explicit TokenFile(MappedFile file) : file(std::move(file)), bytes(this->file.getBytes()) {}

  /// Decides on 2 or 4 bytes a token; a remark if that was a guess.
  absl::StatusOr<std::string> chooseWidth(TokenType type, int64_t vocabulary);

  int64_t size() const { return static_cast<int64_t>(bytes.size() / width); }
  int64_t operator[](int64_t index) const {
    uint32_t token = 0;
    std::memcpy(&token, bytes.data() + index * width, width);
    return token;
  }

private:
  MappedFile file;
  std::span<const std::byte> bytes;
  size_t width = 2;
};

class TokenBatches : public BatchSource {
public:
  TokenBatches(TokenFile file, std::string path, std::string remark, int64_t rows, int64_t length,
               int64_t windows)
      : file(std::move(file)), path(std::move(path)), remark(std::move(remark)), rows(rows),
        length(length), windows(windows) {}

  absl::Status fill(int64_t step, const RankMemory &memory) override;
  std::string getRemark() const override { return remark; }

private:
  absl::Status fillBuffer(int64_t step, const fb::Buffer &buffer, const RankMemory &memory) const;
  void fillBox(int64_t step, const fb::Argument &argument, const Box &box,
               std::span<std::byte> bytes) const;

  TokenFile file;
  std::string path;
  std::string remark;
  int64_t rows;
  int64_t length;
  int64_t windows;
};

} // namespace

/// Tokens of a vocabulary below 65536 that were stored in four bytes: every second 16-bit word is
/// 0.
static bool looksLikeUint32(std::span<const std::byte> bytes) {
  size_t words = std::min<size_t>(bytes.size(), 8192) / 4 * 2;
  if (words < 64)
    return false;
  bool anyLow = false;
  for (size_t i = 0; i < words; ++i) {
    uint16_t word;
    std::memcpy(&word, bytes.data() + 2 * i, 2);
    if (i % 2 == 1 && word != 0)
      return false;
    anyLow |= i % 2 == 0 && word != 0;
  }
  return anyLow;
}

absl::StatusOr<std::string> TokenFile::chooseWidth(TokenType type, int64_t vocabulary) {
  std::string chosen;
  if (type == TokenType::Auto) {
    bool large = vocabulary > 65536;
    bool guessed = !large && bytes.size() % 4 == 0 && looksLikeUint32(bytes);
    type = large || guessed ? TokenType::Uint32 : TokenType::Uint16;
    if (guessed)
      chosen = "it looks like uint32 and is read so; --token-type=uint16 if it is not";
  }
  width = type == TokenType::Uint32 ? 4 : 2;
  if (bytes.size() % width != 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "its ", bytes.size(), " bytes are no whole number of uint", 8 * width, " tokens"));
  return chosen;
}

void TokenBatches::fillBox(int64_t step, const fb::Argument &argument, const Box &box,
                           std::span<std::byte> bytes) const {
  size_t size = getByteSize(argument.element_type());
  size_t rowDim = argument.batch_dim(), columnDim = 1 - rowDim;
  int64_t shift = argument.token_source() == fb::TokenSource::next_tokens ? 1 : 0;
  for (int64_t r = 0; r < box.size[rowDim]; ++r) {
    int64_t window = (step * rows + box.start[rowDim] + r) % windows;
    int64_t begin = window * length + box.start[columnDim] + shift;
    for (int64_t c = 0; c < box.size[columnDim]; ++c) {
      int64_t token = file[begin + c];
      int64_t index = rowDim == 0 ? r * box.size[1] + c : c * box.size[1] + r;
      std::memcpy(bytes.data() + index * size, &token, size);
    }
  }
}

absl::Status TokenBatches::fillBuffer(int64_t step, const fb::Buffer &buffer,
                                      const RankMemory &memory) const {
  return fillMicroBatches(
      buffer, memory, [&](const fb::Argument &argument, const Box &box, std::span<std::byte> part) {
        fillBox(step, argument, box, part);
        return absl::OkStatus();
      });
}

absl::Status TokenBatches::fill(int64_t step, const RankMemory &memory) {
  for (const fb::Buffer *buffer : *memory.program.buffers())
    if (buffer->kind() == fb::BufferKind::input)
      PLANWRIGHT_RETURN_IF_ERROR(annotate(fillBuffer(step, *buffer, memory),
                                          absl::StrCat("data ", path, ": step ", step)));
  return absl::OkStatus();
}

/// The shape that all token arguments share: rows and length. Fails where tokens cannot fill the
/// model's inputs.
static absl::Status findShape(const fb::Program &program, int64_t &rows, int64_t &length,
                              int64_t &vocabulary) {
  rows = length = vocabulary = 0;
  if (program.arguments())
    for (const fb::Argument *argument : *program.arguments()) {
      if (!isInput(*argument))
        continue;
      std::string name = argument->name()->str();
      if (argument->token_source() == fb::TokenSource::none)
        return absl::InvalidArgumentError(
            absl::StrCat("the signature does not say how tokens fill \"", name,
                         "\" (\"from\": \"tokens\" or \"next_tokens\")"));
      auto shape = toSpan(argument->shape());
      bool isInteger = argument->element_type() == fb::ElementType::i32 ||
                       argument->element_type() == fb::ElementType::i64;
      if (shape.size() != 2 || argument->batch_dim() < 0 || !isInteger)
        return absl::InvalidArgumentError(absl::StrCat(
            "\"", name, "\" is not a batch of sequences of i32 or i64, tokens cannot fill it"));
      int64_t thisRows = shape[argument->batch_dim()],
              thisLength = shape[1 - argument->batch_dim()];
      if (rows != 0 && (rows != thisRows || length != thisLength))
        return absl::InvalidArgumentError(
            absl::StrCat("\"", name, "\" has another shape than the token arguments before it"));
      rows = thisRows, length = thisLength;
      if (argument->has_range())
        vocabulary = std::max(vocabulary, argument->range_high());
    }
  if (rows == 0 || length == 0)
    return absl::InvalidArgumentError("the model has no input that tokens could fill");
  return absl::OkStatus();
}

static absl::StatusOr<std::unique_ptr<BatchSource>>
openUnannotated(const std::string &path, const fb::Program &program, TokenType tokenType) {
  int64_t rows, length, vocabulary;
  PLANWRIGHT_RETURN_IF_ERROR(findShape(program, rows, length, vocabulary));
  PLANWRIGHT_ASSIGN_OR_RETURN(MappedFile mapping, MappedFile::open(path, "a file of tokens"));
  TokenFile file(std::move(mapping));
  PLANWRIGHT_ASSIGN_OR_RETURN(std::string remark, file.chooseWidth(tokenType, vocabulary));
  // The last window needs one token more for its "next_tokens".
  int64_t windows = (file.size() - 1) / length;
  if (windows < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("it has ", file.size(), " tokens, a sequence needs ", length + 1));
  if (!remark.empty())
    remark = absl::StrCat("data ", path, ": ", remark);
  return std::make_unique<TokenBatches>(std::move(file), path, remark, rows, length, windows);
}

absl::StatusOr<std::unique_ptr<BatchSource>>
openTokenBatches(const std::string &path, const fb::Program &program, TokenType tokenType) {
  absl::StatusOr<std::unique_ptr<BatchSource>> source = openUnannotated(path, program, tokenType);
  if (!source.ok())
    return annotate(source.status(), absl::StrCat("data ", path));
  return source;
}

} // namespace planwright::rt
