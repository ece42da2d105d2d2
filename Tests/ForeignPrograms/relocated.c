// Links a library that has 50,000 relocations.
extern int *const table[];

int main(void) { return *table[0] == 0; }
