import { expect, test } from "vitest";
import { openReadConnection } from "../../db/engine/sqlite/connection.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { formName, sendThreeTimes, type FormExpectation } from "./send-forms.ts";
import { STATE_EXPECTATIONS, stateScene } from "./form-state-expectations.ts";
import { findForms } from "./page-forms.ts";

test("forms that only exist in some state take effect once, too", async () => {
  // Fault: a second press runs a second collect, restores a second brand or approves a second time.
  await using s = await stateScene();
  const browser = await signedInBrowser(s, s.owner.email);
  const reader = openReadConnection(s.store.file);
  const came: Record<string, Omit<FormExpectation, "fill">> = {};
  for (const [name, { page: pageOf, ...line }] of Object.entries(STATE_EXPECTATIONS)) {
    const page = await browser.get(`${s.config.baseUrl}${await pageOf(s)}`);
    const form = findForms(page).find((one) => formName(one) === name);
    if (!form) throw new Error(`no form ${name} at ${page.url.href}, which says ${page.status}`);
    came[name] = await sendThreeTimes({ page, form }, line, { browser, reader });
  }
  reader.close();
  const expected = Object.entries(STATE_EXPECTATIONS).map(([name, { fill: _fill, page: _page, ...line }]) => [
    name,
    line,
  ]);
  expect(came).toEqual(Object.fromEntries(expected));
}, 60_000);
