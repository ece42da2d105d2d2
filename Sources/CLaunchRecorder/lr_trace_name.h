// The names of a trace file: a temporary one while it is made, its own once it says something.
#ifndef LR_TRACE_NAME_H
#define LR_TRACE_NAME_H

/// Creates a file beside `path`, and writes its name into `temporary`, of PATH_MAX bytes. -1 with errno on failure.
int lr_trace_name_open(const char *path, char *temporary);
/// Renames the file `name` to `path`, or to `-2`, `-3`, … before its extension where the asked name is taken, and writes what it
/// became into `name`. Returns 0 or an errno; `name` is as it was then.
int lr_trace_name_give(char *name, const char *path);

#endif
