import { expect, test, vi } from "vitest";
import { readCapture } from "../../core/reading/reading.ts";
import { getAnalysisKind } from "../../tools/analyses/kinds/kinds.ts";
import { catalogScene } from "./scene.ts";

// The attack: an answer whose extraction never ends.

const kind = getAnalysisKind("search_analysis");
const line = (keyword: string, text: string) => JSON.stringify({ keyword, source: "ASSISTANT_A", text });
const LINES = [line("one", "Acme is good."), line("two", "Rival is endless."), line("three", "Acme and Rival.")];

/** Extraction with an endless answer; counts attempts on it. */
function readEndlessly() {
  let count = 0;
  const spy = vi.spyOn(kind, "read").mockImplementation((capture, catalog, context) => {
    if (!capture.text.includes("endless")) return readCapture(capture, catalog, context);
    count += 1;
    for (;;);
  });
  return { count: () => count, [Symbol.dispose]: () => spy.mockRestore() };
}

test("an import rejects the line that takes too long to read and stores the others", async () => {
  await using s = await catalogScene();
  using _endless = readEndlessly();
  const collectId = await s.import(LINES);
  const report = await s.owner.get(`${s.analysis}/collects/${collectId}/import-report`);
  expect(report.body).toMatchObject({ accepted: 2, rejected: [{ line: 2, message: "text: takes too long to read" }] });
  const { body } = await s.owner.get(`${s.analysis}/answers`);
  expect(body.data.map(({ prompt }: { prompt: string }) => prompt).toSorted()).toEqual(["one", "three"]);
});

test("an answer that times out on re-extraction is marked, excluded from metrics, and not tried again", async () => {
  await using s = await catalogScene();
  await s.import(LINES);
  const stateOf = async () => {
    const { body } = await s.owner.get(`${s.analysis}/answers`);
    const rows: { prompt: string; shown: boolean; informative: boolean; unread_reason: string | null }[] = body.data;
    return Object.fromEntries(
      rows.map(({ prompt, shown, informative, unread_reason: reason }) => [prompt, [shown, informative, reason]]),
    );
  };
  const read = { one: [true, true, null], three: [true, true, null] };
  expect(await stateOf()).toEqual({ ...read, two: [true, true, null] });

  using endless = readEndlessly();
  await s.owner.patch(`${s.brands}/${s.brandId}`, { aliases: [{ text: "Acme Inc" }] });
  await s.reread();
  const tries = endless.count();
  expect(await stateOf()).toEqual({ ...read, two: [false, false, "too_slow"] });
  const [top] = await s.top();
  expect(top).toMatchObject({ brand: "Acme", occurrences: 2, total: 2 });

  await s.owner.patch(`${s.brands}/${s.brandId}`, { aliases: [{ text: "Acme Ltd" }] });
  await s.reread();
  expect(endless.count()).toBe(tries);
  expect(await stateOf()).toEqual({ ...read, two: [false, false, "too_slow"] });
});
