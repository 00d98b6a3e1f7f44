// One argument after the other, by Abseil's reflection.
#include "Flags.h"

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include <map>
#include <optional>

using namespace planwright;

namespace {

/// An argument taken apart.
struct Spelled {
  std::string name; ///< with underscores
  std::optional<std::string> value;
};

} // namespace

static bool isFlag(const std::string &argument) {
  return argument.size() > 1 && argument[0] == '-';
}

static Spelled takeApart(const std::string &argument) {
  size_t begin = absl::StartsWith(argument, "--") ? 2 : 1;
  size_t end = std::min(argument.find('='), argument.size());
  Spelled spelled{absl::StrReplaceAll(argument.substr(begin, end - begin), {{"-", "_"}}), {}};
  if (end < argument.size())
    spelled.value = argument.substr(end + 1);
  return spelled;
}

/// The flag, for `--noswitch` too; the value then is "false".
static absl::CommandLineFlag *find(Spelled &spelled) {
  absl::CommandLineFlag *flag = absl::FindCommandLineFlag(spelled.name);
  if (flag || !absl::StartsWith(spelled.name, "no") || spelled.value)
    return flag;
  flag = absl::FindCommandLineFlag(spelled.name.substr(2));
  if (!flag || !flag->IsOfType<bool>())
    return nullptr;
  spelled.value = "false";
  return flag;
}

std::string planwright::readFlags(const std::vector<std::string> &arguments,
                                  std::vector<std::string> &positional) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      positional.insert(positional.end(), arguments.begin() + i + 1, arguments.end());
      break;
    }
    if (!isFlag(arguments[i])) {
      positional.push_back(arguments[i]);
      continue;
    }
    Spelled spelled = takeApart(arguments[i]);
    absl::CommandLineFlag *flag = find(spelled);
    if (!flag)
      return absl::StrCat("there is no flag ", arguments[i].substr(0, arguments[i].find('=')));
    if (!spelled.value && flag->IsOfType<bool>())
      spelled.value = "true";
    if (!spelled.value && i + 1 == arguments.size())
      return absl::StrCat(arguments[i], " needs a value");
    if (!spelled.value)
      spelled.value = arguments[++i];
    std::string name = absl::StrReplaceAll(flag->Name(), {{"_", "-"}}), why;
    if (!flag->ParseFrom(*spelled.value, &why))
      return absl::StrCat("--", name, " cannot be '", *spelled.value, "'", why.empty() ? "" : ": ",
                          why);
  }
  return "";
}

std::string planwright::describeFlags(const std::string &file) {
  std::map<std::string, std::string> paragraphs;
  for (auto &[name, flag] : absl::GetAllFlags()) {
    if (!absl::EndsWith(flag->Filename(), file))
      continue;
    std::string value = flag->DefaultValue();
    paragraphs[std::string(name)] =
        absl::StrCat("  --", absl::StrReplaceAll(name, {{"_", "-"}}), "\n      ", flag->Help(),
                     value.empty() ? "" : absl::StrCat(" (default: ", value, ")"), "\n");
  }
  std::string text;
  for (auto &[name, paragraph] : paragraphs)
    text += paragraph;
  return text;
}
