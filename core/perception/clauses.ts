import type { Span } from "../reading/capture.ts";

/** What parts clauses: marks, words of contrast, and "and" or commas, which only part things with a judgement each. */
const PARTS =
  /[;:]\s+|\s[—–-]{1,2}\s|—|,\s+|\s?[([](?=(?:though|but|although|however|not|only|at the (?:cost|expense))\b)|[\])]|\s(?=(?:but|though|although|while|whereas|yet|however|despite|even if|because|since|which|citing|thanks to|due to|unless|at the (?:cost|expense) of)\b)|\s(?=(?:and|plus|with)\s)|。|、/giu;

export interface Clause extends Span {
  /** How it is joined to the one before: a comma or "and" may only go on with an enumeration. */
  isWeak: boolean;
  /** It is joined by "and", not by a comma. */
  isAnd: boolean;
  /** It is joined by "with". */
  isWith: boolean;
  /** It begins with a word of contrast. */
  isContrast: boolean;
  /** A colon follows: it only announces. */
  isIntro: boolean;
}

const CONTRAST = /^(?:but|though|although|while|whereas|yet|however|despite|even if|unless|at the (?:cost|expense))\b/i;
const LEADING =
  /^[\s,;:.*_“”"'’‘)\]•✅❌+&-]*(?:(?:and|but|or|plus|also|though|although|while|whereas|yet|however|because|since|which|with|as well as|citing|thanks to|due to|(?:it|they|this)(?:['’]s| is| are| also)? (?:has|have|offers?|gives?|features?|delivers?)(?: you)?)\b[\s,]*){0,3}/i;

/** The clauses of a sentence or cell. Brackets stay with what they explain, unless they object. */
export function clausesIn(text: string, { start, end }: Span): Clause[] {
  const clauses: Clause[] = [];
  const sentence = text.slice(start, end);
  let from = 0;
  let isWeak = false;
  let isAnd = false;
  let isWith = false;
  const close = (to: number, isIntro: boolean): void => {
    const clause = trimmed(sentence, from, to);
    if (clause) {
      const isContrast = CONTRAST.test(sentence.slice(from, to).trimStart());
      clauses.push({
        start: start + clause.start,
        end: start + clause.end,
        isWeak,
        isAnd,
        isWith,
        isContrast,
        isIntro,
      });
    }
  };
  for (const part of sentence.matchAll(PARTS)) {
    if (isInBrackets(sentence, from, part.index)) continue;
    close(part.index, part[0].startsWith(":"));
    from = part.index + part[0].length;
    isWith = /^with\s/i.test(sentence.slice(from, from + 5));
    isAnd = /^(?:and|plus)\s/i.test(sentence.slice(from, from + 5));
    isWeak = part[0].startsWith(",") || /^\s?$/.test(part[0]) ? !CONTRAST.test(sentence.slice(from, from + 12)) : false;
  }
  close(sentence.length, false);
  return clauses;
}

const LONGEST_BRACKET = 200;

/** True inside of a bracket that opened since `from`. */
function isInBrackets(sentence: string, from: number, at: number): boolean {
  const open = sentence.slice(Math.max(from, at - LONGEST_BRACKET), at).lastIndexOf("(");
  if (open === -1) return false;
  const close = sentence.slice(at, at + LONGEST_BRACKET).indexOf(")");
  return close !== -1;
}

function trimmed(sentence: string, from: number, to: number): Span | undefined {
  const raw = sentence.slice(from, to);
  const lead = LEADING.exec(raw)?.[0].length ?? 0;
  const end = to - (raw.length - raw.replace(/[\s,;:.!?*_“"]{1,20}$/u, "").length);
  return end - (from + lead) >= 2 ? { start: from + lead, end } : undefined;
}
