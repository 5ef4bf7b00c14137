import type { openCommitted } from "../support/committed.ts";

/** Stored rows of an answer with its spans. */
export type StoredAnswer = Awaited<ReturnType<typeof storedAnswers>> extends Map<string, infer One> ? One : never;

/** Stored rows and spans by answer. */
export async function storedAnswers({ q, t }: ReturnType<typeof openCommitted>) {
  const { answers, awareness, perceptions } = t;
  const rows = await q.select().from(answers);
  const known = new Map((await q.select().from(awareness)).map((row) => [row.answerKey, row]));
  const spans = new Map((await q.select().from(perceptions)).map((row) => [row.answerKey, row.spans]));
  return new Map(
    rows.map(({ key, id, questionId, collectId, source, run, text, isShown }) => {
      const said = { awareness: known.get(key) ?? null, perception: spans.get(key) ?? null };
      return [answerKeyOf({ questionId, collectId, source, run }), { id, text, isShown, ...said }];
    }),
  );
}

export function answerKeyOf({
  questionId,
  collectId,
  source,
  run,
}: Record<"questionId" | "collectId" | "source", string> & { run: number }) {
  return [questionId, collectId, source, run].join(" ");
}
