import type { Answer } from "../support/world.ts";

type Get = (path: string) => Promise<Answer>;
// oxlint-disable-next-line typescript/no-explicit-any -- rows of the interface, as a reader gets them
type Row = any;

/** Reads each address once: many rows rest on the same answers. */
export function cacheReads(get: Get): Get {
  const known = new Map<string, Promise<Answer>>();
  return (path) => {
    const answer = known.get(path) ?? get(path);
    known.set(path, answer);
    return answer;
  };
}

/** Recomputes a row of evidence from answers, through the interface. */
export async function recount(get: Get, analysis: string, ownId: string, row: Row, keywords: Row[]) {
  const answers = await answersOf(get, analysis, { ...row, collect: row.collect_id }, keywords);
  const previous = row.previous_collect_id
    ? await answersOf(get, analysis, { ...row, collect: row.previous_collect_id }, keywords)
    : [];
  if (row.domain !== null) return recountSite(row, ownId, answers);
  const rival = answers.flatMap((answer) => findPlace(answer, row.brand_id) ?? []);
  return {
    ...row,
    answers: answers.length,
    occurrences: ranksOf(answers, ownId).length,
    rank: row.previous_collect_id === null ? null : mean(ranksOf(answers, ownId)),
    previous_answers: row.previous_collect_id === null ? null : previous.length,
    previous_occurrences: row.previous_collect_id === null ? null : ranksOf(previous, ownId).length,
    previous_rank: row.previous_collect_id === null ? null : mean(ranksOf(previous, ownId)),
    brand_occurrences: row.brand_id === null ? null : rival.length,
    brand_rank: row.brand_id === null ? null : mean(rival.map(({ rank }) => rank)),
    answer_ids: row.keyword_id === null ? [] : answers.slice(0, 5).map(({ id }) => id),
  };
}

function recountSite(row: Row, ownId: string, answers: Row[]) {
  const citing = answers.filter((answer) => answer.citations.some((page: Row) => page.domain === row.domain));
  const has = (answer: Row, brandId: string) =>
    answer.citations.some((page: Row) => page.brand_id === brandId) || findPlace(answer, brandId) !== undefined;
  return {
    ...row,
    answers: citing.length,
    occurrences: citing.filter((answer) => answer.citations.some((page: Row) => page.brand_id === ownId)).length,
    brand_occurrences: citing.filter((answer) => has(answer, row.brand_id)).length,
    answer_ids: citing.slice(0, 20).map(({ id }) => id),
  };
}

/** Complete answers of a collect for a row, oldest first. */
async function answersOf(get: Get, analysis: string, row: Row, keywords: Row[]): Promise<Row[]> {
  const asked = keywords.filter(
    (keyword) =>
      keyword.type === "Generic" &&
      (row.keyword_id === null ? row.topic === null || keyword.topic === row.topic : keyword.id === row.keyword_id),
  );
  const answers: Row[] = [];
  for (const keyword of asked) {
    const source = row.source === null ? "" : `&sources=${row.source}`;
    const listed = await get(
      `${analysis}/answers?collect_id=${row.collect}&keyword_id=${keyword.id}&limit=100${source}`,
    );
    const shown = listed.body.data.filter((one: Row) => one.shown);
    for (const { id } of shown) answers.push((await get(`${analysis}/answers/${id}`)).body);
  }
  return answers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function findPlace(answer: Row, brandId: string | null): { rank: number } | undefined {
  return answer.places.find((place: Row) => place.brand_id === brandId);
}

function ranksOf(answers: Row[], brandId: string): number[] {
  return answers.flatMap((answer) => findPlace(answer, brandId)?.rank ?? []);
}

function mean(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
