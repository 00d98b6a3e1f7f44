# Finds LLVM/MLIR 22 and sets the compile flags that the whole project shares.

find_program(LLVM_CONFIG_22 NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG_22} --prefix OUTPUT_VARIABLE LLVM22_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)

# AddMLIR's mlir-doc target writes next to the sources unless this is set first.
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
# MLIRConfigVersion refuses "22", so no version is asked for here.
find_package(MLIR REQUIRED CONFIG HINTS "${LLVM22_PREFIX}/lib/cmake/mlir")
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(LLVM_TOOLS_DIR ${LLVM22_PREFIX}/bin)
# Only the targets that see LLVM get its headers (PlanwrightTargets.cmake): the runtime must not.

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type -Werror=switch)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Without this a precompiled header would carry its time and never hit ccache.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  add_link_options(-fuse-ld=lld)
endif()
if(PLANWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
