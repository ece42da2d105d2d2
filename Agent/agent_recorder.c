// SPDX-License-Identifier: Apache-2.0

// Finds the recorder by its probes, as the launcher does. The notes are in a part of the file that no program loads. To
// search the program's memory instead would read all of it from the file, during the launch.
#include "agent_recorder.h"

#include "agent_system.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>

enum { MOST_SECTIONS = 4096, LARGEST_NOTES = 4 << 20 };

/// The name of the probes' provider (lr_probe.h), with its end.
static const char provider[] = "launchprofiler";

static bool read_at(int file, void *to, size_t size, uint64_t offset) {
  return lr_ask_system(SYS_pread64, file, (long)to, (long)size, (long)offset, 0, 0) == (long)size;
}

static bool is_provider(const char *text) {
  for (size_t i = 0; i < sizeof provider; i++)
    if (text[i] != provider[i]) return false;
  return true;
}

static bool names_provider(int file, const ElfW(Shdr) *notes) {
  // The loader opens one library at a time.
  static char text[4096];
  size_t kept = 0;
  for (uint64_t done = 0; done < notes->sh_size && done < LARGEST_NOTES;) {
    uint64_t rest = notes->sh_size - done, room = sizeof text - kept;
    size_t more = (size_t)(rest < room ? rest : room);
    if (!read_at(file, text + kept, more, notes->sh_offset + done)) return false;
    done += more;
    size_t length = kept + more;
    for (size_t at = 0; at + sizeof provider <= length; at++)
      if (is_provider(text + at)) return true;
    // A name may go on in the next part.
    kept = length < sizeof provider ? length : sizeof provider - 1;
    for (size_t i = 0; i < kept; i++) text[i] = text[length - kept + i];
  }
  return false;
}

static bool has_probes(int file) {
  ElfW(Ehdr) header;
  ElfW(Shdr) section;
  bool has_sections = read_at(file, &header, sizeof header, 0) && header.e_shoff > 0 &&
                      header.e_shentsize == sizeof section && header.e_shnum <= MOST_SECTIONS;
  if (!has_sections) return true;
  // llvm-strip removes all that no program loads, also notes. Then the file does not tell.
  bool is_bare = true;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    if (!read_at(file, &section, sizeof section, header.e_shoff + (uint64_t)i * sizeof section)) return true;
    if (section.sh_type == SHT_NULL || (section.sh_flags & SHF_ALLOC) != 0) continue;
    if (section.sh_type == SHT_NOTE && names_provider(file, &section)) return true;
    if (i != header.e_shstrndx) is_bare = false;
  }
  return is_bare;
}

bool agent_program_has_recorder(void) {
  int file = agent_open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  bool found = has_probes(file);
  agent_close(file);
  return found;
}
