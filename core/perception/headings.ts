/** Polarity of the text below a heading, label or column head. */
export type HeadingPolarity = "pro" | "con";

const PHRASE_CHARACTER = String.raw`[\p{L}\p{N} '’\-/&]`;

const PRO_WORDS_PATTERN = new RegExp(
  [
    String.raw`\b(?:pros?|strengths?|advantages?|benefits?|upsides?|positives?|highlights?|what (?:we|i|people|users|reviewers) (?:like|love)d?|what stands out|standout features?|key advantages?|likes|the good)\b`,
    String.raw`\bwhy (?:it|they|we|i|you|choose|consider|pick|buy)\b(?! matters?)(?!${PHRASE_CHARACTER}{0,20}\bnot\b)|^why$|\bwhy it['’]s\b`,
    String.raw`\b(?:vorteile?|stärken|pluspunkte|das spricht dafür|was dafür spricht|was überzeugt|was gefällt|positives?|warum)\b`,
    String.raw`\b(?:avantages?|points? forts?|atouts?|les plus|qualités|forces|pourquoi)\b`,
    String.raw`(?<!\p{L})(?:ventajas?|puntos? fuertes?|puntos? a favor|fortalezas|a favor|lo mejor|lo bueno|por qué)(?!\p{L})`,
    String.raw`メリット|長所|強み|良い点|良いところ|おすすめ(?:の)?(?:理由|ポイント)|優れ(?:た|ている)点|魅力`,
  ].join("|"),
  "u",
);
const CON_WORDS_PATTERN = new RegExp(
  [
    String.raw`\b(?:cons?|weakness(?:es)?|disadvantages?|downsides?|drawbacks?|negatives?|caveats?|trade[-‑ ]?offs?|limitations?|considerations?|dislikes|shortcomings|the bad|compromises?|watch[-‑ ]?outs?)\b`,
    String.raw`\b(?:things?|what|points?) to (?:watch|consider|check|know|note|keep in mind|be aware)|\bwhat (?:we|i|people|users|reviewers) (?:dislike|hate|don['’]t like)|\bwhy not\b|\bwhere it (?:falls|lags|may fall|might fall)`,
    String.raw`\b(?:nachteile?|schwächen?|minuspunkte|das spricht dagegen|was dagegen spricht|einschränkungen?|worauf (?:du|sie|man) achten|kritikpunkte|was stört|zu beachten|kompromisse)\b`,
    String.raw`(?<!\p{L})(?:inconvénients?|points? faibles?|désavantages?|faiblesses?|limites?|les moins|points? (?:à surveiller|de vigilance)|à surveiller|défauts?|bémols?)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:desventajas?|inconvenientes?|puntos? débiles?|puntos? en contra|debilidades|en contra|limitaciones|a tener en cuenta|lo peor|lo malo|contras?)(?!\p{L})`,
    String.raw`デメリット|短所|弱み|弱点|欠点|注意(?:点|すべき)|気になる点|悪い点|課題`,
  ].join("|"),
  "u",
);

const MAX_HEADING_LENGTH = 80;

/** Polarity of a heading: "Pros", "Things to watch"; null if it has none or both. */
export function headingPolarity(words: string): HeadingPolarity | null {
  if (words.length > MAX_HEADING_LENGTH) return null;
  const lower = words.toLowerCase();
  const con = CON_WORDS_PATTERN.test(lower);
  // Removes "デメリット" (con) first, because it contains "メリット" (pro).
  const pro = PRO_WORDS_PATTERN.test(con ? lower.replaceAll("デメリット", "") : lower);
  if (pro === con || /\b(?:best|ideal|good) for\b/.test(lower)) return null;
  return pro ? "pro" : "con";
}

/** Polarity of a sign before a point, such as ✅ or ❌, + or −. */
export function signPolarity(before: string): HeadingPolarity | null {
  if (/^\s*(?:[-*•]\s+)?(?:✅|✔️?|👍|➕|\+\s)/u.test(before)) return "pro";
  return /^\s*(?:[-*•]\s+)?(?:❌|✖️?|👎|➖|⚠️?|−\s)/u.test(before) ? "con" : null;
}
