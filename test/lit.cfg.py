"""lit configuration: .mlir, .test and .sh tests of the whole house, run with the tools of the build tree."""
import os
import subprocess

import lit.formats

config.name = "Planwright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Models", "Inputs", "Fuzz", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.planwright_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.planwright_binary_dir, "bin"),
        config.llvm_tools_dir,
        os.path.join(config.planwright_source_dir, "tools"),
        os.path.join(config.test_source_root, "Tools"),
        config.environment.get("PATH", os.environ.get("PATH", "")),
    ]
)
config.substitutions.append(("%models", os.path.join(config.test_source_root, "Models")))
config.substitutions.append(("%clusters", os.path.join(config.planwright_source_dir, "examples", "clusters")))
config.substitutions.append(("%tblgen", os.path.join(config.llvm_tools_dir, "llvm-tblgen")))
config.substitutions.append(("%mlir-include", config.mlir_include_dir))
config.substitutions.append(("%build", config.planwright_binary_dir))
config.substitutions.append(("%root", config.planwright_source_dir))
config.substitutions.append(("%shared", os.path.join(config.planwright_source_dir, "..", "shared")))

# The larger graphs are not part of the project: tests that read them say so with REQUIRES and are skipped without them.
if os.path.isdir(os.path.join(config.planwright_source_dir, "..", "shared", "models")):
    config.available_features.add("shared-models")
if lit_config.params.get("full"):
    config.available_features.add("full")

# Tests that run JAX need tools/export/requirements.txt in the Python that this names.
jax_python = os.environ.get("PLANWRIGHT_JAX_PYTHON", "python3")
config.substitutions.append(("%jax-python", jax_python))
if subprocess.run([jax_python, "-c", "import jax, flax, safetensors"], capture_output=True).returncode == 0:
    config.available_features.add("jax")
else:
    lit_config.note("jax tests are skipped: set PLANWRIGHT_JAX_PYTHON to a Python with tools/export/requirements.txt")
