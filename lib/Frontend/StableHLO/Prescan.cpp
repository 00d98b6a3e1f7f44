// A scan over tokens: brackets, shapes, aliases.
//
// Every check errs on the safe side: depth is never underestimated, for a bracket that does not fit
// stays open.
#include "Prescan.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace planwright;

static constexpr unsigned maxDepth = 256;
static constexpr unsigned maxRank = 64;
static constexpr uint64_t maxElements = uint64_t(1)
                                        << 56; // times the widest element, still no overflow
static constexpr uint64_t maxExpansion = uint64_t(1) << 20;

static bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
static bool isWord(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }

namespace {
/// How deep an alias nests once it is put in, and how many parts it then has.
struct Expansion {
  unsigned depth = 0;
  uint64_t parts = 1;
};

class Prescan {
public:
  explicit Prescan(StringRef text) : text(text) {}
  std::optional<PrescanError> run();

private:
  void step();
  void skipString();
  void open(char bracket);
  void close(char bracket);
  void endLine();
  void readWord();
  void readSigil();
  void readShape();
  void beginAlias(StringRef name);
  void useAlias(StringRef name);

  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  bool isDone() const { return at >= text.size() || error; }
  StringRef takeWord();
  void skipBlanks();
  void fail(size_t offset, const Twine &message) {
    if (!error)
      error = PrescanError{offset, message.str()};
  }

  StringRef text;
  size_t at = 0;
  SmallVector<char> brackets;
  std::optional<PrescanError> error;

  StringMap<Expansion> aliases;
  Expansion *defining = nullptr; // the alias whose definition is being read
  bool afterAlias = false;       // nothing has come since the last definition
  char last = '\n';              // the last character that is not blank, on this line
  bool startsLine = true;        // the token being read is the first on its line
};
} // namespace

std::optional<PrescanError> Prescan::run() {
  while (!isDone())
    step();
  return error;
}

void Prescan::step() {
  char c = peek();
  bool isComment = c == '/' && peek(1) == '/';
  if (!isSpace(c) && !isComment) {
    if (afterAlias && StringRef("<([>-:,=").contains(c))
      fail(at, "the definition above cannot go on here: it has to be on one line");
    afterAlias = false;
    startsLine = last == '\n';
    last = c;
  }
  if (isComment) {
    at = std::min(text.find('\n', at), text.size());
  } else if (c == '-' && peek(1) == '>') {
    at += 2;
  } else if (c == '"') {
    skipString();
  } else if (StringRef("([{<").contains(c)) {
    open(c);
  } else if (StringRef(")]}>").contains(c)) {
    close(c);
  } else if (c == '\n') {
    endLine();
  } else if (StringRef("#!%@^").contains(c)) {
    readSigil();
  } else if (isWordStart(c)) {
    readWord();
  } else if (isDigit(c)) {
    while (isDigit(peek()))
      ++at;
    at += peek() == 'x'; // so that 4xtensor<..> has the word tensor in it
  } else {
    ++at;
  }
}

void Prescan::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    at += text[at] == '\\';
  at = std::min(at + (peek() == '"'), text.size());
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

void Prescan::open(char bracket) {
  brackets.push_back(bracket);
  if (brackets.size() > maxDepth)
    fail(at, "nested deeper than " + Twine(maxDepth) + " levels");
  if (defining)
    defining->depth = std::max<unsigned>(defining->depth, brackets.size());
  ++at;
}

void Prescan::close(char bracket) {
  static constexpr StringRef opening = "([{<", closing = ")]}>";
  if (!brackets.empty() && brackets.back() == opening[closing.find(bracket)])
    brackets.pop_back();
  ++at;
}

//===----------------------------------------------------------------------===//
// Aliases: #name = attribute, !name = type, each on a line of its own
//===----------------------------------------------------------------------===//

void Prescan::endLine() {
  bool isOpen = !brackets.empty() || StringRef(":=,-").contains(last);
  if (defining && isOpen)
    fail(at, "a definition has to be on one line");
  afterAlias |= defining != nullptr;
  defining = nullptr;
  last = '\n';
  ++at;
}

