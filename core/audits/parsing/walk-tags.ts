import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { createElementStack, type TagHandler } from "./element-stack.ts";
import { VOID_ELEMENTS } from "./tag-rules.ts";

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * Includes the tags implied by the HTML standard. Elements deeper than 512 levels become
 * siblings, as in browsers. Content of noscript is skipped.
 */
export function walkTags(html: string, handler: TagHandler): void {
  const elements = createElementStack(handler);
  let name = "";
  let at = 0;
  let attributes: Map<string, string> | null = null;
  let [attribute, value] = ["", ""];
  let isInNoscript = false;

  const opened = (isSelfClosing: boolean) => {
    if (isInNoscript) return;
    if (name === "noscript") isInNoscript = true;
    else elements.open({ name, offset: at, attributes: attributes ?? NO_ATTRIBUTES }, isSelfClosing);
  };
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      name = html.slice(start, end).toLowerCase();
      at = start - 1;
      attributes = null;
    },
    onattribname(start, end) {
      attribute = html.slice(start, end);
      value = "";
    },
    onattribdata(start, end) {
      value += html.slice(start, end);
    },
    onattribentity(point) {
      value += String.fromCodePoint(point);
    },
    onattribend() {
      const key = attribute.toLowerCase();
      attributes ??= new Map();
      if (!attributes.has(key)) attributes.set(key, value);
    },
    onopentagend: () => opened(false),
    onselfclosingtag: () => opened(true),
    onclosetag(start, end) {
      const ended = html.slice(start, end).toLowerCase();
      if (isInNoscript) isInNoscript = ended !== "noscript";
      else if (!VOID_ELEMENTS.has(ended) || ended === "br") elements.close(ended, start - 2);
    },
    ontext(start, end) {
      if (!isInNoscript) handler.text(html.slice(start, end), start);
    },
    ontextentity(point, end) {
      if (!isInNoscript) handler.text(String.fromCodePoint(point), end - 1);
    },
    oncdata(start, end, offset) {
      if (elements.isForeign()) handler.text(html.slice(start, end - offset), start);
    },
    isInForeignContext: () => elements.isForeign(),
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend: () => elements.closeAll(html.length),
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
}
