import { DomUtils, parseDocument } from "htmlparser2";
import type { Browser, Visit } from "../../examples/browser.ts";

/** Fields of a form with their current values. */
export type Fields = Record<string, string | string[]>;

const all = (name: string, inside: Parameters<typeof DomUtils.getElementsByTagName>[1]) =>
  DomUtils.getElementsByTagName(name, inside, true);

export function stepForm({ text }: Pick<Visit, "text">): { action: string; fields: Fields } {
  const form = all("form", parseDocument(text)).find(({ attribs }) => attribs["action"]?.startsWith("/new/"));
  if (!form) throw new Error(`no step in:\n${text}`);
  const fields: Fields = {};
  const add = (name: string | undefined, value: string, isOneOfMany = false) => {
    if (!name) return;
    if (isOneOfMany) fields[name] = [...[fields[name] ?? []].flat(), ...(value === "" ? [] : [value])];
    else fields[name] = value;
  };
  for (const { attribs } of all("input", form)) {
    const { name, type, value = "" } = attribs;
    if (type === "checkbox") add(name, "checked" in attribs ? value : "", true);
    else if (type !== "file") add(name, value);
  }
  for (const one of all("textarea", form)) add(one.attribs["name"], DomUtils.textContent(one).replace(/^\n/, ""));
  for (const one of all("select", form)) {
    const options = all("option", one);
    const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
    add(one.attribs["name"], chosen?.attribs["value"] ?? "");
  }
  return { action: form.attribs["action"] ?? "", fields };
}

/** Submission of a step with changed fields and a button. */
export function buildStep(page: Visit, fill: Fields = {}, go = "next"): { url: URL; body: URLSearchParams } {
  const { action, fields } = stepForm(page);
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...fields, ...fill }))
    for (const one of [value].flat()) body.append(name, one);
  body.append("go", go);
  return { url: new URL(action, page.url), body };
}

/** Sends a step as a person does. */
export async function sendStep(browser: Browser, page: Visit, fill?: Fields, go?: string): Promise<Visit> {
  const { url, body } = buildStep(page, fill, go);
  return browser.post(url, body, { referer: page.url.href });
}

function plain(value = ""): string {
  return value.replaceAll(/\s+/g, " ").replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}

/** Error message by field. */
export function readFaults(text: string): Record<string, string> {
  const found = [...text.matchAll(/<span class="wrong" id="([^"]*)-wrong">([^<]*)</g)];
  return Object.fromEntries(found.map(([, field = "", message]) => [field, plain(message)]));
}

/** The step that an address is of. */
export function stepOfAddress({ url }: Visit): string | undefined {
  return url.pathname.split("/")[5];
}
