import { DomUtils, parseDocument } from "htmlparser2";
import { PASSWORD } from "../support/assistant.ts";
import type { Browser, Visit } from "../../examples/browser.ts";

// The forms of the pages, as a person sees them.

export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A field of a form with value and kind. */
export interface Field {
  name: string;
  kind: string;
  value: string | string[];
  options?: string[];
}

const all = (name: string, inside: Element | ReturnType<typeof parseDocument>) =>
  DomUtils.getElementsByTagName(name, inside, true);

const valueOf = (option: Element) => option.attribs["value"] ?? DomUtils.textContent(option).trim();

/** Fields of a form without its duplicate-prevention id. */
export function readFields(form: Element): Field[] {
  return readAllFields(form).filter(({ name }) => name !== "form_id");
}

export function readAllFields(form: Element): Field[] {
  const inputs = all("input", form).map(({ attribs }) => {
    const { name = "", type = "text", value = "", autocomplete } = attribs;
    const isBox = type === "checkbox" || type === "radio";
    const kind = autocomplete === "one-time-code" ? "password" : "readonly" in attribs ? "hidden" : type;
    return {
      name,
      kind,
      value: isBox ? ("checked" in attribs ? [value] : []) : value,
      ...(isBox && { options: [value] }),
    };
  });
  const texts = all("textarea", form).map((one) => ({
    name: one.attribs["name"] ?? "",
    kind: "textarea",
    value: DomUtils.textContent(one).replace(/^\n/, ""),
  }));
  const selects = all("select", form).map((one) => {
    const chosen = all("option", one).find(({ attribs }) => "selected" in attribs);
    const options = all("option", one).map(valueOf);
    return {
      name: one.attribs["name"] ?? "",
      kind: "select",
      value: chosen ? valueOf(chosen) : (options[0] ?? ""),
      options,
    };
  });
  return [...inputs, ...texts, ...selects].filter(({ name }) => name !== "");
}

/** The forms of a page that are posted by a signed-in person, without the one in the frame of every page. */
export function findForms(page: Visit): Element[] {
  return findPostedForms(page).filter(({ attribs }) => attribs["action"] !== "/sign-out");
}

export function findPostedForms({ text }: Visit): Element[] {
  return all("form", parseDocument(text)).filter(({ attribs }) => attribs["method"] === "post");
}

/** Addresses that a form is posted to: its own, and those of its buttons. */
export function listActions(form: Element): string[] {
  const buttons = all("button", form).flatMap(({ attribs }) => attribs["formaction"] ?? []);
  return [form.attribs["action"] ?? "", ...buttons];
}

export function formKind(form: Element): string {
  return `${(form.attribs["action"] ?? "").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id")} ${readFields(form)
    .map(({ name }) => name)
    .join()}`;
}

/** Signs in on a page that asks for it. */
export function signIn(browser: Browser, page: Visit): Promise<Visit> {
  return browser.submit(page, { action: /^\/sign-in$/, fill: { email: "owner@acme.test", password: PASSWORD } });
}
