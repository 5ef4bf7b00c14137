import { signedInBrowser } from "../../test/support/assistant.ts";
import { readAllFields, findForms, type Field } from "../../test/forms/page-forms.ts";
import { formName } from "../../test/forms/send-forms.ts";
import { crawl } from "../../test/console/web-pages.ts";
import { awkwardText } from "./largest-value.ts";
import { FORM_BYTES, manyPairs, repeated, type Row } from "./rows.ts";
import type { HostileScene } from "./scene.ts";
import type { RawRequest } from "./send.ts";

// Rows of every console form, found by following links.

/** Forms that make later forms impossible; they come last. */
const ENDS_SOMETHING = /\/(delete|remove|revoke|leave|archive|disconnect|end|sign-out|codes|password)[^/]*$/;

export async function formRows(at: HostileScene): Promise<Row[]> {
  const { scene, baseUrl } = at;
  const { organization_id: organization, workspace_id: workspace } = scene.home;
  const browser = await signedInBrowser(scene.w, scene.owner.email);
  const pages = await crawl(browser, baseUrl, [
    "/",
    `/organizations/${organization}/sso?protocol=saml`,
    `/platform-accounts/${organization}/${workspace}`,
    `/organizations/${organization}/workspaces/${workspace}/members`,
    "/account/second-factor",
  ]);
  const found = new Map<string, Row[]>();
  for (const page of pages) {
    for (const form of findForms(page)) {
      const name = formName(form);
      const to = new URL(form.attribs["action"] ?? "", page.url);
      const fields = readAllFields(form);
      if (!found.has(name)) found.set(name, rowsOfForm(at, { name, to, fields, page: page.url }));
    }
  }
  const names = [...found.keys()].toSorted((a, b) => Number(ENDS_SOMETHING.test(a)) - Number(ENDS_SOMETHING.test(b)));
  return names.flatMap((name) => found.get(name) ?? []);
}

interface Found {
  name: string;
  to: URL;
  page: URL;
  fields: readonly Field[];
}

function rowsOfForm(at: HostileScene, { name, to, page, fields }: Found): Row[] {
  const send = async (body: string): Promise<RawRequest> => ({
    method: "POST",
    path: `${to.pathname}${to.search}`,
    headers: {
      cookie: await at.cookie(),
      origin: to.origin,
      "sec-fetch-site": "same-origin",
      accept: "text/html",
      "content-type": "application/x-www-form-urlencoded",
    },
    body,
  });
  const usual = async (): Promise<RawRequest> => ({
    method: "GET",
    path: `${page.pathname}${page.search}`,
    headers: { cookie: await at.cookie(), accept: "text/html" },
  });
  const typed = fields.filter(({ kind }) => !["hidden", "password", "checkbox", "radio", "select"].includes(kind));
  const kept = fieldsAsShown(fields.filter((field) => !typed.includes(field)));
  const row = (what: string, wire: Row["wire"]): Row => ({
    name: `form ${name}: ${what}`,
    kind: "form",
    isToldWithRejection: true,
    wire,
    usual,
  });
  return [
    row("largest fields", () => send(`${kept}&${largestFields(typed)}`)),
    row("most unknown fields", () => send(`${kept}&${manyPairs(FORM_BYTES - kept.length)}`)),
    row("2,000 unknown fields", () => send(`${kept}&${manyPairs(20_000)}`)),
    ...[...new Set(fields.map((field) => field.name))].map((field) =>
      row(`${field} repeated`, () => send(`${kept}&${repeated(FORM_BYTES - kept.length, field)}`)),
    ),
  ];
}

function fieldsAsShown(fields: readonly Field[]): string {
  const pairs = fields.flatMap(({ name, value }) => [value].flat().map((one): [string, string] => [name, one]));
  return new URLSearchParams(pairs).toString();
}

/** Fields that share a form's maximum size. */
function largestFields(fields: readonly Field[]): string {
  const share = Math.floor(FORM_BYTES / 10 / Math.max(1, fields.length));
  return new URLSearchParams(fields.map(({ name }, n): [string, string] => [name, awkwardText(share, n)])).toString();
}
