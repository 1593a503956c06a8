#include "base/plain.h"

#include <stddef.h>

/* Bytes of the UTF-8 character that begins here, 0: it is none, or a control character. */
static size_t plain_length(const unsigned char *c)
{
    if (c[0] < 0x80)
        return c[0] >= ' ' && c[0] != 0x7f ? 1 : c[0] == '\n' || c[0] == '\t';
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    bool control = c[0] == 0xc2 && c[1] < 0xa0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool outside = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return control || overlong || outside ? 0 : length;
}

bool hy_text_is_plain(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t length = plain_length(at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

void hy_text_make_plain(char *text)
{
    for (size_t length; *text; text += length > 0 ? length : 1) {
        length = plain_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
    }
}
