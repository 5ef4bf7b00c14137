import { array, assert, asyncProperty, constant, nat, oneof, option, record } from "fast-check";
import { expect, test } from "vitest";
import { TagLists, type Step } from "./tag-lists.ts";
import { tagScene, readTree, type TagBody } from "./tag-scene.ts";

test("fifty concurrent tags get consecutive positions on both levels, and one key creates one tag", async () => {
  await using s = await tagScene();
  const parent = await s.make({ name: "Parent" });
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      s.owner.post(s.tags, n % 2 ? { name: `${n}`, parent: parent.id } : { name: `${n}` }),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  const tree = await readTree(s.owner, s.tags);
  expect([tree.length, tree[0]?.[1].length]).toEqual([26, 25]);
  const same = await Promise.all(
    Array.from({ length: 50 }, () => s.owner.post(s.tags, { name: "Once" }, { "Idempotency-Key": "k" })),
  );
  expect(new Set(same.map(({ body }) => body.id)).size).toBe(1);
  expect(await readTree(s.owner, s.tags)).toHaveLength(27);
});

test("pages neither skip nor repeat while tags are added, moved behind the page and deleted", async () => {
  await using s = await tagScene();
  const made: TagBody[] = [];
  for (let n = 0; n < 12; n++) made.push(await s.make({ name: `${n}` }));
  const id = (n: number) => made[n]?.id ?? "";
  const seen: string[] = [];
  const page = async (cursor: string | null) => {
    const { body } = await s.owner.get(`${s.tags}?limit=3${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...body.data.map((tag: TagBody) => tag.name));
    return body.next_cursor as string | null;
  };
  let cursor = await page(null);
  await s.owner.delete(`${s.tags}/${id(0)}`);
  await s.make({ name: "added" });
  cursor = await page(cursor);
  await s.owner.delete(`${s.tags}/${id(5)}`);
  cursor = await page(cursor);
  await s.owner.patch(`${s.tags}/${id(3)}`, { position: 0 });
  await s.owner.patch(`${s.tags}/${id(8)}`, { parent: id(1) });
  while (cursor !== null) cursor = await page(cursor);
  expect(seen).toEqual([...made.map(({ name }) => name), "added"]);
});

const index = nat(20);
const steps = array(
  oneof(
    record({ kind: constant("add" as const), parent: option(index) }),
    record({
      kind: constant("move" as const),
      tag: index,
      parent: option(option(index), { nil: undefined }),
      position: option(nat(6), { nil: undefined }),
    }),
    record({ kind: constant("delete" as const), tag: index }),
  ),
  { minLength: 8, maxLength: 25 },
);

test("whatever is added, moved and deleted, the tree is that of plain lists, and orders have no gaps", async () => {
  await using s = await tagScene();
  const ask = async (step: Step, lists: TagLists) => {
    if (step.kind === "add") {
      return s.owner.post(s.tags, { name: lists.nextName(), parent: lists.idAt(step.parent) });
    }
    const path = `${s.tags}/${lists.idAt(step.tag)}`;
    if (step.kind === "delete") return s.owner.delete(path);
    const parent = step.parent === undefined ? {} : { parent: lists.idAt(step.parent) };
    return s.owner.patch(path, { position: step.position, ...parent });
  };
  await assert(
    asyncProperty(steps, async (taken) => {
      const lists = new TagLists();
      for (const step of taken) {
        if (step.kind !== "add" && lists.isEmpty()) continue;
        const answer = await ask(step, lists);
        expect([step, answer.status]).toEqual([step, lists.apply(step, answer.body.id)]);
      }
      expect(await readTree(s.owner, s.tags)).toEqual(lists.names());
      for (const id of lists.topIds()) await s.owner.delete(`${s.tags}/${id}`);
    }),
    { numRuns: 25, seed: 20_261_121 },
  );
});
