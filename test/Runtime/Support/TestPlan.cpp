// Building of test programs and their files.

#include "test/Runtime/Support/TestPlan.h"

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/Manifest.h"
#include "runtime/Format/Plan.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

namespace planwright::rt::test {

namespace {

/// Adds buffers at rising offsets.
struct ProgramBuilder {
  fb::ProgramT program;

  uint64_t addBuffer(fb::BufferKind kind, const std::string &name, fb::ElementType type,
                     std::vector<int64_t> global, std::vector<std::vector<uint32_t>> axes) {
    auto buffer = std::make_unique<fb::BufferT>();
    buffer->kind = kind;
    buffer->name = name;
    buffer->element_type = type;
    buffer->global_shape = global;
    uint64_t bytes = getByteSize(type);
    int64_t microBatches = 1;
    for (size_t d = 0; d < global.size(); ++d) {
      auto list = std::make_unique<fb::AxisListT>();
      int64_t local = global[d];
      for (uint32_t axis : axes[d]) {
        list->axes.push_back(axis);
        local /= program.axes[axis]->size;
        if (program.axes[axis]->name == "mb")
          microBatches = program.axes[axis]->size;
      }
      buffer->local_shape.push_back(local);
      buffer->dimension_axes.push_back(std::move(list));
      bytes *= local;
    }
    buffer->size_bytes = bytes * microBatches;
    buffer->offset = program.arena_bytes;
    program.arena_bytes += (buffer->size_bytes + 63) / 64 * 64;
    program.buffers.push_back(std::move(buffer));
    return program.buffers.back()->offset;
  }

  void addAxis(const std::string &name, int64_t size) {
    auto axis = std::make_unique<fb::AxisT>();
    axis->name = name;
    axis->size = size;
    program.axes.push_back(std::move(axis));
  }

  fb::ArgumentT &addArgument(const std::string &name, fb::Role role, fb::ElementType type,
                             std::vector<int64_t> shape, int batchDim) {
    auto argument = std::make_unique<fb::ArgumentT>();
    argument->name = name;
    argument->role = role;
    argument->element_type = type;
    argument->shape = std::move(shape);
    argument->batch_dim = batchDim;
    program.arguments.push_back(std::move(argument));
    return *program.arguments.back();
  }

  uint32_t addKernel(const std::string &symbol) {
    auto kernel = std::make_unique<fb::KernelT>();
    kernel->symbol = symbol;
    kernel->library = "kernels/host.so";
    kernel->family = symbol;
    program.kernels.push_back(std::move(kernel));
    return static_cast<uint32_t>(program.kernels.size() - 1);
  }

  /// A subprogram and, unless `microBatches` is 0, that many tasks of it with the given bases.
  fb::SubprogramT &addSubprogram(const std::string &name) {
    auto subprogram = std::make_unique<fb::SubprogramT>();
    subprogram->name = name;
    program.subprograms.push_back(std::move(subprogram));
    return *program.subprograms.back();
  }

