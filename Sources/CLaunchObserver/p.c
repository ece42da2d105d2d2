#include "CLaunchObserver.h"
int lo_placeholder(void){return 0;}
