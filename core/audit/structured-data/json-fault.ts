const BLANKS = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Characters before it, such as line breaks, may not stand in strings. */
const FIRST_PRINTED = 0x20;

/** What a text may go on with. */
type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

/** The 0-based offset at which a text stops being JSON (RFC 8259); its length where it ends too early or has no fault. */
export function findJsonFault(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const isIn = (): Expected => (open.length === 0 ? "nothing" : "comma or end");
  for (;;) {
    at = skip(BLANKS, text, at);
    const character = text[at];
    if (character === undefined) return at;
    if (expected === "nothing") return at;
    if (expected === "colon") {
      if (character !== ":") return at;
      expected = "value";
      at++;
    } else if (character === "}" || character === "]") {
      const isEnd = expected === "comma or end" || expected === (character === "}" ? "key or end" : "value or end");
      if (!isEnd || open.pop() !== (character === "}" ? "{" : "[")) return at;
      expected = isIn();
      at++;
    } else if (expected === "comma or end") {
      if (character !== ",") return at;
      expected = open.at(-1) === "{" ? "key" : "value";
      at++;
    } else if (expected === "key" || expected === "key or end") {
      const end = character === '"' ? endOfString(text, at) : at;
      if (text[end] !== '"' || end === at) return end;
      expected = "colon";
      at = end + 1;
    } else if (character === "{" || character === "[") {
      open.push(character);
      expected = character === "{" ? "key or end" : "value or end";
      at++;
    } else {
      const end = character === '"' ? endOfString(text, at) : skip(SCALAR, text, at);
      if (character === '"' ? text[end] !== '"' : end === at) return end;
      expected = isIn();
      at = character === '"' ? end + 1 : end;
    }
  }
}

/** Where the string that begins at `from` has its closing quote, or what may not stand in a string. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    while (text.charCodeAt(at) >= FIRST_PRINTED && text[at] !== '"' && text[at] !== "\\") at++;
    if (text[at] !== "\\") return at;
    const end = skip(ESCAPE, text, at);
    if (end === at) return at;
    at = end;
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
