// The safetensors reader and writer: round trips, slices, and every kind of header that must be
// refused.

#include "runtime/Data/Safetensors.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace planwright::rt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// A file's bytes: length, header, and `dataBytes` zeros.
std::vector<std::byte> makeFile(std::string_view header, size_t dataBytes) {
  std::vector<std::byte> file(8 + header.size() + dataBytes);
  uint64_t length = header.size();
  std::memcpy(file.data(), &length, 8);
  std::memcpy(file.data() + 8, header.data(), header.size());
  return file;
}

std::string parseError(std::string_view header, size_t dataBytes) {
  std::vector<std::byte> file = makeFile(header, dataBytes);
  absl::StatusOr<SafetensorsFile> result = SafetensorsFile::parse(file);
  return result.ok() ? "accepted" : std::string(result.status().message());
}

TensorView viewOf(std::string name, const std::vector<float> &values, std::vector<int64_t> shape) {
  return {std::move(name), DType::F32, std::move(shape), std::as_bytes(std::span(values))};
}

/// A path in the temporary folder that is removed at the end of the scope.
struct TemporaryPath {
  std::string path =
      (std::filesystem::temp_directory_path() / ("safetensors-test-" + std::to_string(::getpid())))
          .string();
  ~TemporaryPath() { std::remove(path.c_str()); }
};

TEST(Safetensors, RoundTrip) {
  TemporaryPath file;
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, scalar = {7};
  std::vector<TensorView> tensors = {viewOf("b", scalar, {}), viewOf("a", a, {2, 3}),
                                     viewOf("empty", {}, {0, 4})};
  ASSERT_TRUE(writeSafetensors(file.path, tensors, {{"step", "3"}}).ok());
  absl::StatusOr<SafetensorsFile> read = SafetensorsFile::open(file.path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->getTensors().size(), 3u);
  EXPECT_EQ(read->getMetadata().at("step"), "3");
  const TensorView *view = read->find("a");
  ASSERT_NE(view, nullptr);
  EXPECT_THAT(view->shape, ElementsAre(2, 3));
  EXPECT_EQ(std::memcmp(view->bytes.data(), a.data(), sizeof(float) * a.size()), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view->bytes.data()) % 4, 0u);
  EXPECT_EQ(read->find("c"), nullptr);
}

