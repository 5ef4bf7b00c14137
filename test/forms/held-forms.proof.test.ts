import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { hashSecret } from "../../auth/keys/random-secret.ts";
import { heldFormLocation } from "../../db/identity/held-forms.ts";
import { Browser } from "../../examples/browser.ts";
import { sceneWithPassword } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { readFields, findForms, formKind, signIn, type Field } from "./page-forms.ts";
import { crawl, allPagesScene } from "../console/web-pages.ts";
import { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

const SECRET = "a secret of mine, 42";

/** Changed value of a field. */
function typedInto({ name, kind, value, options = [] }: Field): string | string[] {
  if (kind === "hidden") return value;
  if (kind === "password") return SECRET;
  // No page can restore a chosen file.
  if (kind === "file") return value;
  if (kind === "checkbox") return value.length > 0 ? [] : options;
  if (kind === "select") return options.at(-1) ?? "";
  if (kind === "number") return "7";
  if (kind === "date") return "2100-01-31";
  if (kind === "email") return "typed@example.com";
  return kind === "textarea" ? `${name}: <b>one</b> & "two"\n\nthree` : `${name}: <b> & "two"`;
}

const hiddenFields = (fields: Field[]) =>
  fields.filter(({ name, kind }) => kind === "hidden" && !name.startsWith("was_"));

/** Ends a browser's session, as its owner can from another browser. */
async function endSession(w: World, browser: Browser): Promise<void> {
  const cookie = browser.cookies.find(({ name }) => name === "bva_session")?.value ?? "";
  await w.store.write(async ({ q, t }) => {
    await q.delete(t.webSessions).where(eq(t.webSessions.idHash, hashSecret(cookie)));
  });
}

/** Without input: after archiving a brand from its page, the list is shown. */
const NOT_BACK = ["/brands/:id/:id/archive brand_id: 200 at /brands"];

test("each form sent after the session expired returns after sign-in with all fields except secrets", async () => {
  // Fault: a form posted after the session expired was lost with its input.
  await using s = await allPagesScene();
  const { baseUrl } = s.w.config;
  const browser = new Browser();
  await signIn(browser, await browser.get(`${baseUrl}/sign-in`));
  const pages = await crawl(browser, baseUrl, ["/", ...s.unlinked]);
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const page of pages) {
    for (const form of findForms(page)) {
      const action = form.attribs["action"] ?? "";
      const kind = formKind(form);
      if (seen.has(kind)) continue;
      seen.add(kind);
      const fields = readFields(form).map((field) => ({ ...field, typed: typedInto(field) }));
      const sent = new URLSearchParams(
        fields.flatMap(({ name, typed }) => [typed].flat().map((one): [string, string] => [name, one])),
      );
      await endSession(s.w, browser);
      const asked = await browser.post(new URL(action, page.url), sent, { referer: page.url.href });
      const back = await signIn(browser, asked);
      const same = findForms(back).find((one) => {
        const now = hiddenFields(readFields(one));
        const isSame = now.every(({ name, value }) => sent.get(name) === value);
        return one.attribs["action"] === action && isSame && now.length === hiddenFields(fields).length;
      });
      if (!same || back.status !== 200) {
        faults.push(`${kind}: ${back.status} at ${back.url.pathname.replaceAll(/\/[0-9a-f]{8}-[0-9a-f-]{27}/g, "")}`);
        continue;
      }
      const now = readFields(same);
      for (const [at, { name, kind: type, typed }] of fields.entries()) {
        const wanted = type === "password" ? "" : typed;
        if (JSON.stringify(now[at]?.value) !== JSON.stringify(wanted)) faults.push(`${kind}: ${name} is not back`);
      }
      const hasSecret = fields.some(({ kind: type }) => type === "password");
      if (hasSecret !== back.text.includes("enter secrets again")) faults.push(`${kind}: of secrets it says otherwise`);
    }
  }
  expect(faults.toSorted()).toEqual(NOT_BACK);
  expect(seen.size).toBeGreaterThan(25);
}, 60_000);

test("stores no secrets, nothing readable, and at most five forms per person", async () => {
  // Attack: reading passwords and texts in the database, and filling it.
  await using w = await world();
  await sceneWithPassword(w);
  const browser = new Browser();
  await signIn(browser, await browser.get(`${w.config.baseUrl}/sign-in`));
  const unsealed: string[] = [];
  for (let sent = 0; sent < 8; sent++) {
    await endSession(w, browser);
    const fields = new URLSearchParams({ name: `Ada ${sent}`, present: SECRET, password: SECRET, code: SECRET });
    await browser.post(`${w.config.baseUrl}/account/rename`, fields);
    const rows = await openCommitted(w.store).q.select().from(openCommitted(w.store).t.heldForms);
    expect([rows.length, JSON.stringify(rows).includes("Ada")]).toEqual([Math.min(sent + 1, 5), false]);
    unsealed.push(
      ...rows.map(({ secretHash, sealedFields }) => w.deps.secrets.unseal(sealedFields, heldFormLocation(secretHash))),
    );
  }
  expect([unsealed.join().includes("Ada 7"), unsealed.join().includes(SECRET)]).toEqual([true, false]);
  // Without a known browser, nothing is stored.
  await new Browser().post(`${w.config.baseUrl}/account/rename`, new URLSearchParams({ name: "Mallory" }));
  expect(await openCommitted(w.store).q.select().from(openCommitted(w.store).t.heldForms)).toHaveLength(5);
});

test("input of a form that no longer exists is shown as text, and a forged cookie stores nothing", async () => {
  // Fault: another person's action removed the form, and the input was lost.
  await using w = await world();
  const { owner, organization } = await sceneWithPassword(w);
  const browser = new Browser();
  await signIn(browser, await browser.get(`${w.config.baseUrl}/sign-in`));
  await endSession(w, browser);
  const fields = new URLSearchParams({ name: "Renamed <b>", monthly_credit_cap: "12" });
  const asked = await browser.post(`${w.config.baseUrl}/organizations/${organization.id}/save`, fields);
  expect(asked.text).toContain("What you entered is kept");
  await w.signIn("second@acme.test", { organizationId: organization.id, role: "owner" });
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizationMembers).set({ role: "viewer" }).where(eq(t.organizationMembers.userId, owner.id));
  });
  const back = await signIn(browser, asked);
  expect([back.status, back.text.includes("no longer on this page")]).toEqual([200, true]);
  expect(back.text).toContain("Renamed &#60;b&#62;</pre>");
  // Attack: a forged cookie of another person.
  const forged = new Browser();
  const mark = browser.cookies.find(({ name }) => name === "bva_person");
  if (!mark) throw new Error("the browser has no mark");
  forged.cookies = [{ ...mark, value: mark.value.replace(owner.id, w.deps.newId()) }];
  await forged.post(`${w.config.baseUrl}/account/rename`, new URLSearchParams({ name: "Mallory" }));
  expect(await openCommitted(w.store).q.select().from(openCommitted(w.store).t.heldForms)).toEqual([]);
});
