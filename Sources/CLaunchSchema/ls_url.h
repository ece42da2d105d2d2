// SPDX-License-Identifier: Apache-2.0

#ifndef LS_URL_H
#define LS_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool ls_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool ls_is_of_scheme(char c) { return ls_is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; }

/// True for the schemes that need no `//`. `word` is in lower case, `scheme` in any.
static inline bool ls_is_scheme(const char *word, const char *scheme, size_t length) {
  if (strlen(word) != length) return false;
  for (size_t i = 0; i < length; i++)
    if ((scheme[i] | 0x20) != word[i]) return false;
  return true;
}

/// Where a URL begins in a text; `length` if there is none. A URL has a scheme of RFC 3986 with at least two letters,
/// followed by `//` unless the scheme is `mailto`, `tel` or `magnet`. So `C:\x`, `key:value`, `host:80` and `12:30` are
/// none.
static inline size_t ls_url_place(const char *text, size_t length) {
  for (size_t colon = 0; colon < length; colon++) {
    if (text[colon] != ':') continue;
    size_t start = colon;
    while (start > 0 && ls_is_of_scheme(text[start - 1])) start--;
    while (start < colon && !ls_is_letter(text[start])) start++;
    const char *scheme = text + start;
    size_t letters = colon - start;
    bool is_known = ls_is_scheme("mailto", scheme, letters) || ls_is_scheme("tel", scheme, letters) ||
                    ls_is_scheme("magnet", scheme, letters);
    bool has_slashes = length - colon >= 3 && text[colon + 1] == '/' && text[colon + 2] == '/';
    if (is_known || (has_slashes && letters > 1)) return start;
  }
  return length;
}

#endif
