import { isBlank } from "../../../core/shared/fields.ts";
import { foldName } from "../../../core/shared/names.ts";
import { FUNNEL_STAGES, KEYWORD_TYPES } from "../../../core/sources/sources.ts";
import {
  MAX_KEYWORDS,
  searchAnalysisFields,
} from "../../../tools/analyses/kinds/search-analysis/search-analysis-setup.ts";
import type { ColumnKind, Columns } from "./guess-columns.ts";
import { hasMoreLines, MAX_LINES, readRows, type Row } from "./read-rows.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type SetupThematics = (typeof searchAnalysisFields.thematics)["_zod"]["input"];
type SetupKeyword = SetupThematics[number]["topics"][number]["keywords"][number];

export interface ReadKeywords {
  thematics: SetupThematics;
  count: number;
  topics: number;
  duplicateCount: number;
  faults: string[];
}

/** Default group and topic of keywords without one. */
const [UNSORTED, NO_TOPIC] = ["Keywords", "All"];
const MAX_LENGTHS = { keyword: 2000, name: 200 };
/** Characters that a setup rejects. */
const CONTROL = /\p{Cc}/u;

export function readKeywords(
  text: string,
  columns: Columns,
  personas: readonly { id: string; name: string }[],
): ReadKeywords {
  const { separator, hasHead, kinds } = columns;
  if (hasMoreLines(text)) {
    const fault = `There are more than ${formatInteger(MAX_LINES)} lines. An analysis takes up to 5,000 prompts.`;
    return { thematics: [], count: 0, topics: 0, duplicateCount: 0, faults: [fault] };
  }
  const rows = readRows(text, separator).slice(hasHead ? 1 : 0);
  const groups = new Map<string, Map<string, SetupKeyword[]>>();
  const texts = new Set<string>();
  const faults: string[] = [];
  if (!kinds.includes("keyword")) {
    return { thematics: [], count: 0, topics: 0, duplicateCount: 0, faults: ["Choose the column with the prompts."] };
  }
  let duplicateCount = 0;
  for (const row of rows) {
    const getCell = (kind: ColumnKind) => row.cells[kinds.indexOf(kind)] ?? "";
    const { keyword, faults: wrong } = parseKeyword(row, getCell, personas);
    faults.push(...wrong.map((words) => `Line ${row.line}: ${words}`));
    if (wrong.length > 0) continue;
    if (texts.has(keyword.text)) {
      duplicateCount += 1;
      continue;
    }
    texts.add(keyword.text);
    const topics = getOrCreate(groups, getCell("thematic") || UNSORTED, () => new Map<string, SetupKeyword[]>());
    getOrCreate(topics, getCell("topic") || NO_TOPIC, () => []).push(keyword);
  }
  const thematics = [...groups].map(([name, topics]) => ({
    name,
    topics: [...topics].map(([topic, keywords]) => ({ name: topic, keywords })),
  }));
  const topics = thematics.reduce((sum, one) => sum + one.topics.length, 0);
  return {
    thematics,
    count: texts.size,
    topics,
    duplicateCount,
    faults: [...faults, ...findLimitFaults(texts.size, thematics)],
  };
}

function getOrCreate<T>(parent: Map<string, T>, name: string, make: () => T): T {
  const child = parent.get(name) ?? make();
  parent.set(name, child);
  return child;
}

function findLimitFaults(keywords: number, thematics: SetupThematics): string[] {
  if (keywords === 0) return ["Enter at least one prompt, one per line."];
  const more = keywords - MAX_KEYWORDS;
  return [
    ...(more > 0
      ? [
          `There are ${formatCount(keywords, "prompt")}: leave out ${formatInteger(more)}. An analysis takes up to 5,000.`,
        ]
      : []),
    ...(thematics.length > 100 ? ["There are more than 100 groups. Use fewer."] : []),
    ...(thematics.some(({ topics }) => topics.length > 200) ? ["A group has more than 200 topics. Use fewer."] : []),
  ];
}

function matchValue<T extends string>(values: readonly T[], cell: string): T | undefined {
  return values.find((one) => foldName(one) === foldName(cell));
}

function parseKeyword(
  { cells }: Row,
  cellOf: (kind: ColumnKind) => string,
  personas: readonly { id: string; name: string }[],
): { keyword: SetupKeyword; faults: string[] } {
  const [text, type, stage, asked, volume] = [
    cellOf("keyword"),
    cellOf("type"),
    cellOf("funnel_stage"),
    cellOf("persona"),
    cellOf("search_volume").replaceAll(/[\s,.](?=\d{3}\b)/g, ""),
  ];
  const persona = personas.find(({ name }) => foldName(name) === foldName(asked));
  const faults = [
    ...(isBlank(text) ? ["It has no prompt."] : []),
    ...(text.length > MAX_LENGTHS.keyword ? ["The prompt is longer than 2,000 characters."] : []),
    ...(cells.some((cell) => CONTROL.test(cell)) ? ["It has a line break or a control character within a value."] : []),
    ...(["topic", "thematic"] as const).flatMap((kind) =>
      cellOf(kind).length > MAX_LENGTHS.name
        ? [`The ${kind === "topic" ? kind : "group"} is longer than 200 characters.`]
        : [],
    ),
    ...(type !== "" && !matchValue(KEYWORD_TYPES, type) ? ["The type must be Generic or Brand."] : []),
    ...(stage !== "" && !matchValue(FUNNEL_STAGES, stage) ? ["The funnel stage must be ToFu, MoFu or BoFu."] : []),
    ...(asked !== "" && !persona ? ["There is no persona of this name."] : []),
    ...(volume !== "" && !/^\d{1,12}$/.test(volume) ? ["The searches a month must be a whole number."] : []),
  ];
  const keyword: SetupKeyword = {
    text,
    ...(type === "" ? {} : { type: matchValue(KEYWORD_TYPES, type) }),
    ...(stage === "" ? {} : { funnel_stage: matchValue(FUNNEL_STAGES, stage) }),
    ...(persona ? { persona_id: persona.id } : {}),
    ...(volume === "" ? {} : { search_volume: Number(volume) }),
  };
  return { keyword, faults };
}
