/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which format an Accept header asks for: real ones, all kinds of spelling, and nonsense. */
#include <gtest/gtest.h>
#include <random>
#include <string>
#include "output/accept.h"

namespace
{

#define OPENMETRICS "application/openmetrics-text"

TEST(accept, what_scrapers_send)
{
	/* Prometheus 2.42, 2.49 and 3; Telegraf; curl; a browser. */
	EXPECT_TRUE(accept_openmetrics(OPENMETRICS ";version=1.0.0," OPENMETRICS
						   ";version=0.0.1;q=0.75,"
						   "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
	EXPECT_TRUE(accept_openmetrics(OPENMETRICS ";version=1.0.0;q=0.5," OPENMETRICS
						   ";version=0.0.1;q=0.4,text/plain;"
						   "version=0.0.4;q=0.3,*/*;q=0.2"));
	EXPECT_TRUE(accept_openmetrics(OPENMETRICS
				       ";version=1.0.0;escaping=allow-utf-8;q=0.5,text/"
				       "plain;version=0.0.4;escaping=allow-utf-8;q=0.3,*/*;q=0.2"));
	EXPECT_FALSE(accept_openmetrics("application/vnd.google.protobuf;proto=io.prometheus."
					"client.MetricFamily;encoding=delimited;q=0.7,text/plain;"
					"version=0.0.4;q=0.3,*/*;q=0.1"));
	EXPECT_FALSE(accept_openmetrics("*/*"));
	EXPECT_FALSE(accept_openmetrics("text/html,application/xhtml+xml,*/*;q=0.8"));
	EXPECT_FALSE(accept_openmetrics(nullptr));
}

TEST(accept, spelling_and_weights)
{
	for (const char *yes :
	     {OPENMETRICS, "  Application/OpenMetrics-Text ", OPENMETRICS ";VERSION=1.0.0",
	      OPENMETRICS " ; version=1.0.0 ;\tQ=0.001", OPENMETRICS ",text/plain",
	      OPENMETRICS ";q=0.5,text/plain;q=0.5", OPENMETRICS ";q=1.000",
	      "text/plain;version=9;q=1," OPENMETRICS ";q=0.1", ",,;," OPENMETRICS ",,",
	      OPENMETRICS ";charset=utf-8;;=;x"}) {
		EXPECT_TRUE(accept_openmetrics(yes)) << yes;
	}
	for (const char *no :
	     {"", ",", ";", "application/openmetrics", OPENMETRICS "x", "x" OPENMETRICS,
	      OPENMETRICS ";q=0", OPENMETRICS ";q=0.000", OPENMETRICS ";version=0.0.1",
	      OPENMETRICS ";version=2.0.0", OPENMETRICS ";q=0.4,text/plain;q=0.5",
	      OPENMETRICS ";q=0.999,text/plain", OPENMETRICS ";q=2", OPENMETRICS ";q=1.001",
	      OPENMETRICS ";q=0.1234", OPENMETRICS ";q=-1", OPENMETRICS ";q=", OPENMETRICS ";q=x",
	      OPENMETRICS ";q=12"})
		EXPECT_FALSE(accept_openmetrics(no)) << no;
}

/* Whatever comes: no crash (the sanitizers look), and an end. */
TEST(accept, nonsense)
{
	static const char letters[] = ";,=q.01 \t*/" OPENMETRICS;
	std::mt19937 random(1);

	for (int i = 0; i < 20000; i++) {
		std::string header(random() % 64, ' ');

		for (char &c : header)
			c = letters[random() % (sizeof(letters) - 1)];
		accept_openmetrics(header.c_str());
	}
}

} // namespace
