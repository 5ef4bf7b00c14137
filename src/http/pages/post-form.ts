import { html, type Html } from "./html.ts";

/** Hidden field that makes a form take effect once, however often it is submitted. */
export const FORM_ID = "form_id";

interface PostForm {
  action: string;
  /** What its buttons post to in place of `action`. */
  otherActions?: readonly string[];
  className?: string;
  attributes?: Html;
  /** Hidden fields that name the subject of the form. */
  about?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Form that is posted. A form that comes back to its person is rendered again with the values that they sent
 * (`withSentForm`), so values are written through `fields`. Passwords, codes and files are not, and come back empty.
 */
export function postForm(form: PostForm, content: Html | ((fields: FormValues) => Html)): Html {
  const { action, otherActions = [], about = {} } = form;
  const render = (sent?: URLSearchParams): Html => {
    const inside = "markup" in content ? content : content(formValues(sent));
    return html`<form
      method="post"
      action="${action}"
      ${form.className !== undefined && html` class="${form.className}"`}
      ${form.attributes}
      ${sent && html` id="kept"`}
    >
      ${Object.entries(about).map(([name, value]) =>
        [value].flat().map((one) => html`<input type="hidden" name="${name}" value="${one}" />`),
      )}
      ${inside}
    </form>`;
  };
  const { markup } = render();
  const paths = [action, ...otherActions].map((one) => one.replace(/\?.*/, ""));
  return { markup, spans: [{ start: 0, end: markup.length, form: { paths, about, fill: render } }] };
}

/** Element that is opened while a form inside comes back. */
export function details(opening: { summary: Html | string; attributes?: Html | false }, content: Html): Html {
  const { summary, attributes } = opening;
  const shown = html`<details ${attributes}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
  return { ...shown, spans: [{ start: 0, end: shown.markup.length }, ...(shown.spans ?? [])] };
}

/** Attributes and texts of a form's controls: what is stored, or what was sent where the form comes back. */
export interface FormValues {
  /** True where the form comes back. */
  isSent: boolean;
  /** Value of the next text control of this name. */
  text(name: string, stored?: string): string;
  /** True where the box or option with this value is chosen. */
  has(name: string, value: string, isStored: boolean): boolean;
  /** Name and value of an `input` element with text. */
  input(name: string, stored?: string): Html;
  /** Name, value and `checked` of a box. */
  box(name: string, value: string, isTicked: boolean): Html;
  /** Value and `selected` of an `option` element. */
  option(name: string, value: string, isChosen: boolean): Html;
  /** Text of a `textarea` element. */
  area(name: string, stored?: string): Html;
}

function formValues(sent: URLSearchParams | undefined): FormValues {
  const texts = new Map<string, string[]>();
  const pairs = new Set<string>();
  for (const [name, value] of sent ?? []) {
    const own = texts.get(name);
    if (own) own.push(value);
    else texts.set(name, [value]);
    pairs.add(`${name}=${value}`);
  }
  const text = (name: string, stored = "") => texts.get(name)?.shift() ?? stored;
  const has = (name: string, value: string, isStored: boolean) => (sent ? pairs.has(`${name}=${value}`) : isStored);
  return {
    isSent: sent !== undefined,
    text,
    has,
    input: (name, stored) => html`name="${name}" value="${text(name, stored)}"`,
    box: (name, value, isTicked) =>
      html`name="${name}" value="${value}" ${has(name, value, isTicked) && html` checked`}`,
    option: (name, value, isChosen) => html`value="${value}" ${has(name, value, isChosen) && html` selected`}`,
    // HTML drops the first line break of the text.
    area: (name, stored) => html`${"\n"}${text(name, stored)}`,
  };
}
