import { expect, test } from "vitest";
import { collectScene } from "../collecting/scene.ts";

// Which sources an interval counts: tools/metric-reads/selection/choose-collects.ts,
// docs/measurement.md, section 6.

const PROMPTS = 8;
const RUNS = 3;

test("a collect's interval is equal alone and next to a collect with more sources", async () => {
  await using s = await collectScene();
  const analysis = await s.create(["best phone 0"], { sources: [] });
  const ids: string[] = [];
  for (const [at, sources] of [["ASSISTANT_A"], ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C"]].entries()) {
    const { status, body } = await s.owner.request("POST", `${analysis}/answers/import`, {
      body: linesOf(sources, at + 1),
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(status).toBe(201);
    ids.push(body.collect_id);
  }
  const intervals = async (collects: readonly string[]) => {
    const query = ["group_by=collect&statistics=true", ...collects.map((id) => `collect_ids=${id}`)].join("&");
    const { body } = await s.owner.get(`${analysis}/metrics/visibility?${query}`);
    return body.data.map((row: Record<string, unknown>) => [row["collect_id"], row["ci_low"], row["ci_high"]]);
  };
  const alone = [...(await intervals(ids.slice(0, 1))), ...(await intervals(ids.slice(1)))];
  expect(alone).toEqual(ids.map((id) => [id, expect.any(Number), expect.any(Number)]));
  const beside = await intervals(ids);
  expect(beside).toHaveLength(2);
  expect(beside).toEqual(expect.arrayContaining(alone));
});

/** Answers that vary by prompt and run, so that correlation bounds the interval. */
function linesOf(sources: readonly string[], day: number): string {
  const lines = sources.flatMap((source) =>
    Array.from({ length: PROMPTS * RUNS }, (_, at) => {
      const [prompt, run] = [Math.floor(at / RUNS), (at % RUNS) + 1];
      const text = (prompt + run) % 3 === 0 ? "Acme is good." : "Rival is good.";
      return JSON.stringify({
        keyword: `best phone ${prompt}`,
        source,
        run,
        text,
        collected_at: `2026-10-0${day}T08:00:00.000Z`,
      });
    }),
  );
  return lines.join("\n");
}
