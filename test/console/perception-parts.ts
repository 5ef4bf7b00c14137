import { ATTRIBUTES, AWARENESS, COMPARISONS, PERCEPTION } from "./rest-endpoints.ts";
import {
  bare,
  decimals,
  percent,
  points as changed,
  shownAs,
  whole,
  written,
  type Asked,
  type Endpoint,
  type Fields,
  type Row,
} from "./rest-figures.ts";

// What the parts of Perception show, by REST. Of an analysis that measures none there is nothing.

/** A mean that can be below zero. */
const balance = (value: number) => `${value > 0 ? "+" : ""}${decimals(2)(value).replace("-", "−")}`;

const counted = (noun: string) => (value: number) => `${value} ${noun}${value === 1 ? "" : "s"}`;

async function rowsOf({ rest, own }: Asked, endpoint: Endpoint): Promise<Row[]> {
  const { data } = await rest(endpoint);
  const isOwn = (row: Row) => Number(row["brand_id"] === own);
  return (data as Row[]).toSorted((a, b) => isOwn(b) - isOwn(a));
}

const STANCES: Fields = Object.fromEntries([
  ...["winner", "recommended", "caveated", "mentioned", "discouraged"].map((one) => [`${one}_share`, percent]),
  ["answers", whole],
]);

/** Rows of brands that some answer names. */
async function namedRows(asked: Asked): Promise<Row[]> {
  const rows = await rowsOf(asked, PERCEPTION);
  return rows.some((row) => Number(row["answers"]) > 0) ? rows : [];
}

export async function stances(asked: Asked): Promise<string[][]> {
  return (await namedRows(asked)).map((row) => written(row, STANCES));
}

export async function sentiment(asked: Asked): Promise<string[][]> {
  const mean: Fields = { sentiment: balance, sentiment_ci_low: balance, sentiment_ci_high: balance };
  const shares: Fields = {
    pro_rate: percent,
    pro_ci_low: bare,
    pro_ci_high: percent,
    con_rate: percent,
    con_ci_low: bare,
    con_ci_high: percent,
    "con_rate_change.delta": changed,
    judged: whole,
    answers: whole,
  };
  return (await namedRows(asked)).map((row) => {
    const change: Fields = row["sentiment"] === null ? {} : { "sentiment_change.delta": balance };
    return written(row, { ...mean, ...change, ...shares });
  });
}

/** Pros and cons, the own brand's first. */
export async function pointCounts(asked: Asked): Promise<string[][]> {
  const all = (await namedRows(asked)).flatMap((row) => [...(row["pros"] as Row[]), ...(row["cons"] as Row[])]);
  return all.length === 0 ? [] : [all.map(({ answers }) => shownAs(Number(answers), counted("answer")))];
}

/** The rows of the file of pros and cons: one for each, with the sentence that is quoted for it. */
export function pointsInFile(rows: readonly Row[]): Row[] {
  return rows.flatMap(({ brand, pros, cons, quotations }) =>
    Object.entries({ pro: pros as Row[], con: cons as Row[] }).flatMap(([polarity, all]) =>
      all.map((point) => {
        const isOf = (one: Row) => one["polarity"] === polarity && one["head"] === point["head"];
        const { answer_id, text } = (quotations as Row[]).find(isOf) ?? {};
        return { ...point, brand, polarity, answer_id, text };
      }),
    ),
  );
}

/** The matrix of wins and losses, and below it the pairs. */
export async function comparisons({ rest, own }: Asked): Promise<string[][]> {
  const rows = (await rest(COMPARISONS)).data as Row[];
  const pairs = rows.filter((row) => Number(row["answers"]) + Number(row["stance_answers"] ?? 0) > 0);
  if (pairs.length === 0) return [];
  const brands = [...new Set(rows.flatMap((row) => [row["brand_id"], row["rival_id"]]))].toSorted(
    (a, b) => Number(b === own) - Number(a === own),
  );
  const cell = (brand: unknown, other: unknown): string[] => {
    const row = rows.find((one) => one["brand_id"] === brand && one["rival_id"] === other);
    const back = rows.find((one) => one["brand_id"] === other && one["rival_id"] === brand);
    const seen = row ?? back;
    if (!seen || seen["win_rate"] === null) return [];
    return written(seen, row ? { wins: whole, losses: whole } : { losses: whole, wins: whole });
  };
  const rates: Fields = { stance_rate: percent, first_rate: percent, second_rate: percent };
  const counts: Fields = { wins: whole, losses: whole, both: whole };
  const rate: Fields = { win_rate: percent, ci_low: bare, ci_high: percent };
  return [
    ...brands.map((brand) => brands.flatMap((other) => cell(brand, other))),
    ...pairs.map((row) => {
      const change: Fields = Number(row["answers"]) > 0 ? { "change.delta": changed } : {};
      return written(row, { ...counts, ...rate, ...change, ...rates });
    }),
  ];
}

/** Scores by attribute; below each those brands that have none, in one row. */
export async function attributes(asked: Asked): Promise<string[][]> {
  const rows = await rowsOf(asked, ATTRIBUTES);
  // In the order in which REST has them, not that of the own brand.
  const names = [...new Set(((await asked.rest(ATTRIBUTES)).data as Row[]).map(({ attribute }) => attribute))];
  const fields: Fields = {
    score: balance,
    ci_low: balance,
    ci_high: balance,
    "change.delta": balance,
    others: balance,
    spans: whole,
  };
  return names.flatMap((name) => {
    const all = rows.filter(({ attribute }) => attribute === name);
    const without = all
      .filter(({ score }) => score === null)
      .flatMap((row) => written(row, { spans: counted("clause") }));
    const scored = all.filter(({ score }) => score !== null).map((row) => written(row, fields));
    return without.length === 0 ? scored : [...scored, without];
  });
}

export async function awareness(asked: Asked): Promise<string[][]> {
  const aided: Fields = {
    aided: percent,
    aided_ci_low: bare,
    aided_ci_high: percent,
    "aided_change.delta": changed,
    look_alikes: percent,
    "difference.delta": percent,
    "difference.ci_low": bare,
    "difference.ci_high": percent,
  };
  return (await rowsOf(asked, AWARENESS)).map((row) =>
    written(row, {
      unaided: percent,
      unaided_ci_low: bare,
      unaided_ci_high: percent,
      ...(row["answers"] === 0 ? {} : { "unaided_change.delta": changed }),
      ...(Number(row["asked"]) > 0 ? aided : {}),
    }),
  );
}
