import { expect, test } from "vitest";
import { signedInBrowser } from "../assistant.ts";
import { insertScene } from "../search-scene.ts";
import { uuid } from "../search-metrics-scene.ts";
import { shownText } from "../audit/console-scene.ts";
import { world } from "../world.ts";

const NAMES = [
  '<script>alert("own")</script>',
  '=HYPERLINK("https://evil.example","x")',
  "</main><img src=x onerror=alert(1)>",
  `Long ${"name ".repeat(2000)}`,
  "\u202Egnp.evil\u202C",
  "שלום, world",
  "@SUM(1+1)*cmd|' /C calc'!A0",
] as const;

test("a hostile catalog changes no page and no download", async () => {
  // Attack: names of brands, topics and prompts as markup, as formulas, as long as a book, or in the other direction.
  await using w = await world();
  const { organization, workspace, owner } = await w.acme();
  const brands = NAMES.map((name, at) => {
    const relationship = at === 0 ? ("mine" as const) : ("competitor" as const);
    return { id: uuid(10 + at), name, domains: [`brand-${at}.example`], relationship };
  });
  const [own = { id: "" }, ...rivals] = brands;
  const topic = { id: uuid(31), kind: "topic" as const, name: NAMES[2], parentId: uuid(30) };
  const keywords = [40, 41, 42, 43, 44, 45].map((id) => {
    return { id: uuid(id), text: `${NAMES[2]} ${id}`, thematicId: uuid(30), topicId: topic.id };
  });
  const answers = keywords.flatMap(({ id: keyword }) =>
    brands.map(({ id: brand_id }, at) => {
      const text = `${NAMES[0]} is best. ${NAMES[2]}`;
      return { keyword, source: "ASSISTANT_A" as const, run: at + 1, text, places: [{ brand_id, rank: 1 }] };
    }),
  );
  const scene = {
    projectId: uuid(1),
    ownBrandId: own.id,
    competitorIds: rivals.map(({ id }) => id),
    brands,
    facets: [{ id: uuid(30), kind: "thematic" as const, name: NAMES[1] }, topic],
    keywords,
    collects: [51, 52].map((id, at) => ({ id: uuid(id), number: at + 1, answers })),
  };
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => insertScene(db, ids, scene));
  const browser = await signedInBrowser(w, owner.email);
  const at = `${w.config.baseUrl}/visibility/${organization.id}/${workspace.id}`;

  const { status, text } = await browser.get(at);
  expect(status).toBe(200);
  expect(text).not.toMatch(/<script|<img|\u202E| style=|onerror=alert\(1\)>/);
  expect(text.match(/<\/main>/g)?.length).toBe(1);
  expect(text.length).toBeLessThan(150_000);
  expect(shownText(text)).toContain('<script>alert("own")</script>');

  const { text: csv } = await browser.get(`${at}/brands.csv`);
  const cells = csv.split("\r\n").map((line) => line.slice(0, 20));
  expect(cells.filter((cell) => /^"[=+@-]/.test(cell))).toEqual([]);
  expect(cells).toContainEqual(expect.stringMatching(/^"'=HYPERLINK/));
  expect(cells).toContainEqual(expect.stringMatching(/^"'@SUM/));
});
