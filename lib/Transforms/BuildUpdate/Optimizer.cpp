// Reads an optimizer's text. Not here: the update's IR (UpdateFunction.cpp).
#include "planwright/Transforms/Optimizer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace planwright {

namespace {

/// A number that the text may set, and the interval it must lie in (`most` excluded).
struct Key {
  StringRef name;
  double *number;
  double least = 0.0;
  double most = HUGE_VAL;
  bool isGiven = false;
};

} // namespace

/// The name in `known` that is nearest to `word`, if any is near enough to be meant.
static StringRef suggest(StringRef word, ArrayRef<StringRef> known) {
  StringRef best;
  unsigned least = word.size() / 2 + 1;
  for (StringRef name : known)
    if (unsigned distance = word.edit_distance(name); distance < least) {
      least = distance;
      best = name;
    }
  return best;
}

static std::string describeUnknown(StringRef what, StringRef word, ArrayRef<StringRef> known) {
  std::string message;
  llvm::raw_string_ostream os(message);
  os << what << " \"" << word << "\" is unknown";
  if (StringRef meant = suggest(word, known); !meant.empty())
    os << "; did you mean \"" << meant << "\"?";
  os << (message.back() == '?' ? " It" : "; it") << " must be one of " << llvm::join(known, ", ");
  return message;
}

/// Reads `settings`, a list `key=number,...`, into `keys`.
static LogicalResult parseSettings(StringRef owner, StringRef settings, MutableArrayRef<Key> keys,
                                   std::string &message) {
  SmallVector<StringRef> parts;
  settings.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, text] = part.split('=');
    auto *key = llvm::find_if(keys, [&, name = name](const Key &key) { return key.name == name; });
    if (key == keys.end()) {
      auto names = llvm::map_to_vector(keys, [](const Key &key) { return key.name; });
      message = describeUnknown((owner + " setting").str(), name, names);
      return failure();
    }
    llvm::raw_string_ostream os(message);
    if (key->isGiven) {
      os << owner << " setting " << name << " is given twice";
      return failure();
    }
    if (text.getAsDouble(*key->number)) {
      os << owner << " setting " << name << "=" << text << " is not a number";
      return failure();
    }
    if (!(*key->number >= key->least && *key->number < key->most)) {
      os << owner << " setting " << name << "=" << text << " must be "
         << (std::isfinite(*key->number) ? "" : "a finite number of ") << "at least "
         << llvm::format("%g", key->least);
      if (key->most != HUGE_VAL)
        os << " and less than " << llvm::format("%g", key->most);
      return failure();
    }
    key->isGiven = true;
  }
  return success();
}

static LogicalResult parseRule(StringRef text, OptimizerSpec &spec, std::string &message) {
  auto [name, settings] = text.split(':');
  SmallVector<Key> keys = {{"lr", &spec.learningRate}, {"weight-decay", &spec.weightDecay}};
  if (name == "sgd") {
    spec.kind = OptimizerSpec::Kind::sgd;
    keys.push_back({"momentum", &spec.momentum, 0.0, 1.0});
  } else if (name == "adamw") {
    spec.kind = OptimizerSpec::Kind::adamw;
    spec.weightDecay = 0.01;
    keys.push_back({"beta1", &spec.beta1, 0.0, 1.0});
    keys.push_back({"beta2", &spec.beta2, 0.0, 1.0});
    keys.push_back({"eps", &spec.epsilon});
  } else {
    message = describeUnknown("optimizer", name, {"sgd", "adamw"});
    return failure();
  }
  if (failed(parseSettings(name, settings, keys, message)))
    return failure();
  if (keys.front().isGiven)
    return success();
  message = (name + " needs a learning rate: " + name + ":lr=...").str();
  return failure();
}

/// `number` as a count of steps.
static LogicalResult parseCount(StringRef key, double number, int64_t &count,
                                std::string &message) {
  count = static_cast<int64_t>(std::min(number, 1e15));
  if (static_cast<double>(count) == number)
    return success();
  llvm::raw_string_ostream(message)
      << "cosine setting " << key << " must be a whole number, not " << llvm::format("%g", number);
  return failure();
}

static LogicalResult parseSchedule(StringRef text, LearningRateSchedule &schedule,
                                   std::string &message) {
  auto [name, settings] = text.split(':');
  double warmup = 0.0, steps = 0.0;
  SmallVector<Key> keys = {{"warmup", &warmup}};
  if (name == "constant") {
    schedule.kind = LearningRateSchedule::Kind::constant;
  } else if (name == "cosine") {
    schedule.kind = LearningRateSchedule::Kind::cosine;
    keys.push_back({"steps", &steps});
    keys.push_back({"min", &schedule.minimum, 0.0, 1.0});
  } else {
    message = describeUnknown("learning rate schedule", name, {"constant", "cosine"});
    return failure();
  }
  if (failed(parseSettings(name, settings, keys, message)) ||
      failed(parseCount("warmup", warmup, schedule.warmup, message)) ||
      failed(parseCount("steps", steps, schedule.steps, message)))
    return failure();
  if (name == "constant" || schedule.steps > schedule.warmup)
    return success();
  llvm::raw_string_ostream(message)
      << "cosine needs more steps than warmup, but steps=" << schedule.steps
      << " and warmup=" << schedule.warmup;
  return failure();
}

FailureOr<OptimizerSpec> parseOptimizer(const OptimizerText &text, std::string &message) {
  OptimizerSpec spec;
  message.clear();
  if (failed(parseRule(text.optimizer, spec, message)) ||
      failed(parseSchedule(text.schedule, spec.schedule, message)))
    return failure();
  llvm::raw_string_ostream os(message);
  if (!(text.clipNorm >= 0.0) || std::isinf(text.clipNorm)) {
    os << "clip-norm must be a number from 0 on, not " << llvm::format("%g", text.clipNorm);
    return failure();
  }
  std::string problem;
  if (!text.noDecay.empty() && !llvm::Regex(text.noDecay).isValid(problem)) {
    os << "no-decay \"" << text.noDecay << "\" is not a regular expression: " << problem;
    return failure();
  }
  spec.clipNorm = text.clipNorm;
  spec.noDecay = text.noDecay.str();
  return spec;
}

} // namespace planwright
