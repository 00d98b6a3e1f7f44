// Reading golden.json.

#include "Golden.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

static void readLosses(const llvm::json::Object &root, StringRef optimizer, Golden &golden) {
  const llvm::json::Object *run = root.getObject(optimizer);
  const llvm::json::Array *losses = run ? run->getArray("losses") : nullptr;
  if (!losses)
    return;
  for (const llvm::json::Value &loss : *losses)
    golden.losses[optimizer.str()].push_back(loss.getAsNumber().value_or(NAN));
}

static void readVanishing(const llvm::json::Object &root, Golden &golden) {
  if (const llvm::json::Array *zero = root.getArray("zero_gradients"))
    for (const llvm::json::Value &name : *zero)
      golden.vanishing.insert(name.getAsString().value_or("").str());
  const llvm::json::Object *noise = root.getObject("noise");
  if (const llvm::json::Object *names = noise ? noise->getObject("grad0_vanishing") : nullptr)
    for (const auto &entry : *names)
      golden.vanishing.insert(StringRef(entry.first).str());
}

llvm::Expected<Golden> Golden::read(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  const llvm::json::Object *root = json->getAsObject();
  if (!root || !root->getNumber("loss_step0"))
    return llvm::createStringError(path + ": has no loss_step0");
  Golden golden;
  golden.loss = *root->getNumber("loss_step0");
  readLosses(*root, "sgd", golden);
  readLosses(*root, "adamw", golden);
  readVanishing(*root, golden);
  return golden;
}

} // namespace planwright::reference
