// What a value is as a function of partial sums: the algebra, and its application to the bodies of
// generics.
//
//   ScalarClass c = classifyZero(value) ...; combine with add(a, b), multiply(a, b)
//
// Not here: whole ops (the models do that).
#ifndef PLANWRIGHT_LIB_INTERFACES_SHARDING_SCALARLINEARITY_H
#define PLANWRIGHT_LIB_INTERFACES_SHARDING_SCALARLINEARITY_H

#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace planwright {

/// Zero is both independent of the partial operands and linear in them; otherwise as Linearity.
enum class ScalarClass { Zero, Independent, Linear, Nonlinear };

/// Class of a + b (also of a - b): a fixed summand would be added once per part.
ScalarClass addClasses(ScalarClass a, ScalarClass b);
/// Class of a * b.
ScalarClass multiplyClasses(ScalarClass a, ScalarClass b);
/// Zero counts as independent: a whole zero is as good as a partial one.
Linearity toLinearity(ScalarClass scalarClass);

/// Classes of what the terminator of a body yields, given the classes of the block's arguments. Ops
/// are looked up in a table by name; those that are not there are linear in nothing.
llvm::SmallVector<ScalarClass> classifyBody(mlir::Block &body,
                                            llvm::ArrayRef<ScalarClass> arguments);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_SHARDING_SCALARLINEARITY_H
