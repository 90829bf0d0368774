/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values of options, parsed by hand: strto*() takes signs, spaces, other bases and locales. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include "cli_parser/parse_value.h"

#define NANO_DIGITS    9
#define MILLI_DIGITS   6
#define PERCENT_SCALE  10000ULL
#define PERCENT_DIGITS 4

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits at *text, which is moved behind them. -EINVAL: none; -ERANGE: more than 64 bits. */
static int take_digits(const char **text, uint64_t *out)
{
	uint64_t value = 0;
	bool overflow = false;

	if (!is_digit(**text))
		return -EINVAL;
	for (; is_digit(**text); (*text)++) {
		uint64_t digit = (uint64_t)(**text - '0');

		if (value > (UINT64_MAX - digit) / 10)
			overflow = true;
		value = value * 10 + digit;
	}
	*out = value;
	return overflow ? -ERANGE : 0;
}

int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	uint64_t value;
	int err = take_digits(&text, &value);

	/* Trailing text first: "99999999999999999999x" is no number that is too large. */
	if (*text)
		return -EINVAL;
	if (err)
		return err;
	if (value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

/* ".25" at *text as 10^-digits; none is 0. -EINVAL: no or too many digits after the point. */
static int take_fraction(const char **text, int digits, uint64_t *out)
{
	uint64_t value = 0;

	*out = 0;
	if (**text != '.')
		return 0;
	(*text)++;
	if (!is_digit(**text))
		return -EINVAL;
	for (; is_digit(**text); (*text)++) {
		if (digits-- == 0)
			return -EINVAL;
		value = value * 10 + (uint64_t)(**text - '0');
	}
	while (digits-- > 0)
		value *= 10;
	*out = value;
	return 0;
}

/* A decimal number at *text in units of 10^-digits. */
static int take_decimal(const char **text, int digits, uint64_t *out)
{
	uint64_t whole = 0, fraction, scale = 1;
	int err = 0;

	for (int i = 0; i < digits; i++)
		scale *= 10;
	if (**text != '.')
		err = take_digits(text, &whole);
	if (err == -EINVAL || take_fraction(text, digits, &fraction))
		return -EINVAL;
	if (err || whole > (UINT64_MAX - fraction) / scale)
		return -ERANGE;
	*out = whole * scale + fraction;
	return 0;
}

/* A time in units of 10^digits ns. */
static int parse_time(const char *text, int digits, const uint64_t range_ns[2], uint64_t *out_ns)
{
	uint64_t value_ns;
	int err = take_decimal(&text, digits, &value_ns);

	if (*text)
		return -EINVAL;
	if (err)
		return err;
	if (value_ns < range_ns[0] || value_ns > range_ns[1])
		return -ERANGE;
	*out_ns = value_ns;
	return 0;
}

int parse_seconds(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *out_ns)
{
	return parse_time(text, NANO_DIGITS, (const uint64_t[]){min_ns, max_ns}, out_ns);
}

int parse_milliseconds(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *out_ns)
{
	return parse_time(text, MILLI_DIGITS, (const uint64_t[]){min_ns, max_ns}, out_ns);
}

static int take_percentile(const char **text, double *out)
{
	uint64_t value;
	int err = take_decimal(text, PERCENT_DIGITS, &value);

	if (err)
		return err;
	if (value == 0 || value > 100 * PERCENT_SCALE)
		return -ERANGE;
	*out = (double)value / PERCENT_SCALE;
	return 0;
}

int parse_percentiles(const char *text, double *percentiles, uint32_t size, uint32_t *count)
{
	uint32_t taken = 0;
	int err;

	for (;;) {
		if (taken == size)
			return -ERANGE;
		err = take_percentile(&text, &percentiles[taken]);
		if (err)
			return err;
		for (uint32_t i = 0; i < taken; i++) {
			if (percentiles[i] == percentiles[taken])
				return -EINVAL;
		}
		taken++;
		if (!*text)
			break;
		if (*text++ != ',')
			return -EINVAL;
	}
	*count = taken;
	return 0;
}

/* The address of `length` bytes; IPv6 is in brackets. */
static int take_address(const char *text, size_t length, struct sockaddr_storage *out)
{
	bool v6 = length > 1 && text[0] == '[' && text[length - 1] == ']';
	char host[INET6_ADDRSTRLEN] = "127.0.0.1";
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;
	struct sockaddr_in *in = (struct sockaddr_in *)out;

	if (v6) {
		text++;
		length -= 2;
	}
	if (length >= sizeof(host))
		return -EINVAL;
	if (length || v6) {
		memcpy(host, text, length);
		host[length] = '\0';
	}
	*out = (struct sockaddr_storage){.ss_family = v6 ? AF_INET6 : AF_INET};
	if (v6)
		return inet_pton(AF_INET6, host, &in6->sin6_addr) == 1 ? 0 : -EINVAL;
	return inet_pton(AF_INET, host, &in->sin_addr) == 1 ? 0 : -EINVAL;
}

int parse_address(const char *text, struct sockaddr_storage *out)
{
	const char *colon = strrchr(text, ':');
	uint64_t port;
	int err;

	if (!colon || take_address(text, (size_t)(colon - text), out))
		return -EINVAL;
	err = parse_u64(colon + 1, 0, UINT16_MAX, &port);
	/* At the same place in sockaddr_in6. */
	if (!err)
		((struct sockaddr_in *)out)->sin_port = htons((uint16_t)port);
	return err;
}

static int find_word(const char *text, size_t length, const struct word *words, size_t word_count)
{
	for (size_t i = 0; i < word_count; i++) {
		if (strlen(words[i].text) == length && !memcmp(words[i].text, text, length))
			return (int)i;
	}
	return -EINVAL;
}

int parse_word(const char *text, const struct word *words, size_t word_count, uint32_t *out)
{
	int found = find_word(text, strlen(text), words, word_count);

	if (found < 0)
		return found;
	*out = words[found].value;
	return 0;
}

int parse_words(const char *text, const struct word *words, size_t word_count, uint32_t *out)
{
	uint32_t set = 0;

	for (;;) {
		size_t length = strcspn(text, ",");
		int found = find_word(text, length, words, word_count);

		if (found < 0)
			return found;
		set |= words[found].value;
		if (!text[length])
			break;
		text += length + 1;
	}
	*out = set;
	return 0;
}
