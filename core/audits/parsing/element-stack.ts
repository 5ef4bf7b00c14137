import {
  ENDS_PARAGRAPH,
  FORMATTING_ELEMENTS,
  HEADINGS,
  ALLOWED_PARENTS_BY_PART,
  INTEGRATION_POINTS,
  LEAVES_FOREIGN,
  SCOPE,
  SPECIAL,
  TABLE_FRAME,
  TABLE_PARTS,
  VOID_ELEMENTS,
} from "./tag-rules.ts";

export interface Tag {
  name: string;
  /** Offset of `<` in the HTML. */
  offset: number;
  /** Names in lower case, values decoded; the first of duplicates. */
  attributes: ReadonlyMap<string, string>;
}

export interface TagHandler {
  /** Callbacks run in this order when the element closes. */
  onTagOpen(tag: Tag): readonly CloseCallback[];
  text(text: string, at: number): void;
}

export type CloseCallback = (at: number) => void;

/** The limit of browsers; bounds the cost of unmatched end tags. */
const MAX_DEPTH = 512;
const NO_ELEMENTS: ReadonlySet<string> = new Set();
const BUTTON_SCOPE = new Set([...SCOPE, "button"]);
const LIST_SCOPE = new Set([...SCOPE, "ol", "ul"]);
const TABLE_SCOPE: ReadonlySet<string> = new Set(["table", "template"]);
const TEMPLATE_ONLY: ReadonlySet<string> = new Set(["template"]);
/** Elements that stop `<li>` from closing an open `<li>` (HTML standard, 13.2.6.4.7). */
const ITEM_SCOPE = new Set([...SPECIAL].filter((name) => !["address", "div", "p"].includes(name)));
const DESCRIPTION_ELEMENTS: ReadonlySet<string> = new Set(["dd", "dt"]);
const DOCUMENT_ELEMENTS: ReadonlySet<string> = new Set(["html", "head", "body"]);

