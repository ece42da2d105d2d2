// SPDX-License-Identifier: Apache-2.0

#ifndef CMICROPROFILE_PEER_H
#define CMICROPROFILE_PEER_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void microprofile_peer_start(void);
uint64_t microprofile_peer_begin(void);
void microprofile_peer_end(uint64_t start);
/// Hands what was written over, as a frame's end does.
void microprofile_peer_flip(void);
#ifdef __cplusplus
}
#endif
#endif
