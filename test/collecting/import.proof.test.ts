import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORDED, recorded, lines, scene } from "./import-cases.ts";

test.skipIf(!recorded)("the 96 recorded answers become three collects in under five seconds", async () => {
  await using s = await scene();
  for (const name of ["Apple", "Samsung", "Google", "Dyson", "Sony", "Bose", "Lenovo", "Dell", "HP", "ASUS"]) {
    await s.owner.post(`${s.workspace.path}/brands`, { name, relationship: "competitor" });
  }
  type Row = { prompt: string; product: string; run: number; answer: string; cited_urls: string[] };
  const rows = readFileSync(new URL("answers.jsonl", RECORDED), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
  for (const run of [1, 2, 3]) {
    const collect = rows.filter((row) => row.run === run);
    const body = lines(
      ...collect.map(({ prompt, product, answer: text, cited_urls }) => ({
        keyword: prompt,
        source: "ASSISTANT_A",
        text,
        thematic: product,
        citations: cited_urls.map((url) => ({ url })),
      })),
    );
    expect(await s.send(body)).toMatchObject({ status: 201, body: { number: run, accepted: 32, rejected: [] } });
  }
  expect((await s.owner.get(`${s.analysis}/keywords?limit=100`)).body.data).toHaveLength(33);
  const raw = await s.send(readFileSync(new URL("answers.jsonl", RECORDED)));
  expect(raw).toMatchObject({ status: 201, body: { number: 4, accepted: 96, rejected: [] } });
});
