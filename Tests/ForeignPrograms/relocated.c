// SPDX-License-Identifier: Apache-2.0

// Links a library with 50,000 relocations.
extern int first(void);

int main(void) { return first() == 0; }
