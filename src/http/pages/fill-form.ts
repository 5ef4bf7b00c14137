import { Parser } from "htmlparser2";
import { FORM_ID } from "./post-form.ts";
import { html, type Html } from "./html.ts";

interface SentForm {
  action: string;
  fields: URLSearchParams;
}

/** Hidden fields that say what the page showed when it was opened begin so; any other says what the form is about. */
const SHOWN_BEFORE = "was_";

interface Piece {
  name: string;
  attributes: Record<string, string>;
  /** Of the opening tag. */
  start: number;
  end: number;
  /** The field that an option belongs to, and what it says. */
  select?: string;
  text?: string;
  /** Where the text inside ends. */
  innerEnd?: number;
}
interface FoundForm {
  tag: Piece;
  /** Where it posts to, by each of its buttons. */
  actions: (string | undefined)[];
  pieces: Piece[];
  /** What has to be opened for the form to be seen. */
  around: Piece[];
}

/**
 * A page with a form filled in as it was sent, so that no field is lost. Passwords stay empty. Undefined where the page has no
 * such form.
 */
export function fillForm(page: Html, sent: SentForm): { page: Html; asksForSecret: boolean } | undefined {
  const values = valuesOf(sent.fields);
  const form = theForm(formsIn(page.markup), sent.action, values);
  if (!form) return undefined;
  const changes = form.pieces.flatMap((piece) => changeOf(piece, values));
  changes.push(rewritten({ ...form.tag, attributes: { ...form.tag.attributes, id: "kept" } }));
  for (const piece of form.around) changes.push(rewritten({ ...piece, attributes: { ...piece.attributes, open: "" } }));
  return { page: { markup: changed(page.markup, changes) }, asksForSecret: form.pieces.some(isSecret) };
}

/** The markup with these changes, of which none overlaps another. */
function changed(markup: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
    parts.push(markup.slice(copied, start), text);
    copied = end;
  }
  return parts.join("") + markup.slice(copied);
}

/** All forms of a page, with the places of their fields. */
function formsIn(markup: string): FoundForm[] {
  const forms: FoundForm[] = [];
  const around: Piece[] = [];
  let form: FoundForm | undefined;
  let select: string | undefined;
  let text: Piece | undefined;
  let option: Piece | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const piece: Piece = { name, attributes, start: parser.startIndex, end: parser.endIndex + 1 };
      option = undefined;
      if (name === "details") around.push(piece);
      if (name === "form")
        forms.push((form = { tag: piece, actions: [attributes["action"]], pieces: [], around: [...around] }));
      else if (name === "select") select = attributes["name"];
      else if (name === "option" && select !== undefined) form?.pieces.push((option = { ...piece, select, text: "" }));
      else if (name === "input") form?.pieces.push(piece);
      else if (name === "button") form?.actions.push(attributes["formaction"]);
      else if (name === "textarea") form?.pieces.push((text = piece));
    },
    ontext(words) {
      if (option) option.text += words;
    },
    onclosetag(name) {
      option = undefined;
      if (name === "details") around.pop();
      if (name === "form") form = undefined;
      if (name === "select") select = undefined;
      if (name === "textarea" && text) text.innerEnd = parser.startIndex;
    },
  });
  parser.end(markup);
  return forms;
}

/** The form that was sent: it posts to the same place, and is about the same thing. */
function theForm(forms: readonly FoundForm[], action: string, values: Values): FoundForm | undefined {
  const same = ({ attributes }: Piece) => values.get(attributes["name"] ?? "")?.all[0] === attributes["value"];
  return forms
    .filter(({ actions }) => actions.some((one) => pathOf(one) === action))
    .map((form) => ({ form, about: form.pieces.filter(isAbout) }))
    .filter(({ about }) => about.every(same))
    .toSorted((a, b) => b.about.length - a.about.length)[0]?.form;
}

function pathOf(action: string | undefined): string | undefined {
  return action?.replace(/\?.*/, "");
}

function isAbout({ attributes }: Piece): boolean {
  const name = attributes["name"] ?? "";
  return attributes["type"] === "hidden" && name !== FORM_ID && !name.startsWith(SHOWN_BEFORE);
}

function isSecret({ attributes }: Piece): boolean {
  return attributes["type"] === "password" || attributes["autocomplete"] === "one-time-code";
}

/** The values of one field name. */
interface FieldValues {
  all: string[];
  /** For boxes and options: a page can have thousands of them. */
  distinct: Set<string>;
  /** How many text fields of this name were filled in. */
  used: number;
}
type Values = ReadonlyMap<string, FieldValues>;

function valuesOf(fields: URLSearchParams): Values {
  const values = new Map<string, FieldValues>();
  for (const [name, value] of fields) {
    const own = values.get(name) ?? { all: [], distinct: new Set(), used: 0 };
    values.set(name, own);
    own.all.push(value);
    own.distinct.add(value);
  }
  return values;
}

interface Change {
  start: number;
  end: number;
  text: string;
}

function changeOf(piece: Piece, values: Values): Change[] {
  const { name, attributes } = piece;
  const field = piece.select ?? attributes["name"] ?? "";
  const sent = values.get(field);
  // No page can fill in which file a person chose; what was in it is in the field that it stands for.
  const isFile = attributes["type"] === "file";
  if (isSecret(piece) || isAbout(piece) || isFile || field === FORM_ID) return [];
  const ticked = name === "option" ? "selected" : "checked";
  if (name === "option" || attributes["type"] === "checkbox" || attributes["type"] === "radio") {
    const { [ticked]: _now, ...rest } = attributes;
    // An option without a value has what it says.
    const isTicked = sent?.distinct.has(attributes["value"] ?? piece.text?.trim() ?? "on") === true;
    return [rewritten({ ...piece, attributes: isTicked ? { ...rest, [ticked]: "" } : rest })];
  }
  const value = sent?.all[sent.used++];
  if (value === undefined) return [];
  if (name === "textarea")
    return [{ start: piece.end, end: piece.innerEnd ?? piece.end, text: html`${"\n"}${value}`.markup }];
  return [rewritten({ ...piece, attributes: { ...attributes, value } })];
}

/** An opening tag with these attributes in the place of the old one. */
function rewritten({ name, attributes, start, end }: Piece): Change {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${html`${value}`.markup}"`);
  return { start, end, text: `<${name}${given.join("")}>` };
}
