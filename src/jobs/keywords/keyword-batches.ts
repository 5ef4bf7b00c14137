import { z } from "zod";
import { listKeywordsToRead } from "../../../db/analyses/keyword-figures.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { KNOWN_FOR_MS, WANTED_FIGURES, type WantedFigures } from "../../../core/analyses/keyword-figures.ts";
import { placeOf } from "../../../core/shared/place.ts";
import { later, type Instant } from "../../../core/shared/time.ts";
import type { KeywordTasks, Signal } from "../../outside/sources/provider.ts";

const Batch = z.object({
  wanted: z.enum(WANTED_FIGURES),
  keywords: z.array(z.string()),
  country: z.string(),
  language: z.string(),
});
type Batch = z.output<typeof Batch>;

const Submission = z.object({
  provider: z.string(),
  key: z.string(),
  begunAt: z.string(),
  task: z.string().nullable(),
  costUsd: z.number(),
});

const Asked = Batch.extend({
  submission: Submission.nullable(),
  reservation: z.string().nullable(),
  failures: z.int(),
  notBefore: z.string(),
});
export type Asked = z.output<typeof Asked>;

export const KeywordProgress = z.object({
  /** Excludes keywords of other jobs. The first batches are in progress. */
  batches: z.array(Asked),
  refusals: z.int(),
  stopped: z.string().nullable(),
});
export type KeywordProgress = z.output<typeof KeywordProgress>;

export function notAsked(batch: Batch, at: Instant): Asked {
  const { wanted, keywords, country, language } = batch;
  const place = { country, language };
  return { wanted, keywords, ...place, submission: null, reservation: null, failures: 0, notBefore: at };
}

export interface Reading {
  tenant: Tenant;
  analysis: AnalysisRow;
  keywords: KeywordTasks<Signal>;
  now: Instant;
}

async function keywordsByForm({ tenant, analysis, keywords, now }: Reading, wanted: WantedFigures) {
  const texts = await listKeywordsToRead(tenant, analysis.id, { wanted, before: later(now, -KNOWN_FOR_MS) });
  const forms = new Map<string, string[]>();
  for (const text of texts) {
    const form = keywords.formOf(wanted, text);
    if (form !== undefined) forms.set(form, [...(forms.get(form) ?? []), text]);
  }
  return forms;
}

/** Bounds the progress record, which is rewritten at each step. */
const MOST_BATCHES = 100;

/** Excludes batches of other jobs, given by `others`. */
export async function batchesToAsk(reading: Reading, others: readonly unknown[]): Promise<Batch[]> {
  const { analysis, keywords } = reading;
  const place = placeOf(analysis.setup);
  const keyOf = (wanted: WantedFigures, keyword: string, { country, language } = place) =>
    [wanted, country, language, keyword].join("\n");
  const underWay = new Set(
    others
      .flatMap((noted) => KeywordProgress.parse(noted).batches)
      .flatMap((batch) => batch.keywords.map((keyword) => keyOf(batch.wanted, keyword, batch))),
  );
  const batches: Batch[] = [];
  for (const wanted of WANTED_FIGURES) {
    const most = keywords.most[wanted];
    if (most === undefined) continue;
    const forms = [...(await keywordsByForm(reading, wanted)).keys()];
    const open = forms.filter((form) => !underWay.has(keyOf(wanted, form)));
    for (let first = 0; first < open.length && batches.length < MOST_BATCHES; first += most) {
      batches.push({ wanted, keywords: open.slice(first, first + most), ...place });
    }
  }
  return batches;
}

export async function textsOfBatch(reading: Reading, { wanted, keywords }: Batch): Promise<[string, string][]> {
  const asked = new Set(keywords);
  return [...(await keywordsByForm(reading, wanted))].flatMap(([form, texts]) =>
    asked.has(form) ? texts.map((text): [string, string] => [text, form]) : [],
  );
}
