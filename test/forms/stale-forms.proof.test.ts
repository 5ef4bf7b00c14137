import { expect, test } from "vitest";
import { alertText } from "../support/alert-text.ts";
import { Browser, type Visit } from "../../examples/browser.ts";
import { formName } from "./send-forms.ts";
import { readAllFields, findForms, signIn, type Element } from "./page-forms.ts";
import { createCertificate } from "../saml/certificate.ts";
import { crawl, allPagesScene } from "../console/web-pages.ts";

interface Line {
  /** Values saved by another person while the page is open. */
  theirs: Record<string, string>;
  /** Values entered by the person in other fields. */
  mine: Record<string, string>;
  /** Initial values if the form is empty. */
  first?: Record<string, string>;
}

const { certificate } = await createCertificate();

/** Every form that writes back all that it shows. */
const LINES: Record<string, Line> = {
  "/organizations/:id/save": {
    theirs: { monthly_credit_cap: "500", owners_need_second_factor: "" },
    mine: { name: "Mine" },
  },
  "/organizations/:id/sso/save oidc": {
    theirs: { client_id: "theirs", group_roles: "Sales = editor", makes_accounts: "", accepts_idp_initiated: "1" },
    mine: { scopes: "openid email", email_claim: "mail", trusts_email: "1" },
  },
  // Replaces a configuration of the other protocol.
  "/organizations/:id/sso/save saml": {
    first: { sign_in_url: "https://idp.acme.test/in", certificates: certificate },
    theirs: { sign_in_url: "https://idp.acme.test/other", default_role: "editor" },
    mine: { name_claim: "displayName" },
  },
  "/writers/:id/:id/connect": {
    first: { api_token: "a-token-of-it", partner_workspace_id: "w1" },
    theirs: { recipients: "a@acme.test\nb@acme.test" },
    mine: { max_brief_length: "70" },
  },
  "/actions/:id/:id/:id/:id/edit": {
    theirs: { body: "Theirs, in\ntwo lines" },
    mine: { title: "Mine", status: "in_progress" },
  },
  "/brands/:id/:id/:id/update": {
    theirs: { domains: "theirs.example\nmore.example", exact_spellings: "THEIRS" },
    mine: { relationship: "other", spellings: "Mine", excluded_phrases: "not mine" },
  },
};

/** Other forms with a stored text: a single field, replaced knowingly. */
const ONE_TEXT = ["/account/rename name", "/analyses/:id/:id/:id/rename name"];

const isMarked = (form: Element) => readAllFields(form).some(({ name }) => name === "was_stored");

function formOn(page: Visit, name: string): Element {
  const form = findForms(page).find((one) => formName(one) === name);
  if (!form) throw new Error(`no form ${name} at ${page.url.href}: ${page.status}`);
  return form;
}

/** Visible values of a form. */
function readFormValues(page: Visit, name: string): Record<string, string> {
  const seen = readAllFields(formOn(page, name)).filter(({ kind }) => kind !== "hidden" && kind !== "password");
  return Object.fromEntries(seen.map((field) => [field.name, [field.value].flat().join()]));
}

/** Sends a form as a browser does. A box that is filled with "" is not ticked. */
function send(browser: Browser, page: Visit, { name, fill }: { name: string; fill: Record<string, string> }) {
  const form = formOn(page, name);
  const fields = new URLSearchParams();
  for (const { name: field, kind, value } of readAllFields(form)) {
    const one = fill[field] ?? [value].flat()[0] ?? "";
    if (kind !== "checkbox" || one !== "") fields.append(field, one.replaceAll("\n", "\r\n"));
  }
  return browser.post(new URL(form.attribs["action"] ?? "", page.url), fields);
}

const alertOf = ({ text }: Visit) => alertText(text);

function staleMessage(changed: string): string {
  return `Changed since you opened this page: ${changed}. Nothing is saved yet. The form keeps what you entered, and shows the change in all other fields. Check it, then save again.`;
}

test("keeps others' changes saved while a form was open, and the entered values", async () => {
  // Fault: a form with ten settings overwrote nine of them with stale values.
  await using s = await allPagesScene();
  const { baseUrl } = s.w.config;
  const browser = new Browser();
  await signIn(browser, await browser.get(`${baseUrl}/account`));
  const pages = await crawl(browser, baseUrl, ["/", ...s.unlinked]);
  const forms = new Map(
    pages.flatMap((page) => findForms(page).map((form) => [formName(form), { page, form }] as const)),
  );
  const marked = [...forms].flatMap(([name, { form }]) => (isMarked(form) ? [name] : []));
  expect(marked.toSorted()).toEqual(Object.keys(LINES).toSorted());
  const texts = [...forms].flatMap(([name, { form }]) => {
    const fields = readAllFields(form).filter(({ kind, value }) => /^(text|textarea|url)$/.test(kind) && value !== "");
    return isMarked(form) || fields.length === 0 ? [] : [[name, ...fields.map((field) => field.name)].join(" ")];
  });
  expect(texts.toSorted()).toEqual(ONE_TEXT);

  for (const [name, { first, theirs, mine }] of Object.entries(LINES)) {
    const url = forms.get(name)?.page.url ?? "";
    if (first) await send(browser, await browser.get(url), { name, fill: first });
    const shown = await browser.get(url);
    const before = readFormValues(shown, name);
    const other = await send(browser, await browser.get(url), { name, fill: theirs });
    expect({ name, status: other.status, alert: alertOf(other) }).toEqual({ name, status: 200, alert: undefined });

    const told = await send(browser, shown, { name, fill: mine });
    const changed = Object.keys(theirs).filter((field) => theirs[field] !== before[field]);
    expect({ name, status: told.status, alert: alertOf(told)?.split(": ")[1]?.split(". ")[0] }).toEqual({
      name,
      status: 409,
      alert: changed.map((field) => field.replaceAll("_", " ")).join(", "),
    });
    const both = { ...before, ...theirs, ...mine };
    expect({ name, ...readFormValues(told, name) }).toEqual({ name, ...both });
    const saved = await send(browser, told, { name, fill: {} });
    expect({ name, status: saved.status }).toEqual({ name, status: 200 });
    expect({ name, ...readFormValues(await browser.get(url), name) }).toEqual({ name, ...both });
  }

  // If both change a field, the person sees the current value and may replace it.
  const [name, url] = ["/organizations/:id/save", forms.get("/organizations/:id/save")?.page.url ?? ""];
  const shown = await browser.get(url);
  await send(browser, await browser.get(url), { name, fill: { name: "Theirs", monthly_credit_cap: "" } });
  const told = await send(browser, shown, { name, fill: { name: "Mine again", monthly_credit_cap: "9" } });
  expect(alertOf(told)).toBe(staleMessage("name (now “Theirs”), monthly credit cap (now empty)"));
  await send(browser, told, { name, fill: {} });
  expect(readFormValues(await browser.get(url), name)).toMatchObject({ name: "Mine again", monthly_credit_cap: "9" });

  // A forged marker counts as one of an empty page.
  const forged = await send(browser, shown, { name, fill: { name: "Forged", was_stored: '{"name":1}' } });
  expect([forged.status, readFormValues(forged, name)["name"]]).toEqual([409, "Forged"]);
});
