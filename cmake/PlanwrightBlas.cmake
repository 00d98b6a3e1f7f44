# The BLAS of the host: OpenBLAS in its thread-safe build, called with one thread from each of ours. The serial build of
# Debian has no locks around its buffers: two threads that call it at once get wrong numbers. Target: planwright-blas.
find_library(OPENBLAS NAMES openblas REQUIRED
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread NO_DEFAULT_PATH)
find_path(OPENBLAS_INCLUDE cblas.h REQUIRED
  PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread NO_DEFAULT_PATH)
add_library(planwright-blas INTERFACE)
target_include_directories(planwright-blas SYSTEM INTERFACE ${OPENBLAS_INCLUDE})
target_link_libraries(planwright-blas INTERFACE ${OPENBLAS})
