// SPDX-License-Identifier: Apache-2.0
#ifndef LR_STUB_COUNT_H
#define LR_STUB_COUNT_H

// Also for assembly: how many images have a stub (lr_initializer_stubs.S).
#define LR_STUBS 512

#endif
