import { expect, test } from "vitest";
import { openReadConnection } from "../../db/engine/sqlite/connection.ts";
import { Browser } from "../../examples/browser.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { expectedOutcomes, sendEach } from "./send-forms.ts";
import { STATE_EXPECTATIONS, stateScene } from "./form-state-expectations.ts";
import { SIGN_IN_EXPECTATIONS, signInScene } from "./sign-in-form-expectations.ts";

test("forms that only exist in some state take effect once, too", async () => {
  // Fault: a second press runs a second collect, restores a second brand or approves a second time.
  await using s = await stateScene();
  using reader = openReader(s.store.file);
  const openBrowser = () => signedInBrowser(s, s.owner.email);
  const outcomes = await sendEach(s, STATE_EXPECTATIONS, { ...reader, baseUrl: s.config.baseUrl, openBrowser });
  expect(outcomes).toEqual(expectedOutcomes(STATE_EXPECTATIONS));
}, 60_000);

test("forms of sign-in use up their link or step with the first submission", async () => {
  // Fault: a link that broke off while it was used makes a second account, or signs in a second time.
  await using s = await signInScene();
  using reader = openReader(s.store.file);
  const { baseUrl } = s.config;
  const outcomes = await sendEach(s, SIGN_IN_EXPECTATIONS, { ...reader, baseUrl, openBrowser: openNewBrowser });
  expect(outcomes).toEqual(expectedOutcomes(SIGN_IN_EXPECTATIONS));
}, 60_000);

function openNewBrowser(): Browser {
  return new Browser();
}

function openReader(file: string) {
  const reader = openReadConnection(file);
  return { reader, [Symbol.dispose]: () => void reader.close() };
}
