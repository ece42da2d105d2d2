#include "CLaunchRecorder.h"
int lr_placeholder(void){return 0;}
