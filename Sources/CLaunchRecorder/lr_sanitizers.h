// SPDX-License-Identifier: Apache-2.0

// Which sanitizers this code is compiled with: clang has features, gcc has macros.
#ifndef LR_SANITIZERS_H
#define LR_SANITIZERS_H

#ifdef __has_feature
#define LR_IS_ADDRESS_SANITIZED __has_feature(address_sanitizer)
#define LR_IS_THREAD_SANITIZED __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define LR_IS_ADDRESS_SANITIZED 1
#else
#define LR_IS_ADDRESS_SANITIZED 0
#endif
#ifdef __SANITIZE_THREAD__
#define LR_IS_THREAD_SANITIZED 1
#else
#define LR_IS_THREAD_SANITIZED 0
#endif
#endif

#endif
