import { TOTP } from "otpauth";
import { Browser, type Visit } from "../../examples/browser.ts";
import { PASSWORD, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import type { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;
export const OWNER = "owner@acme.test";

/** A clock that a test moves. */
export function createClock(from = Date.parse("2026-11-21T12:00:10.000Z")) {
  let at = from;
  return { now: () => new Date(at).toISOString(), forward: (seconds: number) => void (at += seconds * 1000) };
}

/** The authenticator app's code; `steps` shifts it by 30 seconds each. */
export function totpCode(secret: string, at: string, steps = 0): string {
  const totp = new TOTP({ secret, algorithm: "SHA1", digits: 6, period: 30 });
  return totp.generate({ timestamp: Date.parse(at) + steps * 30_000 });
}

/** An owner who set up an authenticator app on the page, which consumed the current code. */
export async function ownerWithApp(w: World) {
  const scene = await sceneWithPassword(w);
  return { ...scene, ...(await setUpApp(w, OWNER)) };
}

/** Sets up an authenticator app for a person who has a password. */
export async function setUpApp(w: World, email: string) {
  const browser = await signedInBrowser(w, email);
  const page = await browser.get(`${w.config.baseUrl}/account/second-factor`);
  const begun = await browser.submit(page, { action: /\/app$/ });
  const secret = (/<code id="secret">([^<]*)</.exec(begun.text)?.[1] ?? "").replaceAll(" ", "");
  const done = await browser.submit(begun, {
    action: /\/app\/confirm$/,
    fill: { code: totpCode(secret, w.deps.now()) },
  });
  return { browser, secret, done, codes: readRecoveryCodes(done) };
}

/** The recovery codes that a page shows. */
export function readRecoveryCodes({ text }: Visit): string[] {
  return (/<pre class="codes" id="codes">([^<]*)</.exec(text)?.[1] ?? "").split("\n");
}

/** A browser after the first step: the right password. */
export async function enterPassword(w: World, browser = new Browser(), next = "") {
  const query = next === "" ? "" : `?next=${encodeURIComponent(next)}`;
  const page = await browser.get(`${w.config.baseUrl}/sign-in${query}`);
  const second = await browser.submit(page, { action: /^\/sign-in$/, fill: { email: OWNER, password: PASSWORD } });
  return { browser, second };
}

/** Types a code in the second step. */
export function submitCode(browser: Browser, second: Visit, code: string): Promise<Visit> {
  return browser.submit(second, { action: /^\/sign-in\/second-factor$/, fill: { code } });
}