  void addTask(fb::TaskKind kind, int microBatch = -1, std::vector<uint64_t> bases = {}) {
    auto task = std::make_unique<fb::TaskT>();
    task->kind = kind;
    task->subprogram = static_cast<uint32_t>(program.subprograms.size() - 1);
    task->micro_batch = microBatch;
    task->bases = std::move(bases);
    program.tasks.push_back(std::move(task));
  }
};

template <typename T>
void addInstruction(fb::SubprogramT &subprogram, T action, const std::string &label) {
  auto instruction = std::make_unique<fb::InstructionT>();
  instruction->action.Set(std::move(action));
  instruction->label = label;
  subprogram.instructions.push_back(std::move(instruction));
}

fb::LaunchT makeLaunch(uint32_t kernel, std::vector<fb::Address> operands, uint64_t count) {
  fb::LaunchT launch;
  launch.kernel = kernel;
  launch.operands = std::move(operands);
  launch.count = count;
  launch.grain = count;
  return launch;
}

fb::ZeroT makeZero(uint64_t offset, uint64_t bytes) {
  fb::ZeroT zero;
  zero.destination = std::make_unique<fb::Address>(offset, 0);
  zero.bytes = bytes;
  return zero;
}

fb::CollectiveT makeAllReduce(uint64_t offset, uint64_t count) {
  fb::CollectiveT collective;
  collective.kind = fb::CollectiveKind::all_reduce;
  collective.element_type = fb::ElementType::f32;
  collective.source = std::make_unique<fb::Address>(offset, 0);
  collective.destination = std::make_unique<fb::Address>(offset, 0);
  collective.count = count;
  return collective;
}

constexpr int64_t rows = 8;
constexpr int64_t width = 4;

} // namespace

fb::ProgramT makeProgram(const TestPlanOptions &options) {
  using fb::BufferKind;
  using fb::ElementType;
  ProgramBuilder builder;
  fb::ProgramT &program = builder.program;
  program.format_version = programFormatVersion;
  program.name = "linear";
  program.ranks = static_cast<uint32_t>(options.dp);
  program.micro_batches = static_cast<uint32_t>(options.microBatches);
  builder.addAxis("dp", options.dp);
  builder.addAxis("mb", options.microBatches);
  fb::ArgumentT &weight =
      builder.addArgument("w", fb::Role::parameter, ElementType::f32, {width}, -1);
  weight.init = fb::InitKind::normal;
  weight.init_standard_deviation = 0.5;
  builder.addArgument("x", fb::Role::input, ElementType::f32, {rows, width}, 0);
  builder.addArgument("t", fb::Role::label, ElementType::f32, {rows}, 0);

  std::vector<uint32_t> weightAxes;
  if (options.divideWeight)
    weightAxes.push_back(0);
  uint64_t w =
      builder.addBuffer(BufferKind::parameter, "w", ElementType::f32, {width}, {weightAxes});
  uint64_t x =
      builder.addBuffer(BufferKind::input, "x", ElementType::f32, {rows, width}, {{0, 1}, {}});
  uint64_t t = builder.addBuffer(BufferKind::input, "t", ElementType::f32, {rows}, {{0, 1}});
  uint64_t g =
      builder.addBuffer(BufferKind::gradient, "w", ElementType::f32, {width}, {weightAxes});
  uint64_t loss = builder.addBuffer(BufferKind::loss, "loss", ElementType::f32, {}, {});
  uint64_t step = builder.addBuffer(BufferKind::scalar, "step", ElementType::i64, {}, {});
  uint64_t dp = builder.addBuffer(BufferKind::scalar, "axis/dp", ElementType::i64, {}, {});
  uint64_t rate = builder.addBuffer(BufferKind::scalar, "learning_rate", ElementType::f32, {}, {});
  builder.addBuffer(BufferKind::scalar, "mb", ElementType::i64, {}, {});

  auto communicator = std::make_unique<fb::CommunicatorT>();
  communicator->axes = {0};
  program.communicators.push_back(std::move(communicator));
  uint32_t linear = builder.addKernel("linear"), update = builder.addKernel("update");

  fb::SubprogramT &zero = builder.addSubprogram("zero");
  addInstruction(zero, makeZero(g, width * 4), "zero gradient");
  addInstruction(zero, makeZero(loss, 4), "zero loss");
  builder.addTask(fb::TaskKind::zero);

  int64_t localRows = rows / options.dp / options.microBatches;
  fb::SubprogramT &forward = builder.addSubprogram("forward");
  addInstruction(forward,
                 makeLaunch(linear, {{w, 0}, {0, 1}, {0, 2}, {g, 0}, {loss, 0}}, localRows),
                 "linear");
  if (options.rests)
    addInstruction(forward, makeLaunch(builder.addKernel("rest"), {}, 1), "rest");
  if (options.lingers)
    addInstruction(forward, makeLaunch(builder.addKernel("linger"), {{dp, 0}}, 1), "linger");
  if (options.crashes)
    addInstruction(forward, makeLaunch(builder.addKernel("crash"), {{dp, 0}}, 1), "crash");
  for (int64_t mb = 0; mb < options.microBatches; ++mb)
    builder.addTask(fb::TaskKind::forward, static_cast<int>(mb),
                    {0, x + mb * localRows * width * 4, t + mb * localRows * 4});

  fb::SubprogramT &reduce = builder.addSubprogram("reduce");
  addInstruction(reduce, makeAllReduce(g, width), "reduce gradient");
  addInstruction(reduce, makeAllReduce(loss, 1), "reduce loss");
  builder.addTask(fb::TaskKind::reduce);

  fb::SubprogramT &optimizer = builder.addSubprogram("update");
  addInstruction(optimizer, makeLaunch(update, {{w, 0}, {g, 0}, {step, 0}, {rate, 0}}, width),
                 "update");
  builder.addTask(fb::TaskKind::update);
  return std::move(program);
}

fb::ProgramT makeTokenProgram() {
  ProgramBuilder builder;
  builder.program.format_version = programFormatVersion;
  builder.program.ranks = 2;
  builder.program.micro_batches = 2;
  builder.program.tokens_per_step = 12;
  builder.addAxis("dp", 2);
  builder.addAxis("mb", 2);
  for (std::string name : {"ids", "next"}) {
    fb::ArgumentT &argument = builder.addArgument(
        name, name == "ids" ? fb::Role::input : fb::Role::label, fb::ElementType::i32, {4, 3}, 0);
    argument.has_range = true;
    argument.range_high = 50;
    argument.token_source = name == "ids" ? fb::TokenSource::tokens : fb::TokenSource::next_tokens;
    builder.addBuffer(fb::BufferKind::input, name, fb::ElementType::i32, {4, 3}, {{0, 1}, {}});
  }
  return std::move(builder.program);
}

std::vector<std::byte> serialize(const fb::ProgramT &program) {
  flatbuffers::FlatBufferBuilder builder;
  fb::FinishProgramBuffer(builder, fb::Program::Pack(builder, &program));
  const auto *begin = reinterpret_cast<const std::byte *>(builder.GetBufferPointer());
  return {begin, begin + builder.GetSize()};
}

namespace {

/// The folder of this process, gone when the process ends.
struct TemporaryBase {
  TemporaryBase() {
    const char *base = std::getenv("TMPDIR");
    path = std::string(base ? base : "/tmp") + "/planwright-test-XXXXXX";
    path = ::mkdtemp(path.data());
  }
  ~TemporaryBase() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  std::string path;
  int count = 0;
};

} // namespace

std::string makeTemporaryFolder() {
  static TemporaryBase base;
  std::string folder = base.path + "/" + std::to_string(base.count++);
  std::filesystem::create_directory(folder);
  return folder;
}

static std::vector<std::byte> readBytes(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto *begin = reinterpret_cast<const std::byte *>(text.data());
  return {begin, begin + text.size()};
}

std::string writePlan(const fb::ProgramT &program) {
  std::filesystem::path folder = makeTemporaryFolder();
  std::filesystem::create_directory(folder / "kernels");
  std::filesystem::copy_file(TEST_KERNELS, folder / "kernels/host.so");
  std::vector<std::byte> bytes = serialize(program);
  std::ofstream(folder / "program.fb", std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  std::ofstream(folder / "manifest.json")
      << R"({"name": "linear", "files": {"program.fb": ")" << hashBytes(bytes)
      << R"(", "kernels/host.so": ")" << hashBytes(readBytes(folder / "kernels/host.so"))
      << "\"}}\n";
  return folder;
}

KernelLibraries openTestKernels(const fb::Program &program) {
  std::filesystem::path folder = makeTemporaryFolder();
  std::filesystem::create_directory(folder / "kernels");
  std::filesystem::create_symlink(TEST_KERNELS, folder / "kernels/host.so");
  return std::move(*KernelLibraries::open(program, folder));
}

std::string writeTensorFile(const std::vector<OwnedTensor> &tensors) {
  std::vector<TensorView> views;
  for (const OwnedTensor &tensor : tensors)
    views.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes});
  std::string path = makeTemporaryFolder() + "/tensors.safetensors";
  absl::Status status = writeSafetensors(path, views);
  if (!status.ok())
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return path;
}

