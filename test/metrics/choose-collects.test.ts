import { expect, test } from "vitest";
import { insertScene, type SceneCollect } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

// Which collects tools/metric-reads/selection/choose-collects.ts measures and compares with,
// through the interface.

const PROJECT = "00000000-0000-7000-8000-000000000001";
const OWN = "00000000-0000-7000-8000-000000000010";
const idOf = (number: number) => `00000000-0000-7000-8000-00000000005${number}`;

type Given = Omit<SceneCollect, "id" | "number" | "answers"> & { answers?: SceneCollect["answers"] };

function numbers(rows: { number: number }[]): number[] {
  return rows.map(({ number }) => number);
}

/** An analysis with these collects, in their order. */
async function chosenFrom(...collects: Given[]) {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const answered = [{ keyword: "k", source: "ASSISTANT_A" as const, method: "api" as const }];
  await w.store.write((db) =>
    insertScene(db, ids, {
      projectId: PROJECT,
      ownBrandId: OWN,
      brands: [{ id: OWN, name: "Kestrova", relationship: "mine" }],
      facets: [
        { id: "thematic", kind: "thematic", name: "Home" },
        { id: "topic", kind: "topic", name: "All", parentId: "thematic" },
      ],
      keywords: [{ id: "k", text: "best machine", thematicId: "thematic", topicId: "topic" }],
      collects: collects.map((collect, at) => ({ answers: answered, ...collect, id: idOf(at + 1), number: at + 1 })),
    }),
  );
  const get = (query: string) =>
    owner.get(`/api/v1/top-brands?client_id=${organization.id}&project_id=${PROJECT}&${query}`);
  return {
    get,
    /** Numbers of the measured collects, and of those compared with. */
    async chosen(query = "") {
      const { basis } = (await get(query)).body;
      return [numbers(basis.collects), numbers(basis.previous_collects)];
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const day = (date: number) => `2026-11-${String(date).padStart(2, "0")}T08:00:00.000Z`;
const from = (first: number, last: number): Given => ({ period: [day(first), day(last)] });
const simulated = [{ keyword: "k", source: "ASSISTANT_A" as const }];

test("the previous collect is the latest that ended before; overlapping and undated ones are excluded", async () => {
  // Fault: the collect with the number before was taken, though both had collected on the same
  // days.
  await using apart = await chosenFrom(from(1, 3), from(4, 5), from(6, 7));
  expect(await apart.chosen()).toEqual([[3], [2]]);
  expect(await apart.chosen(`collect_id=${idOf(2)}`)).toEqual([[2], [1]]);
  expect(await apart.chosen(`collect_ids=${idOf(3)}&collect_ids=${idOf(2)}`)).toEqual([[2, 3], [1]]);
  await using overlapping = await chosenFrom(from(1, 3), from(4, 6), from(5, 7));
  expect(await overlapping.chosen()).toEqual([[3], [1]]);
  await using within = await chosenFrom(from(1, 9), from(4, 6));
  expect(await within.chosen()).toEqual([[2], []]);
  await using undated = await chosenFrom(from(1, 3), { period: null }, from(4, 6));
  expect(await undated.chosen()).toEqual([[3], [1]]);
  expect(await undated.chosen(`collect_id=${idOf(2)}`)).toEqual([[2], []]);
});

test("compares a collect only with its kind: collected here or imported, simulated or real", async () => {
  await using s = await chosenFrom(
    { ...from(1, 1), isImported: true },
    from(2, 2),
    { ...from(3, 3), answers: simulated },
    { ...from(4, 4), isImported: true },
    { ...from(5, 5), answers: simulated },
    from(6, 6),
  );
  expect(await s.chosen()).toEqual([[6], [2]]);
  expect(await s.chosen(`collect_id=${idOf(5)}`)).toEqual([[5], [3]]);
  expect(await s.chosen("kind=simulated")).toEqual([[5], [3]]);
  expect(await s.chosen(`collect_id=${idOf(4)}`)).toEqual([[4], [1]]);
});

test("attack: a collect on both sides would be compared with itself; it is rejected by name", async () => {
  await using s = await chosenFrom(from(1, 1), from(2, 2));
  expect(await s.get(`collect_ids=${idOf(2)}&prev_collect_ids=${idOf(1)}&prev_collect_ids=${idOf(2)}`)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "prev_collect_ids.1" }] },
  });
});

test("imported collects are the default only without own ones, by latest answers", async () => {
  // Fault: recorded answers that were imported took the place of the collects of an analysis that
  // asks for itself.
  await using mixed = await chosenFrom(from(1, 1), { ...from(9, 9), isImported: true });
  expect(await mixed.chosen()).toEqual([[1], []]);
  expect(await mixed.chosen(`collect_id=${idOf(2)}`)).toEqual([[2], []]);
  await using imports = await chosenFrom({ ...from(8, 9), isImported: true }, { ...from(2, 3), isImported: true });
  expect(await imports.chosen()).toEqual([[1], [2]]);
});
