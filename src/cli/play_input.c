#include "cli/play_input.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

/* Waits for input with the signals let in during the wait only, so that none is missed between the
 * look at hy_signal and the wait. */
static hy_line_kind wait_for_input(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t blocked, before;
    hy_line_kind kind = HY_LINE_TEXT;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    while (atomic_load(&hy_signal) == 0 && ppoll(&input, 1, NULL, &before) < 0) {
        if (errno == EINTR)
            continue;
        kind = HY_LINE_FAULT;
        break;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return atomic_load(&hy_signal) != 0 ? HY_LINE_SIGNAL : kind;
}

/* Fills the empty buffer. A terminal that has gone is the end of the input. */
static hy_line_kind fill(hy_line_input *input)
{
    ssize_t num;
    do {
        hy_line_kind kind = wait_for_input();
        if (kind != HY_LINE_TEXT)
            return kind;
        num = read(STDIN_FILENO, input->buffer, sizeof input->buffer);
    } while (num < 0 && (errno == EINTR || errno == EAGAIN));
    if (num < 0 && errno != EIO)
        return HY_LINE_FAULT;
    input->used = num > 0 ? (size_t)num : 0;
    input->at = 0;
    input->ended = num <= 0;
    return HY_LINE_TEXT;
}

static char printable(char c)
{
    if (c == '\t' || c == '\r')
        return ' ';
    return (char)(c < ' ' || c > '~' ? '?' : c);
}

hy_line_kind hy_line_read(hy_line_input *input, char line[HY_LINE_SIZE])
{
    size_t length = 0;
    bool begun = false;
    for (;;) {
        if (input->at == input->used && !input->ended) {
            hy_line_kind kind = fill(input);
            if (kind != HY_LINE_TEXT)
                return kind;
        }
        if (input->ended && !begun)
            return HY_LINE_END;
        char next = (char)(input->ended ? '\n' : input->buffer[input->at++]);
        begun = true;
        if (next == '\n')
            break;
        if (length < HY_LINE_SIZE - 1)
            line[length] = printable(next);
        length++;
    }
    line[length < HY_LINE_SIZE ? length : HY_LINE_SIZE - 1] = '\0';
    return length < HY_LINE_SIZE ? HY_LINE_TEXT : HY_LINE_TOO_LONG;
}
