import { expect, test } from "vitest";
import { openReadConnection } from "../../db/engine/sqlite/connection.ts";
import { Browser } from "../../examples/browser.ts";
import { FORM_EXPECTATIONS } from "./form-expectations.ts";
import { expectedOutcomes, formsByName, sendThreeTimes, type FormOutcome } from "./send-forms.ts";
import { STATE_EXPECTATIONS } from "./form-state-expectations.ts";
import { SIGN_IN_EXPECTATIONS } from "./sign-in-form-expectations.ts";
import { signIn } from "./page-forms.ts";
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
  const forms = new Map(pages.flatMap(formsByName));
  const sentElsewhere = { ...STATE_EXPECTATIONS, ...SIGN_IN_EXPECTATIONS };
  const sentHere = [...forms.keys()].filter((name) => !Object.hasOwn(sentElsewhere, name));
  expect(sentHere.toSorted()).toEqual(Object.keys(FORM_EXPECTATIONS).toSorted());
  const reader = openReadConnection(s.w.store.file);
  const came: Record<string, FormOutcome> = {};
  for (const [name, line] of Object.entries(FORM_EXPECTATIONS)) {
    const found = forms.get(name);
    if (!found) continue;
    if (name.startsWith("/account")) await signedIn();
    came[name] = await sendThreeTimes(found, line, { browser, reader });
  }
  reader.close();
  expect(came).toEqual(expectedOutcomes(FORM_EXPECTATIONS));
}, 120_000);
