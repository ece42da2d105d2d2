// SPDX-License-Identifier: Apache-2.0

#include <microprofile.h>

#include "CMicroprofilePeer.h"

static MicroProfileToken token;

void microprofile_peer_start(void) {
  MicroProfileInit();
  MicroProfileOnThreadCreate("bench");
  MicroProfileSetEnableAllGroups(true);
  token = MicroProfileGetToken("bench", "work", 0x808080, MicroProfileTokenTypeCpu, 0);
  MicroProfileFlip(nullptr);
}
uint64_t microprofile_peer_begin(void) { return MicroProfileEnterInternal(token); }
void microprofile_peer_end(uint64_t start) { MicroProfileLeaveInternal(token, start); }
void microprofile_peer_flip(void) { MicroProfileFlip(nullptr); }
