import * as fc from "fast-check";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderMarkedText, type TextMark } from "../../src/console/answers/marked-text.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { BRANDS, COLLECTS, KEYWORDS, PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";

let s: Awaited<ReturnType<typeof searchWorld>>;
let browser: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  s = await searchWorld();
  // The scene uses collect names as answer ids; addresses need UUIDs.
  await s.store.write(async ({ q, t }) => {
    for (const { key } of await q.select({ key: t.answers.key }).from(t.answers))
      await q.update(t.answers).set({ id: s.deps.newId() }).where(eq(t.answers.key, key));
  });
  browser = await signedInBrowser(s, s.owner.email);
}, 60_000);
afterAll(() => s[Symbol.asyncDispose]());

const place = () => `${s.organization.id}/${s.workspace.id}`;
const page = (path: string) => browser.get(`${s.config.baseUrl}${path}`);
const rest = (query: string) => s.owner.get(`${s.workspace.path}/analyses/${PROJECT}/answers${query}`);

/** The answers that a page lists, in their order. */
function listed(text: string): string[] {
  return [...text.matchAll(/<a\s+href="\/answers(?:\/[0-9a-f-]{36}){3}\/([0-9a-f-]{36})"/g)].map(([, id = ""]) => id);
}

test("the list equals REST for the same filters, in order, with the total", async () => {
  const views = {
    "": `collect_id=${COLLECTS.third}`,
    [`?collect=${COLLECTS.second}`]: `collect_id=${COLLECTS.second}`,
    "?collect=all&source=ASSISTANT_A": "collect_id=all&sources=ASSISTANT_A",
    [`?names=${BRANDS.eclair}&lacks=${BRANDS.kestrova}`]: `collect_id=${COLLECTS.third}&brand_id=${BRANDS.eclair}&absent_brand_id=${BRANDS.kestrova}`,
    "?sort=collected&direction=asc&collect=all": "sort_direction=asc&collect_id=all",
    [`?keyword=${KEYWORDS[0]}`]: `collect_id=${COLLECTS.third}&keyword_id=${KEYWORDS[0]}`,
  };
  for (const [view, query] of Object.entries(views)) {
    const { status, text } = await page(`/answers/${place()}${view}`);
    const { body } = await rest(`?${query}`);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect([view, status, listed(text)]).toEqual([view, 200, ids]);
    const [, count] = /<h2 id="listed">([^<]*)</.exec(text) ?? [];
    expect([view, count]).toEqual([view, `${body.total_count} answer${body.total_count === 1 ? "" : "s"}`]);
    expect(ids.length).toBeGreaterThan(0);
  }
  const none = await page(`/answers/${place()}?names=${BRANDS.absent}`);
  expect([none.status, shownText(none.text).includes("No answer matches these filters.")]).toEqual([200, true]);
});

test("the oldest first is the newest first turned round, in pages of any size, and so is the file that is downloaded", async () => {
  const { data } = (await rest("?collect_id=all&limit=100")).body;
  const newest = data.map(({ id }: { id: string }) => id);
  for (const limit of [1, 3, 100]) {
    const oldest: string[] = [];
    for (let at = ""; ;) {
      const { body } = await rest(`?collect_id=all&sort_direction=asc&limit=${limit}${at}`);
      oldest.push(...body.data.map(({ id }: { id: string }) => id));
      if (body.next_cursor === null) break;
      at = `&cursor=${body.next_cursor}`;
    }
    expect([limit, oldest]).toEqual([limit, newest.toReversed()]);
  }
  const { text } = await page(`/answers/${place()}/answers.csv?collect=all&sort=collected&direction=asc`);
  const [heads = [], ...lines] = text
    .trim()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));
  expect(lines.map((cells) => cells[heads.indexOf("id")])).toEqual(newest.toReversed());
  expect(lines.map((cells) => cells[heads.indexOf("prompt")])).toEqual(
    data.map(({ prompt }: { prompt: string }) => prompt).toReversed(),
  );
});

test("another organization's answers are not there", async () => {
  // Attack: an answer of another organization by its address.
  const { body } = await rest("");
  const mallory = await signedInBrowser(s, (await s.signIn("mallory@rival.test")).email);
  for (const path of [
    `/answers/${place()}`,
    `/answers/${place()}/answers.csv`,
    `/answers/${place()}/${PROJECT}/${body.data[0].id}`,
  ])
    expect((await mallory.get(`${s.config.baseUrl}${path}`)).status).toBe(404);
});

test("marks change no character of a text, wherever they are and however they overlap", () => {
  const kinds = fc.constantFrom<TextMark["kind"]>("own", "rival", "pro", "con", "cited");
  const mark = fc.record({ start: fc.nat(40), end: fc.nat(45), kind: kinds, label: fc.string() });
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.array(mark, { maxLength: 8 }), (text, marks) => {
      const { markup } = renderMarkedText(text, marks);
      const words = markup.replaceAll(/<span class="unseen">[^<]*<\/span>/g, "").replaceAll(/<[^>]*>/g, "");
      const plain = words.replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
      expect(plain).toBe(text);
      const marked = [...markup.matchAll(/<mark/g)].length;
      expect(marked > 0).toBe(marks.some(({ start, end }) => start < end && end <= text.length));
    }),
    { seed: 20_261_123 },
  );
});
