import type { LocatedText, ParsedPage } from "../parsed-page.ts";

const MIN_LINES = 3;
const BULLET_PATTERN = /^(?:[•·▪‣◦●■✓✔➤►*–-]\s|・)/;
const LIST_NUMBER_PATTERN = /^\(?(\d{1,2})[.)]\s/;
const TABLE_BORDER_PATTERN = /^[+|][-=+|: ]{2,}$/;

/** First line of each run of lines with bullets or consecutive numbers. */
export function findPlainTextLists(page: ParsedPage): LocatedText[] {
  let last = 0;
  return findRuns(page, (line) => {
    const number = Number(LIST_NUMBER_PATTERN.exec(line)?.[1] ?? 0);
    const counts = number > 0 && (number === last + 1 || number === 1);
    last = number;
    if (counts) return "number";
    return BULLET_PATTERN.test(line) ? line.charAt(0) : null;
  });
}

/** First line of each run of lines with the same number of bars, at least two. */
export function findPlainTextTables(page: ParsedPage): LocatedText[] {
  return findRuns(page, (line) => {
    if (TABLE_BORDER_PATTERN.test(line)) return "border";
    let bars = 0;
    for (let at = line.indexOf("|"); at >= 0; at = line.indexOf("|", at + 1)) bars += 1;
    return bars >= 2 ? String(bars) : null;
  });
}

/** Runs of unlinked lines with the same mark; a border takes the mark of the line before. */
function findRuns({ blocks }: ParsedPage, markOf: (line: string) => string | null): LocatedText[] {
  const runs: LocatedText[] = [];
  let run: { firstLine: LocatedText; mark: string | null; lineCount: number } | null = null;
  for (const { text, offset, kind, linked, isInMain } of blocks) {
    if (
      !isInMain ||
      linked > 0.5 ||
      !(kind === "paragraph" || (kind === "code" && /^[ \t]*[+|][-=+|: ]{2,}$/m.test(text)))
    ) {
      run = null;
      continue;
    }
    for (const line of text.split("\n")) {
      const mark = markOf(line.trim());
      if (mark === null) run = null;
      else if (run && (run.mark === mark || run.mark === "border" || mark === "border")) {
        run.lineCount += 1;
        if (mark !== "border") run.mark = mark;
        if (run.lineCount === MIN_LINES) runs.push(run.firstLine);
      } else run = { firstLine: { text: line, offset }, mark, lineCount: 1 };
    }
  }
  return runs;
}
