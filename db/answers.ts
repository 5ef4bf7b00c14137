import type { Reading } from "../src/core/capture.ts";
import type { tables } from "./schema.ts";
import type { Db } from "./store.ts";

export type AnswerRow = typeof tables.answers.$inferSelect;

/** An answer as it came, with what was read from it. */
export interface ReadAnswer {
  answer: Omit<typeof tables.answers.$inferInsert, "eligible" | "readingVersion">;
  reading: Reading;
}

/** Stores answers with their readings. Each row says whose it is, so one batch can hold several organizations'. */
export async function insertAnswers(db: Db, answers: readonly ReadAnswer[]): Promise<void> {
  const { t } = db;
  await db.bulkInsert(
    t.answers,
    answers.map(({ answer, reading }) => ({
      ...answer,
      eligible: reading.eligible,
      readingVersion: reading.version,
    })),
  );
  await db.bulkInsert(
    t.mentions,
    answers.flatMap(({ answer: { id: answerId }, reading }) =>
      reading.mentions.map(({ brand_id: brandId, ...mention }) => ({ ...mention, answerId, brandId })),
    ),
  );
  await db.bulkInsert(
    t.places,
    answers.flatMap(({ answer: { id: answerId }, reading }) =>
      reading.places.map(({ brand_id: brandId, ...place }) => ({ ...place, answerId, brandId })),
    ),
  );
  await db.bulkInsert(
    t.citations,
    answers.flatMap(({ answer: { id: answerId }, reading }) => {
      const positions = new Set(reading.citations.map((citation) => citation.position));
      const repeat = positions.size < reading.citations.length;
      return reading.citations.map(
        ({ brand_id: brandId, competitor_type: competitorType, position, ...citation }, index) => ({
          ...citation,
          // Positions are as they were captured, or counted where a capture repeats them.
          position: repeat ? index + 1 : position,
          answerId,
          brandId,
          competitorType,
        }),
      );
    }),
  );
}
