// Walks LLVM's streaming YAML parser once and keeps what it saw.
#include "YamlTree.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace mlir;
using namespace planwright;

namespace {

/// Deeper nesting than any cluster needs; the parser recurses with it.
constexpr int kMaxDepth = 32;

class TreeBuilder {
public:
  TreeBuilder(llvm::SourceMgr &sources, StringRef file, MLIRContext &context)
      : sources(sources), file(file), context(context) {}

  FailureOr<YamlNode> build(llvm::yaml::Node *node, int depth = 0) {
    if (!node)
      return failure(); // The parser has reported why.
    YamlNode result{YamlNode::Kind::scalar, getLoc(node->getSourceRange().Start), {}, {}, {}};
    if (depth > kMaxDepth) {
      emitError(result.loc) << "nested deeper than " << kMaxDepth << " levels";
      return failure();
    }
    switch (node->getType()) {
    case llvm::yaml::Node::NK_Scalar: {
      SmallString<32> storage;
      result.text = cast<llvm::yaml::ScalarNode>(node)->getValue(storage).str();
      return result;
    }
    case llvm::yaml::Node::NK_BlockScalar:
      result.text = cast<llvm::yaml::BlockScalarNode>(node)->getValue().str();
      return result;
    case llvm::yaml::Node::NK_Sequence:
      return buildSequence(*cast<llvm::yaml::SequenceNode>(node), std::move(result), depth);
    case llvm::yaml::Node::NK_Mapping:
      return buildMapping(*cast<llvm::yaml::MappingNode>(node), std::move(result), depth);
    default:
      emitError(result.loc) << (depth == 0 ? "the file is empty"
                                           : "expected a value, a list or keys with values");
      return failure();
    }
  }

private:
  FailureOr<YamlNode> buildSequence(llvm::yaml::SequenceNode &node, YamlNode result, int depth) {
    result.kind = YamlNode::Kind::sequence;
    for (llvm::yaml::Node &item : node) {
      FailureOr<YamlNode> child = build(&item, depth + 1);
      if (failed(child))
        return failure();
      result.items.push_back(std::move(*child));
    }
    return result;
  }

  FailureOr<YamlNode> buildMapping(llvm::yaml::MappingNode &node, YamlNode result, int depth) {
    result.kind = YamlNode::Kind::mapping;
    for (llvm::yaml::KeyValueNode &pair : node) {
      FailureOr<YamlNode> key = build(pair.getKey(), depth + 1);
      if (failed(key))
        return failure();
      if (key->kind != YamlNode::Kind::scalar) {
        emitError(key->loc) << "a key must be a word";
        return failure();
      }
      FailureOr<YamlNode> value = build(pair.getValue(), depth + 1);
      if (failed(value))
        return failure();
      result.entries.push_back({key->text, key->loc, std::move(*value)});
    }
    return result;
  }

  Location getLoc(llvm::SMLoc loc) {
    if (!loc.isValid())
      return FileLineColLoc::get(&context, file, 1, 1);
    auto [line, column] = sources.getLineAndColumn(loc);
    return FileLineColLoc::get(&context, file, line, column);
  }

  llvm::SourceMgr &sources;
  StringRef file;
  MLIRContext &context;
};

} // namespace

/// Turns the YAML scanner's complaint into a diagnostic of ours.
static void reportSyntaxError(const llvm::SMDiagnostic &diagnostic, void *context) {
  auto *mlirContext = static_cast<MLIRContext *>(context);
  emitError(FileLineColLoc::get(mlirContext, diagnostic.getFilename(),
                                std::max(diagnostic.getLineNo(), 1),
                                std::max(diagnostic.getColumnNo() + 1, 1)))
      << diagnostic.getMessage();
}

FailureOr<YamlNode> planwright::parseYamlTree(llvm::MemoryBufferRef buffer, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.setDiagHandler(reportSyntaxError, &context);
  llvm::yaml::Stream stream(buffer, sources, /*ShowColors=*/false);
  llvm::yaml::document_iterator document = stream.begin();
  StringRef file = buffer.getBufferIdentifier();
  if (document == stream.end() || !document->getRoot()) {
    if (!stream.failed())
      emitError(FileLineColLoc::get(&context, file, 1, 1)) << "the file is empty";
    return failure();
  }
  FailureOr<YamlNode> tree = TreeBuilder(sources, file, context).build(document->getRoot());
  if (failed(tree) || stream.failed())
    return failure();
  return tree;
}
