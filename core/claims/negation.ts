/** Denies what follows it, in five languages. */
const DENIED_BEFORE =
  /\b(?:no|not|without|lacks?|lacking|missing|isn['’]t|aren['’]t|doesn['’]t|don['’]t|cannot|can['’]t|won['’]t|never|non|minus|skips?|omits?|kein\p{L}*|nicht|ohne|fehlt|pas|sans|aucune?|no tiene|sin|ningun\p{L}*|ningún)(?![\p{L}])[^,;.:—()]{0,28}$|\bnon-$/iu;
const NOT_ONLY =
  /\bnot (?:only|just|merely)\b|\bno (?:doubt|wonder|longer just)\b|\bnicht nur\b|\bno sólo\b|\bno solo\b/giu;
/** Denies what stands before it. */
const DENIED_AFTER =
  /^(?:[- ]free\b|less\b|[^,;.:—]{0,14}\b(?:(?:is|are) (?:missing|absent|not)|not (?:included|supported|available|possible|compatible)|isn['’]t|aren['’]t|fehlt|fehlen)|.{0,6}(?:なし|無し|ありません|ない|非対応|未対応|できません))/iu;

/** Whether a text denies what stands in it from `start` to `end`. */
export function isDenied(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 60), start).replaceAll(NOT_ONLY, "");
  return DENIED_BEFORE.test(before) || DENIED_AFTER.test(text.slice(end, end + 40));
}
