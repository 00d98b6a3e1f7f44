// The tables of units.
#include "Quantity.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace planwright;

namespace {
struct Unit {
  StringLiteral name;
  double inBaseUnits;
};
} // namespace

static constexpr Unit kBytes[] = {{"B", 1},
                                  {"kB", 1e3},
                                  {"MB", 1e6},
                                  {"GB", 1e9},
                                  {"TB", 1e12},
                                  {"PB", 1e15},
                                  {"KiB", 1024.0},
                                  {"MiB", 1048576.0},
                                  {"GiB", 1073741824.0},
                                  {"TiB", 1099511627776.0}};
static constexpr Unit kBytesPerSecond[] = {{"B/s", 1},       {"kB/s", 1e3},    {"MB/s", 1e6},
                                           {"GB/s", 1e9},    {"TB/s", 1e12},   {"Mb/s", 1.25e5},
                                           {"Gb/s", 1.25e8}, {"Tb/s", 1.25e11}};
static constexpr Unit kNanoseconds[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static constexpr Unit kWatts[] = {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}};
static constexpr Unit kFlopsPerSecond[] = {
    {"MFLOP/s", 1e6}, {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
static constexpr Unit kDollars[] = {{"USD", 1}};

static ArrayRef<Unit> getUnits(Dimension dimension) {
  switch (dimension) {
  case Dimension::none:
    return {};
  case Dimension::bytes:
    return kBytes;
  case Dimension::bytesPerSecond:
    return kBytesPerSecond;
  case Dimension::nanoseconds:
    return kNanoseconds;
  case Dimension::watts:
    return kWatts;
  case Dimension::flopsPerSecond:
    return kFlopsPerSecond;
  case Dimension::dollars:
    return kDollars;
  }
  return {};
}

/// "expected a number and one of B, kB, ...", for messages.
static std::string describeExpected(ArrayRef<Unit> units) {
  if (units.empty())
    return "expected a plain number";
  std::string text = "expected a number and one of ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(units, os, [&](const Unit &unit) { os << unit.name; });
  return text;
}

FailureOr<double> planwright::parseQuantity(StringRef text, Dimension dimension,
                                            std::string &error) {
  ArrayRef<Unit> units = getUnits(dimension);
  StringRef trimmed = text.trim();
  StringRef digits = trimmed.take_while(
      [](char c) { return llvm::isDigit(c) || c == '.' || c == '-' || c == '+' || c == 'e'; });
  StringRef unitName = trimmed.drop_front(digits.size()).trim();
  double value;
  if (digits.empty() || digits.getAsDouble(value) || !std::isfinite(value)) {
    error = "found '" + text.str() + "', " + describeExpected(units);
    return failure();
  }
  if (units.empty() && unitName.empty())
    return value;
  for (const Unit &unit : units)
    if (unit.name == unitName)
      return value * unit.inBaseUnits;
  error = (unitName.empty() ? "'" + text.str() + "' has no unit, "
                            : "'" + unitName.str() + "' is not a unit here, ") +
          describeExpected(units);
  return failure();
}