TEST(Safetensors, Slices) {
  std::vector<float> values(24);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  TensorView tensor = viewOf("t", values, {2, 3, 4});
  auto slice = [&](std::vector<int64_t> start, std::vector<int64_t> size) {
    std::vector<float> out(size[0] * size[1] * size[2]);
    EXPECT_TRUE(readSlice(tensor, start, size, std::as_writable_bytes(std::span(out))).ok());
    return out;
  };
  EXPECT_THAT(slice({1, 0, 0}, {1, 1, 4}), ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(slice({0, 1, 2}, {2, 2, 1}), ElementsAre(6, 10, 18, 22));
  EXPECT_THAT(slice({0, 2, 1}, {2, 1, 2}), ElementsAre(9, 10, 21, 22));
  EXPECT_THAT(slice({0, 0, 0}, {2, 3, 4}), ::testing::ElementsAreArray(values));
}

TEST(Safetensors, SlicesOutOfBoundsAreRefused) {
  std::vector<float> values(6);
  TensorView tensor = viewOf("t", values, {2, 3});
  std::vector<float> out(6);
  auto message = [&](std::vector<int64_t> start, std::vector<int64_t> size, size_t count) {
    auto bytes = std::as_writable_bytes(std::span(out).first(count));
    return std::string(readSlice(tensor, start, size, bytes).message());
  };
  EXPECT_THAT(message({0, 0}, {3, 1}, 3), HasSubstr("leaves dimension 0"));
  EXPECT_THAT(message({1, 3}, {1, INT64_MAX}, 1), HasSubstr("leaves dimension 1"));
  EXPECT_THAT(message({-1, 0}, {1, 1}, 1), HasSubstr("leaves dimension 0"));
  EXPECT_THAT(message({0}, {1}, 1), HasSubstr("has rank 1, the tensor 2"));
  EXPECT_THAT(message({0, 0}, {1, 2}, 3), HasSubstr("has 8 bytes, the destination 12"));
}

TEST(Safetensors, ScalarSlice) {
  std::vector<float> value = {5}, out(1);
  ASSERT_TRUE(
      readSlice(viewOf("s", value, {}), {}, {}, std::as_writable_bytes(std::span(out))).ok());
  EXPECT_EQ(out[0], 5);
}

TEST(Safetensors, HostileLengths) {
  std::vector<std::byte> tiny(7);
  EXPECT_THAT(std::string(SafetensorsFile::parse(tiny).status().message()), HasSubstr("too short"));
  std::vector<std::byte> huge(16, std::byte(0xff));
  EXPECT_THAT(std::string(SafetensorsFile::parse(huge).status().message()),
              HasSubstr("exceeds the limit"));
  std::vector<std::byte> beyond(16);
  beyond[0] = std::byte(9);
  EXPECT_THAT(std::string(SafetensorsFile::parse(beyond).status().message()),
              HasSubstr("leaves the file"));
}

TEST(Safetensors, HostileHeaders) {
  EXPECT_THAT(parseError("", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(parseError("[1]", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(parseError("{\"a\":", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(parseError("{\"a\": \"\xff\"}", 0), HasSubstr("not a JSON object"));
  EXPECT_THAT(parseError(R"({"a": 1})", 0), HasSubstr("not described by an object"));
  EXPECT_THAT(parseError(R"({"a": {"shape": [], "data_offsets": [0, 4]}})", 4),
              HasSubstr("has no dtype"));
  EXPECT_THAT(parseError(R"({"a": {"dtype": "F31", "shape": [], "data_offsets": [0, 4]}})", 4),
              HasSubstr("unknown dtype \"F31\""));
  EXPECT_THAT(parseError(R"({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})", 4),
              HasSubstr("something else than sizes"));
  EXPECT_THAT(parseError(R"({"a": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}})", 4),
              HasSubstr("something else than sizes"));
  EXPECT_THAT(parseError(R"({"a": {"dtype": "F32", "shape": [[1]], "data_offsets": [0, 4]}})", 4),
              HasSubstr("something else than sizes"));
  EXPECT_THAT(parseError(R"({"__metadata__": {"a": 1}})", 0), HasSubstr("is not a string"));
  EXPECT_THAT(parseError("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}", 0),
              HasSubstr("nested too deeply"));
}

TEST(Safetensors, HostileOffsets) {
  auto one = [](std::string_view shape, std::string_view offsets) {
    return std::string(R"({"a": {"dtype": "F32", "shape": )") + std::string(shape) +
           R"(, "data_offsets": )" + std::string(offsets) + "}}";
  };
  EXPECT_THAT(parseError(one("[2]", "[0, 8]"), 4), HasSubstr("leave the data of 4 bytes"));
  EXPECT_THAT(parseError(one("[2]", "[8, 0]"), 8), HasSubstr("leave the data"));
  EXPECT_THAT(parseError(one("[2]", "[0]"), 8), HasSubstr("a begin and an end"));
  EXPECT_THAT(parseError(one("[3]", "[0, 8]"), 8), HasSubstr("need 12 bytes, the offsets give 8"));
  EXPECT_THAT(parseError(one("[4611686018427387904, 4]", "[0, 0]"), 0), HasSubstr("overflows"));
  EXPECT_THAT(parseError(one("[18446744073709551615]", "[0, 0]"), 0),
              HasSubstr("something else than sizes"));
  EXPECT_THAT(parseError(one("[1]", "[4, 8]"), 8), HasSubstr("leaves a hole"));
  EXPECT_THAT(parseError(one("[1]", "[0, 4]"), 8), HasSubstr("4 bytes at the end"));
}

TEST(Safetensors, OverlapAndDuplicates) {
  EXPECT_THAT(parseError(R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]},
                             "b": {"dtype": "U8", "shape": [4], "data_offsets": [2, 6]}})",
                         6),
              HasSubstr("overlaps"));
  EXPECT_THAT(parseError(R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                             "a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}})",
                         2),
              HasSubstr("names \"a\" twice"));
  EXPECT_THAT(
      parseError(R"({"a": {"dtype": "U8", "dtype": "I8", "shape": [2], "data_offsets": [0, 2]}})",
                 2),
      HasSubstr("names \"dtype\" twice"));
}

TEST(Safetensors, MissingFileIsAStatus) {
  EXPECT_THAT(std::string(SafetensorsFile::open("/nonexistent/x").status().message()),
              HasSubstr("cannot open: No such file or directory"));
  EXPECT_EQ(SafetensorsFile::open("/").status().message(),
            "/: is a folder, expected a safetensors file");
  EXPECT_EQ(SafetensorsFile::open("/dev/null").status().message(),
            "/dev/null: is a pipe or a device, expected a safetensors file");
}

TEST(Safetensors, WriterRefusesWrongBytes) {
  TemporaryPath file;
  std::vector<float> values(3);
  std::vector<TensorView> wrong = {viewOf("a", values, {4})};
  EXPECT_THAT(std::string(writeSafetensors(file.path, wrong).message()),
              HasSubstr("its shape needs 16"));
  std::vector<TensorView> twice = {viewOf("a", values, {3}), viewOf("a", values, {3})};
  EXPECT_THAT(std::string(writeSafetensors(file.path, twice).message()), HasSubstr("is taken"));
}

} // namespace
