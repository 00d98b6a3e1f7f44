// Reading keys and reporting what is wrong with them.
#include "Section.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace planwright;

Section::Section(const YamlNode &node, std::string name, bool &ok)
    : node(node), name(std::move(name)), ok(ok) {
  if (node.kind != YamlNode::Kind::mapping)
    error(node.loc) << "'" << this->name << "' must hold keys with values";
  for (size_t i = 0; i < node.entries.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (node.entries[i].key == node.entries[j].key)
        error(node.entries[i].keyLoc).attachNote(node.entries[j].keyLoc)
            << "'" << node.entries[i].key << "' stands here first";
}

InFlightDiagnostic Section::error(Location loc) {
  ok = false;
  return emitError(loc);
}

const YamlNode *Section::get(StringRef key, Need need) {
  known.push_back(key);
  for (const YamlNode::Entry &entry : node.entries)
    if (entry.key == key)
      return &entry.value;
  if (need == Need::required && node.kind == YamlNode::Kind::mapping)
    error(node.loc) << "'" << name << "' needs a key '" << key << "'";
  return nullptr;
}

/// `value` as a person would write it.
static std::string toText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::optional<double> Section::number(StringRef key, Dimension dimension, Need need, double low,
                                      double high) {
  const YamlNode *value = get(key, need);
  if (!value)
    return std::nullopt;
  if (value->kind != YamlNode::Kind::scalar) {
    error(value->loc) << "'" << key << "' must be a number";
    return std::nullopt;
  }
  std::string reason;
  FailureOr<double> parsed = parseQuantity(value->text, dimension, reason);
  if (failed(parsed)) {
    error(value->loc) << "'" << key << "': " << reason;
    return std::nullopt;
  }
  if (!(*parsed >= low && *parsed <= high)) {
    bool isPlain = low == std::numeric_limits<double>::min();
    InFlightDiagnostic diagnostic = error(value->loc);
    diagnostic << "'" << key << "' cannot be " << value->text << ", expected ";
    if (isPlain)
      diagnostic << "a positive number below " << toText(high);
    else
      diagnostic << "a number from " << toText(low) << " to " << toText(high);
    return std::nullopt;
  }
  return *parsed;
}

std::optional<int64_t> Section::integer(StringRef key, Dimension dimension, Need need) {
  std::optional<double> value = number(key, dimension, need, 1, 9e15);
  if (!value)
    return std::nullopt;
  auto whole = static_cast<int64_t>(*value);
  if (static_cast<double>(whole) != *value) {
    error(get(key, Need::optional)->loc) << "'" << key << "' must be a whole number";
    return std::nullopt;
  }
  return whole;
}

std::optional<std::string> Section::text(StringRef key, Need need) {
  const YamlNode *value = get(key, need);
  if (!value)
    return std::nullopt;
  if (value->kind != YamlNode::Kind::scalar || value->text.empty()) {
    error(value->loc) << "'" << key << "' must be a word";
    return std::nullopt;
  }
  return value->text;
}

void Section::section(StringRef key, Need need, function_ref<void(Section &)> readBody) {
  if (const YamlNode *value = get(key, need))
    read(*value, key.str(), ok, readBody);
}

void Section::list(StringRef key, Need need, function_ref<void(Section &)> readBody) {
  const YamlNode *value = get(key, need);
  if (!value)
    return;
  if (value->kind != YamlNode::Kind::sequence || value->items.empty()) {
    error(value->loc) << "'" << key << "' must be a list with at least one entry";
    return;
  }
  for (const YamlNode &item : value->items)
    read(item, "an entry of " + key.str(), ok, readBody);
}

SmallVector<StringRef> Section::keys() const {
  return llvm::map_to_vector(node.entries,
                             [](const YamlNode::Entry &entry) { return StringRef(entry.key); });
}

void Section::read(const YamlNode &node, std::string name, bool &ok,
                   function_ref<void(Section &)> readBody) {
  Section section(node, std::move(name), ok);
  if (node.kind != YamlNode::Kind::mapping)
    return;
  readBody(section);
  section.reportUnknownKeys();
}

void Section::reportUnknownKeys() {
  for (const YamlNode::Entry &entry : node.entries) {
    StringRef key = entry.key;
    if (llvm::is_contained(known, key))
      continue;
    InFlightDiagnostic diagnostic = error(entry.keyLoc);
    diagnostic << "'" << name << "' has no key '" << key << "'";
    auto nearest = llvm::min_element(known, [&](StringRef a, StringRef b) {
      return key.edit_distance(a) < key.edit_distance(b);
    });
    if (nearest != known.end() &&
        key.edit_distance(*nearest) <= std::max<size_t>(2, key.size() / 3))
      diagnostic << "; did you mean '" << *nearest << "'?";
    else
      diagnostic << "; it knows " << llvm::join(known, ", ");
  }
}
