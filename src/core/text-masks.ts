/** A stretch of a text that is not read, end exclusive. */
export interface Mask {
  start: number;
  end: number;
}

/** Stretches of a folded text that hold link addresses or echo the prompt, ascending and apart. */
export function maskedStretches(cased: string, lower: string, promptLower: string): Mask[] {
  const masks = [...linkTargets(cased), ...bareAddresses(cased), ...mailAddresses(cased)];
  masks.push(...promptEchoes(lower, promptLower));
  return joined(masks);
}

/** Every address that the text links to, as written. */
export function linkedAddresses(text: string): string[] {
  return joined([...linkTargets(text), ...bareAddresses(text)]).map(({ start, end }) =>
    text.slice(start, end).replace(/^[(<\s]+|[)>\s].*$/g, ""),
  );
}

/** The target of a Markdown link; its visible label is text and stays. */
function linkTargets(text: string): Mask[] {
  const masks: Mask[] = [];
  for (let at = text.indexOf("]("); at !== -1; at = text.indexOf("](", at + 2)) {
    let depth = 0;
    let end = at + 1;
    for (; end < text.length && text[end] !== "\n"; end += 1) {
      if (text[end] === "(") depth += 1;
      if (text[end] === ")") depth -= 1;
      if (depth === 0) break;
    }
    masks.push({ start: at + 1, end: Math.min(end + 1, text.length) });
  }
  return masks;
}

function bareAddresses(text: string): Mask[] {
  const masks: Mask[] = [];
  for (const marker of ["://", "www."]) {
    for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + marker.length)) {
      let start = at;
      if (marker === "://") while (start > 0 && /[a-z]/i.test(text.charAt(start - 1)) && at - start < 8) start -= 1;
      masks.push({ start, end: addressEnd(text, at) });
    }
  }
  return masks;
}

/** An address ends at a space, quote, bracket or bar; a closing parenthesis belongs to it only if it was opened in it. */
function addressEnd(text: string, from: number): number {
  let open = 0;
  for (let i = from; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === "(") open += 1;
    if (character === ")" && (open -= 1) < 0) return i;
    if (/[\s<>"'`|\]}\u3002\uFF0C]/.test(character)) return i;
  }
  return text.length;
}

function mailAddresses(text: string): Mask[] {
  const masks: Mask[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at;
    let end = at + 1;
    while (start > 0 && /[\w.+-]/.test(text.charAt(start - 1))) start -= 1;
    while (end < text.length && /[\w.-]/.test(text.charAt(end))) end += 1;
    if (start < at && text.slice(at + 1, end).includes(".")) masks.push({ start, end });
  }
  return masks;
}

/**
 * A prompt of six words or more is an echo wherever it stands. A shorter one may be a plain name that the answer has
 * every right to use, so it is an echo only when it is the whole first line.
 */
function promptEchoes(lower: string, promptLower: string): Mask[] {
  const prompt = promptLower.trim().replace(/[\s?!.]+$/, "");
  if (prompt === "") return [];
  const masks: Mask[] = [];
  if (prompt.split(/\s+/).length >= 6) {
    for (let at = lower.indexOf(prompt); at !== -1; at = lower.indexOf(prompt, at + prompt.length)) {
      masks.push({ start: at, end: at + prompt.length });
    }
    return masks;
  }
  const start = lower.search(/\S/);
  const lineEnd = lower.indexOf("\n", start);
  if (start === -1 || lineEnd === -1) return masks;
  const line = lower.slice(start, lineEnd).replace(/^[#>*"“„\s]+|[*"”?!.\s]+$/g, "");
  return line === prompt ? [{ start, end: lineEnd }] : masks;
}

function joined(masks: Mask[]): Mask[] {
  const result: Mask[] = [];
  for (const mask of masks.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && mask.start <= last.end) last.end = Math.max(last.end, mask.end);
    else result.push({ ...mask });
  }
  return result;
}

const SITE =
  /^(?:[A-Za-z0-9-]+\.)+(?:com|net|org|io|co|ai|app|dev|shop|store|tech|info|biz|tv|me|eu|us|uk|de|fr|es|it|nl|be|ch|at|ca|au|jp|cn|kr|in|br|mx|pl|se|no|dk|fi|pt)$/;

/** True for a stretch inside a bare site name such as "shop.example.com", which is an address without its scheme. */
export function insideSiteName(cased: string, start: number, end: number): boolean {
  let from = start;
  let to = end;
  while (from > 0 && /[\w.-]/.test(cased.charAt(from - 1))) from -= 1;
  while (to < cased.length && /[\w.-]/.test(cased.charAt(to))) to += 1;
  const token = cased.slice(from, to).replace(/^[.-]+|[.-]+$/g, "");
  return token.includes(".") && SITE.test(token);
}
