/** Markup that is safe to send: its parts were escaped when it was created. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Markup from a template. Every inserted text is escaped, for both elements and quoted attributes. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: texts.map((text, at) => text + rendered(parts[at])).join("") };
}

function rendered(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "markup" in part ? part.markup : part.map(rendered).join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
