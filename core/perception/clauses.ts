import type { Span } from "../reading/capture.ts";

/** Marks, contrast words, and commas or "and", which only separate judgements. */
const CLAUSE_SEPARATOR_PATTERN =
  /[;:]\s+|\s[—–-]{1,2}\s|—|,\s+|\s?[([](?=(?:though|but|although|however|not|only|at the (?:cost|expense))\b)|[\])]|\s(?=(?:but|though|although|while|whereas|yet|however|despite|even if|because|since|which|citing|thanks to|due to|unless|at the (?:cost|expense) of)\b)|\s(?=(?:and|plus|with)\s)|。|、/giu;

export interface Clause extends Span {
  /** Joined to the clause before by a comma or "and", so possibly part of an enumeration. */
  isWeak: boolean;
  /** Joined to the clause before by "and". */
  isAnd: boolean;
  /** Joined to the clause before by "with". */
  isWithClause: boolean;
  /** Starts with a contrast word such as "but". */
  isContrast: boolean;
  /** Ends with a colon, and so only announces. */
  isIntro: boolean;
}

const CONTRAST_PATTERN =
  /^(?:but|though|although|while|whereas|yet|however|despite|even if|unless|at the (?:cost|expense))\b/i;
const LEADING_WORDS_PATTERN =
  /^[\s,;:.*_“”"'’‘)\]•✅❌+&-]*(?:(?:and|but|or|plus|also|though|although|while|whereas|yet|however|because|since|which|with|as well as|citing|thanks to|due to|(?:it|they|this)(?:['’]s| is| are| also)? (?:has|have|offers?|gives?|features?|delivers?)(?: you)?)\b[\s,]*){0,3}/i;

/** Clauses of a sentence or cell. Brackets stay with the words before, unless they object. */
export function splitClauses(text: string, { start, end }: Span): Clause[] {
  const clauses: Clause[] = [];
  const sentence = text.slice(start, end);
  let from = 0;
  let isWeak = false;
  let isAnd = false;
  let isWithClause = false;
  const close = (to: number, isIntro: boolean): void => {
    const clause = trimClause(sentence, from, to);
    if (clause) {
      const isContrast = CONTRAST_PATTERN.test(sentence.slice(from, to).trimStart());
      clauses.push({
        start: start + clause.start,
        end: start + clause.end,
        isWeak,
        isAnd,
        isWithClause,
        isContrast,
        isIntro,
      });
    }
  };
  for (const part of sentence.matchAll(CLAUSE_SEPARATOR_PATTERN)) {
    if (isInBrackets(sentence, from, part.index)) continue;
    close(part.index, part[0].startsWith(":"));
    from = part.index + part[0].length;
    isWithClause = /^with\s/i.test(sentence.slice(from, from + 5));
    isAnd = /^(?:and|plus)\s/i.test(sentence.slice(from, from + 5));
    isWeak =
      part[0].startsWith(",") || /^\s?$/.test(part[0])
        ? !CONTRAST_PATTERN.test(sentence.slice(from, from + 12))
        : false;
  }
  close(sentence.length, false);
  return clauses;
}

const MAX_BRACKET_LENGTH = 200;

/** True inside a bracket opened since `from`. */
function isInBrackets(sentence: string, from: number, at: number): boolean {
  const open = sentence.slice(Math.max(from, at - MAX_BRACKET_LENGTH), at).lastIndexOf("(");
  return open !== -1 && sentence.slice(at, at + MAX_BRACKET_LENGTH).includes(")");
}

function trimClause(sentence: string, from: number, to: number): Span | undefined {
  const raw = sentence.slice(from, to);
  const lead = LEADING_WORDS_PATTERN.exec(raw)?.[0].length ?? 0;
  const end = to - (raw.length - raw.replace(/[\s,;:.!?*_“"]{1,20}$/u, "").length);
  return end - (from + lead) >= 2 ? { start: from + lead, end } : undefined;
}
