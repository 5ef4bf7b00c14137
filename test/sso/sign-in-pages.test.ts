import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { createOAuthClient, givePassword, PASSWORD, REDIRECT } from "../support/assistant.ts";
import { signInAtProvider, startProvider, type ProviderProcess } from "./provider-process.ts";
import { providerScene } from "./provider-scene.ts";

let provider: ProviderProcess;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

const scene = (settings?: Record<string, unknown>) => providerScene(provider, settings);

test("redirects an e-mail of a verified domain to its provider, and gives any other the same reply, known or unknown", async () => {
  // Attack: enumerate accounts by the replies of the sign-in page.
  await using s = await scene();
  await s.w.signIn("known@elsewhere.test");
  const ask = async (email: string) => {
    const browser = new Browser();
    const page = await browser.get(s.page("/sign-in?next=/organizations"));
    const answer = await browser.post(s.page("/sso/sign-in"), new URLSearchParams({ email, next: "/organizations" }));
    expect(page.text).toContain('formaction="/sso/sign-in"');
    return { ...answer, text: answer.text.replaceAll(email, "(e-mail)") };
  };
  for (const email of ["ann@acme.test", "ANN@ACME.TEST", "nobody-knows@acme.test", "owner@acme.test"]) {
    expect([email, new URL((await ask(email)).url).origin]).toEqual([email, provider.issuer]);
  }
  const [known, unknown] = [await ask("known@elsewhere.test"), await ask("unknown@elsewhere.test")];
  expect([known.status, known.text]).toEqual([401, unknown.text]);
  expect(known.text).toContain(
    "No organization uses single sign-on for this e-mail domain. Sign in with your password.",
  );
});

test("a right password leads on to the provider that the organization requires, but for its owners", async () => {
  await using s = await scene({ is_required: true });
  const editor = await s.w.signIn("bob@acme.test", { organizationId: s.organization.id, role: "editor" });
  await givePassword(s.w, editor.id);
  const enter = async (email: string, password = PASSWORD) => {
    const browser = new Browser();
    const page = await browser.get(s.page("/sign-in?next=/organizations"));
    return { browser, page: await browser.submit(page, { action: /\/sign-in$/, fill: { email, password } }) };
  };
  expect((await enter("owner@acme.test")).page.url.href).toBe(s.page("/organizations"));
  expect((await enter("bob@acme.test", "wrong")).page.status).toBe(401);
  const { browser, page } = await enter("bob@acme.test");
  expect(page.url.origin).toBe(provider.issuer);
  const back = await signInAtProvider(browser, page, "bob");
  expect([back.url.pathname, back.text.includes("Acme")]).toEqual(["/organizations", true]);
});

test("requests a fresh sign-in at the provider once for an assistant that asks for one", async () => {
  await using s = await scene();
  const a = await createOAuthClient(s.w);
  const browser = new Browser((url) => url.href.startsWith(REDIRECT));
  await signInAtProvider(browser, await browser.get(s.page(`/sso/${s.organization.id}/start`)), "ann");
  // The time of a request has a resolution of one second.
  await sleep(1100);
  const asked = await browser.get(a.authorizeUrl({ prompt: "login" }));
  expect(asked.text).toContain('formaction="/sso/sign-in"');
  const next = asked.url.pathname;
  const form = new URLSearchParams({ email: "ann@acme.test", next });
  const consent = await browser.post(s.page("/sso/sign-in"), form);
  expect(consent.text).toMatch(/action="[^"]*consent"/);
});
