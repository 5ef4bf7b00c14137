import { serializeDigests, DIGESTS_FIELD, type StoredValues } from "./stale-form.ts";
import { html, type Html } from "./html.ts";

/** Hidden field that makes a form take effect once, however often it is submitted. */
export const FORM_ID_FIELD = "form_id";

export interface Fault {
  field: string;
  message: string;
}

interface PostForm {
  action: string;
  /** Addresses of buttons that post elsewhere. */
  otherActions?: readonly string[];
  className?: string;
  attributes?: Html;
  hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** Stored values that the form replaces; their digests detect concurrent changes. */
  shown?: StoredValues;
  /** Values of the fields, by default those in `shown`. */
  values?: StoredValues | ((name: string) => string);
  faults?: readonly Fault[];
}

/** A returned form shows the submitted values again, except passwords, codes and files. */
export function postForm(form: PostForm, content: Html | ((fields: FormFields) => Html)): Html {
  const { action, otherActions = [], className, hidden = {}, shown } = form;
  const render = (sent?: URLSearchParams): Html => {
    const fields = createFormFields(form, sent);
    const attributes = html`action="${action}"${className !== undefined && html` class="${className}"`}${form.attributes && html` ${form.attributes}`}${sent && html` id="kept"`}`;
    return html`<form method="post" ${attributes}>
      ${Object.entries(hidden).map(([name, value]) =>
        [value].flat().map((one) => html`<input type="hidden" name="${name}" value="${one}" />`),
      )}
      ${shown && html`<input type="hidden" ${fields.input(DIGESTS_FIELD, serializeDigests(shown))} />`}
      ${"markup" in content ? content : content(fields)}
    </form>`;
  };
  const { markup } = render();
  const paths = [action, ...otherActions].map((one) => one.replace(/\?.*/, ""));
  return { markup, spans: [{ start: 0, end: markup.length, form: { paths, hidden, renderFilled: render } }] };
}

/** `details` element that is open while it contains a returned form. */
export function details(opening: { summary: Html | string; attributes?: Html | false }, content: Html): Html {
  const { summary, attributes } = opening;
  const shown = html`<details ${attributes}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
  return { ...shown, spans: [{ start: 0, end: shown.markup.length }, ...(shown.spans ?? [])] };
}

/** Stored values, or the submitted values of a returned form. */
export interface FormFields {
  /** True for a returned form. */
  isSent: boolean;
  stored(name: string): string;
  /** Name and value of an `input` element with text. */
  input(name: string, value?: string): Html;
  /** Name, value and `checked` of a box. */
  checkbox(name: string, value: string, isTicked?: boolean): Html;
  /** Value and `selected` of an `option` element. */
  option(name: string, value: string, isChosen?: boolean): Html;
  /** Text of a `textarea` element. */
  textarea(name: string, value?: string): Html;
  faultOf(name: string): string | undefined;
}

function createFormFields(
  { shown = {}, values = shown, faults }: PostForm,
  sent: URLSearchParams | undefined,
): FormFields {
  const stored = (name: string) => (typeof values === "function" ? values(name) : (values[name] ?? ""));
  const texts = new Map<string, string[]>();
  const pairs = new Set<string>();
  for (const [name, value] of sent ?? []) {
    const own = texts.get(name);
    if (own) own.push(value);
    else texts.set(name, [value]);
    pairs.add(`${name}=${value}`);
  }
  const text = (name: string, value = stored(name)) => texts.get(name)?.shift() ?? value;
  const has = (name: string, value: string, isStored = stored(name) === value) =>
    sent ? pairs.has(`${name}=${value}`) : isStored;
  return {
    isSent: sent !== undefined,
    stored,
    input: (name, value) => html`name="${name}" value="${text(name, value)}"`,
    checkbox: (name, value, isTicked) =>
      html`name="${name}" value="${value}"${has(name, value, isTicked) && html` checked`}`,
    option: (name, value, isChosen) => html`value="${value}"${has(name, value, isChosen) && html` selected`}`,
    // Adds a line break, because HTML drops the first one of the text.
    textarea: (name, value) => html`${"\n"}${text(name, value)}`,
    faultOf: (name) => faults?.find(({ field }) => field === name)?.message,
  };
}
