// Every sentence that a wrong optimizer gets.
// RUN: not plan-opt %s "--model-build-update=optimizer=adam:lr=1" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: optimizer "adam" is unknown; did you mean "adamw"? It must be one of sgd, adamw
// RUN: not plan-opt %s "--model-build-update=optimizer=adamw:beta=0.9" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: adamw setting "beta" is unknown; did you mean "beta1"? It must be one of lr, weight-decay, beta1, beta2, eps
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=fast" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: sgd setting lr=fast is not a number
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1,momentum=1" 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: sgd setting momentum=1 must be at least 0 and less than 1
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: sgd setting lr=-1 must be at least 0
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=nan" 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: sgd setting lr=nan must be a finite number of at least 0
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1e999" 2>&1 | FileCheck %s --check-prefix=INFINITE
// INFINITE: sgd setting lr=1e999 must be a finite number of at least 0
// RUN: not plan-opt %s "--model-build-update=optimizer=adamw:lr=1,lr=2" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: adamw setting lr is given twice
// RUN: not plan-opt %s "--model-build-update=optimizer=adamw" 2>&1 | FileCheck %s --check-prefix=RATE
// RATE: adamw needs a learning rate: adamw:lr=...
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1 lr-schedule=linear" 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: learning rate schedule "linear" is unknown; it must be one of constant, cosine
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1 lr-schedule=cosine:steps=2.5" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: cosine setting steps must be a whole number, not 2.5
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1 lr-schedule=cosine:warmup=5,steps=5" 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: cosine needs more steps than warmup, but steps=5 and warmup=5
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1 clip-norm=-1" 2>&1 | FileCheck %s --check-prefix=CLIP
// CLIP: clip-norm must be a number from 0 on, not -1
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1 no-decay=[" 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: no-decay "[" is not a regular expression:
// RUN: not plan-opt %s "--model-build-update=optimizer=sgd:lr=1" 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: no function returns gradients; run model-derive first

func.func @main() {
  return
}
