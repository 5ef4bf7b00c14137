/** Markup whose inserted texts are already escaped. */
export interface Html {
  readonly markup: string;
  /** Forms in the markup, and elements that are opened with them. */
  readonly spans?: readonly Span[];
}

/** Part of a markup, by offset: a form, or a `details` element. */
export interface Span {
  start: number;
  end: number;
  form?: FormSpan;
}

export interface FormSpan {
  /** Paths that the form and its buttons post to. */
  paths: readonly string[];
  /** Hidden fields that name the subject of the form. */
  hidden: Readonly<Record<string, string | readonly string[]>>;
  renderFilled(sent: URLSearchParams): Html;
}

type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** Escapes every inserted text for elements and quoted attributes. */
export function html(texts: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  let markup = "";
  const spans: Span[] = [];
  const add = (part: HtmlPart): void => {
    if (part === undefined || part === null || part === false) return;
    if (typeof part === "string" || typeof part === "number") {
      markup += escapeHtml(String(part));
    } else if ("markup" in part) {
      const offset = markup.length;
      for (const span of part.spans ?? []) {
        spans.push({ ...span, start: span.start + offset, end: span.end + offset });
      }
      markup += part.markup;
    } else part.forEach(add);
  };
  for (const [at, text] of texts.entries()) {
    markup += text;
    add(parts[at]);
  }
  return spans.length === 0 ? { markup } : { markup, spans };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
