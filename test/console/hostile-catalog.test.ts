import { expect, test } from "vitest";
import { signedInBrowser } from "../assistant.ts";
import { insertScene } from "../search-scene.ts";
import { uuid } from "../search-metrics-scene.ts";
import { shownText } from "../audit/console-scene.ts";
import { world } from "../world.ts";
import { addressOf, CONSOLE_PAGES } from "./pages.ts";
import { csvCells, linksIn } from "./shown-figures.ts";

const NAMES = [
  '<script>alert("own")</script>',
  '=HYPERLINK("https://evil.example","x")',
  "</main><img src=x onerror=alert(1)>",
  `Long ${"name ".repeat(2000)}`,
  "\u202Egnp.evil\u202C",
  "שלום, world",
  "@SUM(1+1)*cmd|' /C calc'!A0",
] as const;

test("a hostile catalog changes no page of the workspace and no download", async () => {
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
    collects: [51, 52].map((id, at) => ({
      id: uuid(id),
      number: at + 1,
      answers: answers.map((answer, index) => ({ ...answer, id: uuid(1000 * id + index) })),
    })),
  };
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => insertScene(db, ids, scene));
  const browser = await signedInBrowser(w, owner.email);
  const of = { organizationId: organization.id, workspaceId: workspace.id };
  const files = new Map<string, string>();
  // The scene's analysis has no setup for the page of analyses to show.
  const names = Object.keys(CONSOLE_PAGES).filter((name) => name !== "analyses");
  const pages = names.map((name) => [name, addressOf(name, of)] as const);
  const answer = `${addressOf("answers", of)}/${scene.projectId}/${uuid(52_000)}`;
  for (const [name, address] of [...pages, ["an answer", answer] as const]) {
    const page = await browser.get(`${w.config.baseUrl}${address}`);
    // Only scripts and marks of ours, and one end of the content. A field holds a name as it is.
    const shown = page.text.replaceAll(/ value="[^"]*"/g, "");
    const wrong = /<script(?! src="\/assets\/)|<img|\u202E| style=|onerror=alert\(1\)>/.exec(shown)?.[0];
    expect([name, page.status, wrong, page.text.match(/<\/main>/g)?.length]).toEqual([name, 200, undefined, 1]);
    expect([name, page.text.length < 150_000]).toEqual([name, true]);
    for (const link of linksIn(page.text).filter((one) => one.includes(".csv"))) {
      files.set(link, (await browser.get(`${w.config.baseUrl}${link}`)).text);
    }
    expect(name !== "visibility" || shownText(page.text).includes('<script>alert("own")</script>')).toBe(true);
  }
  const cells = [...files.values()].flatMap((text) => csvCells(text).flat());
  expect(cells.filter((cell) => /^[=+@\t\r]|^-(?![\d.]+$)/.test(cell))).toEqual([]);
  expect(cells).toContainEqual(expect.stringMatching(/^'=HYPERLINK/));
  expect(cells).toContainEqual(expect.stringMatching(/^'@SUM/));
  expect(files.size).toBeGreaterThan(2);
});