std::vector<float> getLinearWeights() { return {0.5f, -0.25f, 0.125f, 1.0f}; }

std::vector<float> getLinearX(int64_t batch) {
  std::vector<float> values;
  for (int64_t i = 0; i < rows * width; ++i)
    values.push_back(static_cast<float>((i * 7 + batch * 3) % 11) * 0.1f - 0.5f);
  return values;
}

std::vector<float> getLinearT(int64_t batch) {
  std::vector<float> values;
  for (int64_t i = 0; i < rows; ++i)
    values.push_back(static_cast<float>((i * 5 + batch) % 7) * 0.2f - 0.6f);
  return values;
}

std::string writeLinearData(int64_t count) {
  std::vector<OwnedTensor> tensors = {makeTensor("w", DType::F32, {width}, getLinearWeights())};
  for (int64_t batch = 0; batch < count; ++batch) {
    std::string prefix = "batch" + std::to_string(batch) + "/";
    tensors.push_back(makeTensor(prefix + "x", DType::F32, {rows, width}, getLinearX(batch)));
    tensors.push_back(makeTensor(prefix + "t", DType::F32, {rows}, getLinearT(batch)));
  }
  return writeTensorFile(tensors);
}

std::vector<double> trainLinear(int64_t steps, int64_t batches, std::vector<double> &weights) {
  std::vector<float> initial = getLinearWeights();
  weights.assign(initial.begin(), initial.end());
  std::vector<double> losses;
  for (int64_t step = 0; step < steps; ++step) {
    std::vector<float> x = getLinearX(step % batches), t = getLinearT(step % batches);
    std::vector<double> gradient(width, 0.0);
    double loss = 0;
    for (int64_t row = 0; row < rows; ++row) {
      double error = -t[row];
      for (int64_t i = 0; i < width; ++i)
        error += weights[i] * x[row * width + i];
      for (int64_t i = 0; i < width; ++i)
        gradient[i] += error * x[row * width + i] / rows;
      loss += 0.5 * error * error / rows;
    }
    for (int64_t i = 0; i < width; ++i)
      weights[i] -= 0.1 * gradient[i];
    losses.push_back(loss);
  }
  return losses;
}

} // namespace planwright::rt::test
