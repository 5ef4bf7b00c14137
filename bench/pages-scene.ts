import { READING_VERSION } from "../core/reading/reading.ts";
import { SOURCES } from "../core/sources/sources.ts";
import { allocateAnswerKeys } from "../db/answers/answers.ts";
import type { Db } from "../db/engine/store.ts";
import { COLLECTS, idOf, insertFigures, insertFiguresOf, KEYWORDS, PROJECT } from "./figures-scene.ts";

type Owner = Parameters<typeof insertFigures>[1];

/** Pages cited per answer of the last two collects, and brands named per stored answer. */
const [LINKS, NAMED] = [3, 5];
const ANSWERS_AT_ONCE = 5000;

/**
 * Twelve collects of 5,000 keywords, ten sources and 2,000 brands: their rollups, and the answers
 * of the last one.
 */
export async function insertPages(db: Db, owner: Owner): Promise<void> {
  await insertFigures(db, owner);
  for (const collect of COLLECTS.keys()) {
    const links = collect < COLLECTS.length - 2 ? 0 : LINKS;
    await insertFiguresOf(db, collect, "/dev/null", { links });
  }
  const all = KEYWORDS * SOURCES.length;
  for (let from = 0; from < all; from += ANSWERS_AT_ONCE)
    await insertAnswers(db, owner, { from, count: Math.min(ANSWERS_AT_ONCE, all - from) });
}

async function insertAnswers(
  db: Db,
  { organizationId, workspaceId }: Owner,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const { t } = db;
  const first = await allocateAnswerKeys(db, workspaceId, count);
  const rows = Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const brands = Array.from({ length: NAMED }, (_one, rank) => 1 + ((number * 31 + rank * 397) % 2000));
    return { number, key: first + at, brands };
  });
  await db.bulkInsert(
    t.answers,
    rows.map(({ number, key, brands }) => ({
      organizationId,
      workspaceId,
      analysisId: PROJECT,
      collectId: COLLECTS.at(-1) ?? "",
      id: `01900000-0000-7000-9000-${String(number).padStart(12, "0")}`,
      key,
      questionId: idOf("e", Math.floor(number / SOURCES.length)),
      source: SOURCES[number % SOURCES.length] ?? "ASSISTANT_A",
      run: 1,
      prompt: `keyword ${Math.floor(number / SOURCES.length)}`,
      text: brands.map((brand, at) => `${at + 1}. **Brand ${brand}** is quiet and lasts long.`).join("\n"),
      results: [],
      rawBody: "",
      provider: "openai",
      locale: "en-US",
      collectionMethod: "api" as const,
      costCredits: 1,
      collectedAt: "2026-11-21T08:00:00.000Z",
      isShown: true,
      isInformative: true,
      readingVersion: READING_VERSION,
    })),
  );
  const places = rows.flatMap(({ key, brands }) =>
    brands.map((brandNumber, at) => {
      return { answerKey: key, brandNumber, rank: at + 1, brandRank: at + 1, mentions: 1, url: null };
    }),
  );
  await db.bulkInsert(t.places, places);
}
