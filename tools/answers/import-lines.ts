import { nameSchema, textSchema } from "../../core/shared/fields.ts";
import type { ImportLine, RejectedLine } from "../../core/reading/import-line.ts";

const KeywordField = textSchema(2000);
const GroupNameField = nameSchema(200);

export interface ReadLine {
  number: number;
  raw: string;
  value: ImportLine;
}

export interface ImportState {
  known: ReadonlyMap<string, string>;
  maxQuestions: number;
  collectName: string | null;
  stored: ReadonlySet<number>;
}

export function acceptLines(
  lines: readonly ReadLine[],
  room: ImportState,
): { acceptedLines: ReadLine[]; rejectedLines: RejectedLine[] } {
  const acceptedLines: ReadLine[] = [];
  const rejectedLines: RejectedLine[] = [];
  const questions = new Set<string>();
  const added = new Set<string>();
  for (const line of lines) {
    const { keyword, source, run, collect = "" } = line.value;
    const question = JSON.stringify([keyword, source, run]);
    const isNew = !room.known.has(keyword) && !added.has(keyword);
    const message = findRejectionReason(line.value, {
      isRepeated: room.stored.has(line.number) || questions.has(question),
      isOtherCollect: collect !== room.collectName,
      isFull: isNew && room.known.size + added.size >= room.maxQuestions,
    });
    if (message === undefined) {
      questions.add(question);
      if (isNew) added.add(keyword);
      acceptedLines.push(line);
    } else rejectedLines.push({ line: line.number, message });
  }
  return { acceptedLines, rejectedLines };
}

function findRejectionReason(
  { keyword, thematic, topic }: ImportLine,
  found: { isRepeated: boolean; isOtherCollect: boolean; isFull: boolean },
): string | undefined {
  if (!KeywordField.safeParse(keyword).success) return "keyword: must not contain control or bidirectional characters";
  for (const [path, value] of Object.entries({ thematic, topic })) {
    if (value !== undefined && !GroupNameField.safeParse(value).success)
      return `${path}: must be one line without control or bidirectional characters`;
  }
  if (found.isOtherCollect) return "collect: differs from the first line's; one request makes one collect";
  if (found.isRepeated) return "has the keyword, source and run of an earlier line";
  return found.isFull ? "keyword: the analysis has as many keywords as it can have" : undefined;
}
