import { expect, test } from "vitest";
import { openReadConnection } from "../../db/engine/sqlite/connection.ts";
import { Browser } from "../../examples/browser.ts";
import { FORM_EXPECTATIONS } from "./form-expectations.ts";
import { formName, sendThreeTimes, type FormExpectation } from "./send-forms.ts";
import { STATE_EXPECTATIONS } from "./form-state-expectations.ts";
import { findForms, signIn } from "./page-forms.ts";
import { crawl, allPagesScene } from "../console/web-pages.ts";

test("every form of every page takes effect once, sent on a connection that breaks and then twice at the same time", async () => {
  // Fault: a second press, reload or retry creates a second brand, collect, key or history entry.
  await using s = await allPagesScene();
  const { baseUrl } = s.w.config;
  const browser = new Browser();
  const signedIn = async () => {
    const page = await browser.get(`${baseUrl}/account`);
    if (page.url.pathname === "/sign-in") await signIn(browser, page);
  };
  await signedIn();
  const pages = await crawl(browser, baseUrl, ["/", ...s.unlinked]);
  const forms = new Map(
    pages.flatMap((page) => findForms(page).map((form) => [formName(form), { page, form }] as const)),
  );
  const sentHere = [...forms.keys()].filter((name) => !Object.hasOwn(STATE_EXPECTATIONS, name));
  expect(sentHere.toSorted()).toEqual(Object.keys(FORM_EXPECTATIONS).toSorted());
  const reader = openReadConnection(s.w.store.file);
  const came: Record<string, Omit<FormExpectation, "fill">> = {};
  for (const [name, line] of Object.entries(FORM_EXPECTATIONS)) {
    const found = forms.get(name);
    if (!found) continue;
    if (name.startsWith("/account")) await signedIn();
    came[name] = await sendThreeTimes(found, line, { browser, reader });
  }
  reader.close();
  expect(came).toEqual(
    Object.fromEntries(Object.entries(FORM_EXPECTATIONS).map(([name, { fill: _fill, ...line }]) => [name, line])),
  );
}, 120_000);
