import { expect, test } from "vitest";
import { toToolName } from "../../tools/endpoint.ts";
import { BOTH, importedScene, RIVAL_ALONE } from "../actions/imported-scene.ts";
import { WITHOUT_LIMITS } from "../support/world.ts";
import { ask, connectOwner, listCalls, notesOf, SIMULATED, sortByFirstNote, TIMEOUT_MS } from "./all-reads.ts";

const MIXED_NOTES = new Set([
  `${SIMULATED} This holds for the analyses "Invented".`,
  `${SIMULATED} This holds where the collection method is simulated.`,
]);

test("never calls imported answers simulated", { timeout: TIMEOUT_MS }, async () => {
  await using s = await importedScene(WITHOUT_LIMITS);
  await s.collect({ text: BOTH });
  await s.collect({ text: RIVAL_ALONE });
  await using at = await connectOwner(s);
  const { answers, site, none } = await sortByFirstNote(at);
  expect({ answers, site }).toEqual({ answers: [], site: [] });
  expect(none).toEqual(expect.arrayContaining(["list_recommended_actions", "get_visibility search_analysis"]));
});

test(
  "notes simulated answers of a workspace that also has collected ones, and only those",
  { timeout: TIMEOUT_MS },
  async () => {
    await using s = await importedScene(WITHOUT_LIMITS);
    await s.collect({ text: BOTH });
    await s.collect({ text: RIVAL_ALONE });
    const invented = await s.create(["fast phone", "blue phone"], { name: "Invented" });
    await s.ended(invented);
    await s.settled();
    await using at = await connectOwner(s);
    const wrong: unknown[] = [];
    const mixed = new Set<string>();
    for (const { endpoint, input } of await listCalls(at)) {
      const answer = await ask(at, endpoint, input);
      if (answer.isError) continue;
      const [first = ""] = notesOf(answer);
      const tool = toToolName(endpoint);
      const id = input["analysis_id"] ?? input["project_id"];
      const isMixed = id === undefined && MIXED_NOTES.has(first);
      if (isMixed) mixed.add(tool);
      const isTrue = id === invented.split("/").at(-1) ? first === SIMULATED : isMixed || !first.includes("invented");
      if (!isTrue) wrong.push({ tool, input, first });
    }
    expect(wrong).toEqual([]);
    expect([...mixed].toSorted()).toEqual(["get_workspace_summary", "list_analyses", "list_exports", "list_projects"]);
  },
);