void Prescan::readSigil() {
  size_t start = at;
  char sigil = text[at++];
  StringRef name = takeWord();
  if ((sigil != '#' && sigil != '!') || name.empty())
    return;
  size_t end = at;
  while (peek() == ' ' || peek() == '\t')
    ++at;
  if (brackets.empty() && peek() == '=')
    return beginAlias(text.slice(start, end));
  if (brackets.empty() && !defining && startsLine)
    return fail(start, "an alias stands here that is not being defined");
  useAlias(text.slice(start, end));
}

void Prescan::beginAlias(StringRef name) {
  defining = &aliases[name];
  *defining = Expansion();
}

void Prescan::useAlias(StringRef name) {
  auto found = aliases.find(name);
  if (found == aliases.end())
    return; // an attribute of a dialect, or a location that is defined further down
  Expansion used = found->second;
  unsigned depth = brackets.size() + used.depth;
  if (depth > maxDepth)
    fail(at, "aliases nest deeper than " + Twine(maxDepth) + " levels");
  if (!defining)
    return;
  defining->depth = std::max(defining->depth, depth);
  defining->parts += used.parts;
  if (defining->parts > maxExpansion)
    fail(at, "aliases expand to more than " + Twine(maxExpansion) + " parts");
}

//===----------------------------------------------------------------------===//
// Words and shapes
//===----------------------------------------------------------------------===//

StringRef Prescan::takeWord() {
  size_t start = at;
  while (isWord(peek()) && !(peek() == '-' && peek(1) == '>'))
    ++at;
  return text.slice(start, at);
}

void Prescan::skipBlanks() {
  while (!isDone() && (isSpace(peek()) || (peek() == '/' && peek(1) == '/')))
    at = peek() == '/' ? std::min(text.find('\n', at), text.size()) : at + 1;
}

/// Whether `word` is the type of an integer of more than 128 bits.
static bool isTooWide(StringRef word) {
  unsigned width = 0;
  if (!word.consume_front("si") && !word.consume_front("ui") && !word.consume_front("i"))
    return false;
  bool isNumber = !word.empty() && all_of(word, isDigit);
  return isNumber && (word.getAsInteger(10, width) || width > 128);
}

void Prescan::readWord() {
  size_t start = at;
  StringRef word = takeWord();
  last = text[at - 1];
  if (word == "affine_map" || word == "affine_set")
    return fail(start, word + " has no place in StableHLO");
  if (isTooWide(word))
    return fail(start, "an integer of more than 128 bits");
  if (word == "tensor" || word == "vector" || word == "memref")
    readShape();
}

/// Looks at the dimensions behind `tensor`, and leaves the scan in front of them.
void Prescan::readShape() {
  size_t begin = at;
  skipBlanks();
  if (peek() != '<')
    return void(at = begin);
  ++at;
  uint64_t elements = 1;
  unsigned rank = 0;
  while (!isDone()) {
    skipBlanks();
    bool isScalable = peek() == '[';
    at += isScalable;
    size_t start = at;
    if (peek() == '?')
      return fail(at, "dynamic dimension: export the model with static shapes");
    while (isDigit(peek()))
      ++at;
    if (at == start)
      break;
    uint64_t size = 0;
    bool tooLarge = text.slice(start, at).getAsInteger(10, size);
    bool overflows = size != 0 && elements > maxElements / size;
    if (tooLarge || overflows)
      return fail(start, "a tensor of more than 2^56 elements");
    // A dimension of size zero must not hide the product of the others.
    elements *= std::max<uint64_t>(size, 1);
    if (++rank > maxRank)
      return fail(start, "a tensor of more than " + Twine(maxRank) + " dimensions");
    at += isScalable && peek() == ']';
    skipBlanks();
    if (peek() != 'x')
      break;
    ++at;
  }
  at = begin;
}

std::optional<PrescanError> planwright::prescan(StringRef text) { return Prescan(text).run(); }
