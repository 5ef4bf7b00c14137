import { name, text } from "../../core/fields.ts";
import type { ImportLine, ParsedLines, RejectedLine } from "../../core/reading/import-line.ts";

const Keyword = text(2000);
const Group = name(200);

/**
 * What of the lines of one request can become one collect of this analysis. A line is refused that repeats the
 * question of one before it, belongs to another collect, or names its keyword or groups with invisible characters.
 */
export function acceptLines(
  { lines, rejected }: ParsedLines<ImportLine>,
  room: { known: ReadonlyMap<string, string>; mostQuestions: number },
): ParsedLines<ImportLine> {
  const accepted: ParsedLines<ImportLine>["lines"] = [];
  const refused: RejectedLine[] = [...rejected];
  const questions = new Map<string, number>();
  const keywords = new Set(room.known.keys());
  const [first] = lines;
  for (const { line, value } of lines) {
    const question = JSON.stringify([value.keyword, value.source, value.run]);
    const message = fault(value, {
      repeats: questions.get(question),
      otherCollect: value.collect !== first?.value.collect,
      full: !keywords.has(value.keyword) && keywords.size >= room.mostQuestions,
    });
    if (message === undefined) {
      questions.set(question, line);
      keywords.add(value.keyword);
      accepted.push({ line, value });
    } else refused.push({ line, message });
  }
  return { lines: accepted, rejected: refused.toSorted((a, b) => a.line - b.line) };
}

function fault(
  { keyword, thematic, topic }: ImportLine,
  found: { repeats: number | undefined; otherCollect: boolean; full: boolean },
): string | undefined {
  if (!Keyword.safeParse(keyword).success) return "keyword: must not contain control or bidirectional characters";
  for (const [path, value] of Object.entries({ thematic, topic })) {
    if (value !== undefined && !Group.safeParse(value).success)
      return `${path}: must be one line without control or bidirectional characters`;
  }
  if (found.otherCollect) return "collect: differs from the first line's; one request makes one collect";
  if (found.repeats !== undefined) return `has the keyword, source and run of line ${found.repeats}`;
  return found.full ? "keyword: the analysis has as many keywords as it can have" : undefined;
}
