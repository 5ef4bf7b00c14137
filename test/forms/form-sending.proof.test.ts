import { expect, test } from "vitest";
import { openReader } from "../../db/engine/sqlite/connection.ts";
import { Browser } from "../../examples/browser.ts";
import { LINES } from "./form-lines.ts";
import { nameOf, sendThrice, type Line } from "./form-sendings.ts";
import { STATE_LINES } from "./form-state-lines.ts";
import { formsOf, signIn } from "./page-forms.ts";
import { crawl, everyPage } from "../console/web-pages.ts";

test("every form of every page takes effect once, sent on a connection that breaks and then twice at the same time", async () => {
  // Fault: a second press, reload or retry creates a second brand, collect, key or history entry.
  await using s = await everyPage();
  const { baseUrl } = s.w.config;
  const browser = new Browser();
  const signedIn = async () => {
    const page = await browser.get(`${baseUrl}/account`);
    if (page.url.pathname === "/sign-in") await signIn(browser, page);
  };
  await signedIn();
  const pages = await crawl(browser, baseUrl, ["/", ...s.unlinked]);
  const forms = new Map(pages.flatMap((page) => formsOf(page).map((form) => [nameOf(form), { page, form }] as const)));
  const sentHere = [...forms.keys()].filter((name) => !Object.hasOwn(STATE_LINES, name));
  expect(sentHere.toSorted()).toEqual(Object.keys(LINES).toSorted());
  const reader = openReader(s.w.store.file);
  const came: Record<string, Omit<Line, "fill">> = {};
  for (const [name, line] of Object.entries(LINES)) {
    const found = forms.get(name);
    if (!found) continue;
    if (name.startsWith("/account")) await signedIn();
    came[name] = await sendThrice(found, line, { browser, reader });
  }
  reader.close();
  expect(came).toEqual(
    Object.fromEntries(Object.entries(LINES).map(([name, { fill: _fill, ...line }]) => [name, line])),
  );
}, 120_000);