/** Implies start and end tags. */
export function createElementStack(handler: TagHandler) {
  const stack: { name: string; closeCallbacks: readonly CloseCallback[] }[] = [];
  /** For a fast exit on unmatched end tags. */
  const counts = new Map<string, number>();
  /** Open svg and math elements, and open integration points for HTML within. */
  let [foreign, integration] = [0, 0];
  const isForeign = () => foreign > integration;

  function forget(name: string) {
    counts.set(name, (counts.get(name) ?? 1) - 1);
    if (name === "svg" || name === "math") foreign -= 1;
    else if (foreign > 0 && INTEGRATION_POINTS.has(name)) integration -= 1;
  }
  function pop(at: number) {
    const element = stack.pop();
    if (!element) return;
    forget(element.name);
    for (const close of element.closeCallbacks) close(at);
  }
  /** Index of the innermost of the names, -1 if there is none or a barrier is nearer. */
  function find(names: ReadonlySet<string>, barrier: ReadonlySet<string>): number {
    for (let index = stack.length - 1; index >= 0; index -= 1) {
      const { name } = stack[index] as (typeof stack)[number];
      if (names.has(name)) return index;
      if (barrier.has(name)) return -1;
    }
    return -1;
  }
  function findName(name: string, barrier: ReadonlySet<string>): number {
    if ((counts.get(name) ?? 0) === 0) return -1;
    for (let index = stack.length - 1; index >= 0; index -= 1) {
      const open = (stack[index] as (typeof stack)[number]).name;
      if (open === name) return index;
      if (barrier.has(open)) return -1;
    }
    return -1;
  }
  function closeTo(index: number, at: number) {
    if (index < 0) return;
    for (let left = stack.length - index; left > 0; left -= 1) pop(at);
  }
  function end(name: string, barrier: ReadonlySet<string>, at: number): boolean {
    const index = findName(name, barrier);
    closeTo(index, at);
    return index >= 0;
  }
  function push(tag: Tag) {
    if (stack.length >= MAX_DEPTH) pop(tag.offset);
    stack.push({ name: tag.name, closeCallbacks: handler.onTagOpen(tag) });
    counts.set(tag.name, (counts.get(tag.name) ?? 0) + 1);
    if (tag.name === "svg" || tag.name === "math") foreign += 1;
    else if (foreign > 0 && INTEGRATION_POINTS.has(tag.name)) integration += 1;
  }
  /** Keeps open descendants. */
  function endAlone(name: string, at: number) {
    const index = findName(name, SCOPE);
    if (index < 0) return;
    const [element] = stack.splice(index, 1);
    forget(name);
    for (const close of element?.closeCallbacks ?? []) close(at);
  }
  const top = () => stack.at(-1)?.name ?? "";

  /** Ends elements that cannot contain the part, opens an implied row; false without a table. */
  function enterTable({ name, offset }: Tag): boolean {
    if (find(TABLE_SCOPE, NO_ELEMENTS) < 0) return false;
    const holders = ALLOWED_PARENTS_BY_PART.get(name) ?? TABLE_SCOPE;
    while (!holders.has(top())) pop(offset);
    if ((name === "td" || name === "th") && top() !== "tr") push({ name: "tr", offset, attributes: new Map() });
    return true;
  }
  function makeRoom({ name, offset }: Tag) {
    if (ENDS_PARAGRAPH.has(name)) end("p", BUTTON_SCOPE, offset);
    if (HEADINGS.has(name) && HEADINGS.has(top())) pop(offset);
    else if (name === "li") end("li", ITEM_SCOPE, offset);
    else if (name === "dd" || name === "dt") closeTo(find(DESCRIPTION_ELEMENTS, ITEM_SCOPE), offset);
    else if (name === "a") endAlone("a", offset);
    else if (name === "button") end("button", SCOPE, offset);
    else if ((name === "option" || name === "optgroup") && top() === "option") pop(offset);
    else if (name === "table" && TABLE_FRAME.has(top())) end("table", TEMPLATE_ONLY, offset);
  }

  return {
    isForeign,
    open(tag: Tag, isSelfClosing: boolean) {
      const { name, offset } = tag;
      if (isForeign()) {
        if (LEAVES_FOREIGN.has(name)) while (isForeign()) pop(offset);
        else {
          push(tag);
          if (isSelfClosing) pop(offset);
          return;
        }
      }
      if (TABLE_PARTS.has(name) && !enterTable(tag)) return;
      if (name === "form" && (counts.get("form") ?? 0) > 0) return;
      makeRoom(tag);
      if (VOID_ELEMENTS.has(name) || DOCUMENT_ELEMENTS.has(name))
        for (const close of handler.onTagOpen(tag)) close(offset);
      else {
        push(tag);
        if (isSelfClosing && (name === "svg" || name === "math")) pop(offset);
      }
    },
    close(name: string, offset: number) {
      if (DOCUMENT_ELEMENTS.has(name)) return;
      if (name === "br" || (name === "p" && !end("p", BUTTON_SCOPE, offset))) {
        for (const close of handler.onTagOpen({ name, offset, attributes: new Map() })) close(offset);
      } else if (FORMATTING_ELEMENTS.has(name)) endAlone(name, offset);
      else if (HEADINGS.has(name)) closeTo(find(HEADINGS, SCOPE), offset);
      else if (name === "li") end(name, LIST_SCOPE, offset);
      else if (name === "template") end(name, NO_ELEMENTS, offset);
      else if (name === "table") end(name, TEMPLATE_ONLY, offset);
      else if (TABLE_PARTS.has(name)) end(name, TABLE_SCOPE, offset);
      else if (name !== "p") end(name, SPECIAL.has(name) || isForeign() ? SCOPE : SPECIAL, offset);
    },
    closeAll: (at: number) => closeTo(0, at),
  };
}
