/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The terminal as a whole screen, by ncurses. */
#include "output/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <curses.h>
#include "common/log.h"
#include "output/terminal.h"
#include "output/top_state.h"

#define ESCAPE	     27
#define ESCAPE_MS    25 /* longer than a terminal takes for what begins with one */
#define COLOUR_LOSS  1
#define COLOUR_EVENT 2

struct screen {
	SCREEN *curses;
	int epoll_fd; /* of the two below */
	int signal_fd;
	sigset_t before; /* the mask of signals */
	bool coloured;
};

static int watch(const struct screen *screen, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return fd < 0 || epoll_ctl(screen->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* The library would handle WINCH between two keys, but nobody would be waiting for that key. */
static int take_signals(struct screen *screen)
{
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, &screen->before);
	screen->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (screen->epoll_fd < 0)
		return -errno;
	screen->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	err = watch(screen, screen->signal_fd);
	return err ? err : watch(screen, STDIN_FILENO);
}

static int take_terminal(struct screen *screen)
{
	screen->curses = newterm(NULL, stdout, stdin);
	if (!screen->curses)
		return -EIO;
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	screen->coloured = terminal_has_colours(stdout) && has_colors() && start_color() == OK &&
			   use_default_colors() == OK &&
			   init_pair(COLOUR_LOSS, COLOR_RED, -1) == OK &&
			   init_pair(COLOUR_EVENT, COLOR_YELLOW, -1) == OK;
	return 0;
}

int screen_open(struct screen **out)
{
	struct screen *screen = calloc(1, sizeof(*screen));
	int err;

	if (!screen)
		return -ENOMEM;
	screen->epoll_fd = screen->signal_fd = -1;
	err = take_signals(screen);
	if (!err)
		err = take_terminal(screen);
	if (err) {
		screen_close(screen);
		log_error("--top: the terminal cannot be used: %s", strerror(-err));
		return err;
	}
	*out = screen;
	return 0;
}

int screen_fd(const struct screen *screen)
{
	return screen->epoll_fd;
}

void screen_size(const struct screen *screen, size_t *rows, size_t *columns)
{
	(void)screen;
	*rows = (size_t)getmaxy(stdscr);
	*columns = (size_t)getmaxx(stdscr);
}

static attr_t attributes(const struct screen *screen, enum page_style style)
{
	static const attr_t plain[PAGE_STYLE_COUNT] = {
		[PAGE_TITLE] = A_BOLD, [PAGE_HEADER] = A_BOLD, [PAGE_CURSOR] = A_REVERSE,
		[PAGE_LOSS] = A_BOLD,  [PAGE_HINT] = A_DIM,
	};

	if (screen->coloured && style == PAGE_LOSS)
		return A_BOLD | (attr_t)COLOR_PAIR(COLOUR_LOSS);
	if (screen->coloured && style == PAGE_EVENT)
		return (attr_t)COLOR_PAIR(COLOUR_EVENT);
	return plain[style];
}

static void show_line(const struct screen *screen, int row, const struct page_line *line)
{
	attr_t attribute = attributes(screen, line->style);

	attrset((int)attribute);
	if (line->text)
		mvaddstr(row, 0, line->text);
	clrtoeol();
	if (line->style == PAGE_CURSOR)
		mvchgat(row, 0, -1, attribute, 0, NULL);
	if (line->mark_width)
		mvchgat(row, (int)line->mark, (int)line->mark_width, A_REVERSE, 0, NULL);
	attrset(A_NORMAL);
}

void screen_show(struct screen *screen, const struct page *page)
{
	erase();
	for (size_t i = 0; i < page->count; i++)
		show_line(screen, (int)i, &page->lines[i]);
	refresh();
}

/* The window's new size, which the library is told. */
static void resize(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	/* What it looks like after that differs between terminals. */
	clearok(stdscr, TRUE);
}

static int take_signal(const struct screen *screen, int *err)
{
	struct signalfd_siginfo info;

	if (read(screen->signal_fd, &info, sizeof(info)) != sizeof(info))
		return TOP_KEY_NONE;
	if (info.ssi_signo == SIGQUIT) {
		*err = -ECANCELED;
		return TOP_KEY_NONE;
	}
	resize();
	return TOP_KEY_RESIZED;
}

static bool has_gone(void)
{
	struct pollfd poll_fd = {.fd = STDIN_FILENO};

	return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static int meaning(int key)
{
	switch (key) {
	case ERR:
		return TOP_KEY_NONE;
	case KEY_UP:
		return TOP_KEY_UP;
	case KEY_DOWN:
		return TOP_KEY_DOWN;
	case KEY_LEFT:
		return TOP_KEY_LEFT;
	case KEY_RIGHT:
		return TOP_KEY_RIGHT;
	case KEY_PPAGE:
		return TOP_KEY_PAGE_UP;
	case KEY_NPAGE:
		return TOP_KEY_PAGE_DOWN;
	case KEY_HOME:
		return TOP_KEY_HOME;
	case KEY_END:
		return TOP_KEY_END;
	case KEY_ENTER:
	case '\r':
	case '\n':
		return TOP_KEY_ENTER;
	case KEY_BACKSPACE:
	case ESCAPE:
		return TOP_KEY_BACK;
	}
	return key < KEY_MIN ? key : TOP_KEY_OTHER;
}

int screen_key(struct screen *screen, int *err)
{
	int key = take_signal(screen, err);

	if (key != TOP_KEY_NONE || *err)
		return key;
	if (has_gone()) {
		*err = -ECANCELED;
		return TOP_KEY_NONE;
	}
	return meaning(getch());
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	if (screen->curses) {
		endwin();
		delscreen(screen->curses);
	}
	if (screen->signal_fd >= 0)
		close(screen->signal_fd);
	if (screen->epoll_fd >= 0)
		close(screen->epoll_fd);
	sigprocmask(SIG_SETMASK, &screen->before, NULL);
	free(screen);
}
