# The few shapes a target can have here. See each function for how to use it.

# Where TableGen finds includes; MLIR's are not on the global path, because the runtime must not see them.
set(PLANWRIGHT_TABLEGEN_FLAGS -I ${CMAKE_SOURCE_DIR} -I ${CMAKE_SOURCE_DIR}/include)
foreach(directory ${MLIR_INCLUDE_DIRS})
  list(APPEND PLANWRIGHT_TABLEGEN_FLAGS -I ${directory})
endforeach()

# Flags of every target that sees LLVM and MLIR headers.
function(planwright_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -fvisibility-inlines-hidden)
  target_link_libraries(${target} PUBLIC MLIR LLVM)
endfunction()

# The precompiled header that all MLIR libraries share: MLIR's headers cost 9 s a file without it.
# Libraries only: an executable is compiled -fPIE and cannot share it.
function(planwright_precompile target)
  if(NOT TARGET planwright-pch)
    file(WRITE ${CMAKE_BINARY_DIR}/planwright-pch.cpp "// Owner of the shared precompiled header.\n")
    add_library(planwright-pch OBJECT ${CMAKE_BINARY_DIR}/planwright-pch.cpp)
    planwright_use_mlir(planwright-pch)
    target_precompile_headers(planwright-pch PRIVATE
      "<mlir/Dialect/Arith/IR/Arith.h>" "<mlir/Dialect/Func/IR/FuncOps.h>" "<mlir/Dialect/Linalg/IR/Linalg.h>"
      "<mlir/Dialect/Math/IR/Math.h>" "<mlir/Dialect/Tensor/IR/Tensor.h>" "<mlir/IR/Builders.h>"
      "<mlir/IR/BuiltinAttributes.h>" "<mlir/IR/BuiltinTypes.h>" "<mlir/IR/PatternMatch.h>" "<mlir/Pass/Pass.h>"
      "<llvm/ADT/STLExtras.h>" "<llvm/ADT/TypeSwitch.h>")
  endif()
  target_precompile_headers(${target} REUSE_FROM planwright-pch)
endfunction()

# planwright_library(Name SOURCES a.cpp ... LINK other ... DEPENDS tablegen-target ...)
# One room of the compiler, as a static library that sees MLIR. Target name: Planwright<Name>.
function(planwright_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  set(target Planwright${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  planwright_use_mlir(${target})
  planwright_precompile(${target})
  target_link_libraries(${target} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${target} ${ARG_DEPENDS})
  endif()
endfunction()

# planwright_dialect_tablegen(Model)
# Generates from IR/<Name>.td, next to it in the build tree: <Name>{Dialect,Ops,Attrs,Types,Enums}.{h,cpp}.inc.
# IR/<Name>.td holds (or includes) the whole language. Target name: Planwright<Name>IncGen.
function(planwright_dialect_tablegen name)
  string(TOLOWER ${name} mnemonic)
  set(LLVM_TARGET_DEFINITIONS IR/${name}.td)
  set(common ${PLANWRIGHT_TABLEGEN_FLAGS} "--dialect=${mnemonic}")
  mlir_tablegen(IR/${name}Dialect.h.inc -gen-dialect-decls ${common})
  mlir_tablegen(IR/${name}Dialect.cpp.inc -gen-dialect-defs ${common})
  mlir_tablegen(IR/${name}Ops.h.inc -gen-op-decls ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Ops.cpp.inc -gen-op-defs ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Enums.h.inc -gen-enum-decls ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Enums.cpp.inc -gen-enum-defs ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${mnemonic} ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${mnemonic} ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${mnemonic} ${PLANWRIGHT_TABLEGEN_FLAGS})
  mlir_tablegen(IR/${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${mnemonic} ${PLANWRIGHT_TABLEGEN_FLAGS})
  add_public_tablegen_target(Planwright${name}IncGen)
  planwright_page(dialect-${mnemonic} IR/${name}.td -gen-dialect-doc "--dialect=${mnemonic}")
endfunction()

# planwright_page(model IR/Model.td -gen-dialect-doc --dialect=model)
# A reference page, build/docs/<page>.md, made from a .td file. Pages are never committed.
function(planwright_page page source)
  set(LLVM_TARGET_DEFINITIONS ${source})
  tablegen(MLIR ${page}.md ${ARGN} ${PLANWRIGHT_TABLEGEN_FLAGS})
  set(output ${CMAKE_BINARY_DIR}/docs/${page}.md)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${page}.md ${output}
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${page}.md)
  add_custom_target(planwright-page-${page} ALL DEPENDS ${output})
endfunction()

# planwright_dialect(Model LINK ... SOURCES ...): the library of a dialect. Target name: Planwright<Name>Dialect.
function(planwright_dialect name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  planwright_dialect_tablegen(${name})
  planwright_library(${name}Dialect SOURCES ${ARG_SOURCES} LINK ${ARG_LINK} DEPENDS Planwright${name}IncGen ${ARG_DEPENDS})
endfunction()

# planwright_passes(StableHLO): generates Passes.h.inc from Passes.td of this folder. Target Planwright<Name>PassIncGen.
function(planwright_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name} ${PLANWRIGHT_TABLEGEN_FLAGS})
  add_public_tablegen_target(Planwright${name}PassIncGen)
  planwright_page(passes-${name} Passes.td -gen-pass-doc)
endfunction()

# planwright_unit_test(Name SOURCES a.cpp ... LINK ... [MLIR]): a GoogleTest binary test-<Name>, registered with CTest.
function(planwright_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(test-${name} ${ARG_SOURCES})
  if(ARG_MLIR)
    planwright_use_mlir(test-${name})
  endif()
  target_link_libraries(test-${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND test-${name})
endfunction()
