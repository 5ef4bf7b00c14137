import { z } from "zod";
import { listKeywordsWithoutData } from "../../../db/analyses/keyword-data.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import {
  KEYWORD_DATA_LIFETIME_MS,
  KEYWORD_DATA_KINDS,
  type KeywordDataKind,
} from "../../../core/analyses/keyword-data.ts";
import { parseLocation } from "../../../core/shared/analysis-location.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import type { KeywordTasks, ProviderCallOptions } from "../../outside/sources/provider.ts";

const Batch = z.object({
  wanted: z.enum(KEYWORD_DATA_KINDS),
  keywords: z.array(z.string()),
  country: z.string(),
  language: z.string(),
});
type Batch = z.output<typeof Batch>;

const SubmissionSchema = z.object({
  provider: z.string(),
  key: z.string(),
  begunAt: z.string(),
  task: z.string().nullable(),
  costUsd: z.number(),
});

const RequestedBatch = Batch.extend({
  submission: SubmissionSchema.nullable(),
  reservation: z.string().nullable(),
  failures: z.int(),
  notBefore: z.string(),
});
export type RequestedBatch = z.output<typeof RequestedBatch>;

export const KeywordProgress = z.object({
  /** Excludes keywords of other jobs. The first batches are in progress. */
  batches: z.array(RequestedBatch),
  refusals: z.int(),
  stopped: z.string().nullable(),
});
export type KeywordProgress = z.output<typeof KeywordProgress>;

export function newRequestedBatch(batch: Batch, at: Instant): RequestedBatch {
  const { wanted, keywords, country, language } = batch;
  const location = { country, language };
  return { wanted, keywords, ...location, submission: null, reservation: null, failures: 0, notBefore: at };
}

export interface KeywordReading {
  tenant: Tenant;
  analysis: AnalysisRow;
  keywords: KeywordTasks<ProviderCallOptions>;
  now: Instant;
}

async function groupKeywordsByForm({ tenant, analysis, keywords, now }: KeywordReading, wanted: KeywordDataKind) {
  const texts = await listKeywordsWithoutData(tenant, analysis.id, {
    wanted,
    outdatedBefore: addMs(now, -KEYWORD_DATA_LIFETIME_MS),
  });
  const forms = new Map<string, string[]>();
  for (const text of texts) {
    const form = keywords.formOf(wanted, text);
    if (form !== undefined) forms.set(form, [...(forms.get(form) ?? []), text]);
  }
  return forms;
}

/** Bounds the progress record that each step rewrites. */
const MAX_BATCHES = 100;

/** Excludes batches of other jobs, given by `others`. */
export async function listBatches(reading: KeywordReading, others: readonly unknown[]): Promise<Batch[]> {
  const { analysis, keywords } = reading;
  const location = parseLocation(analysis.setup);
  const toKey = (wanted: KeywordDataKind, keyword: string, { country, language } = location) =>
    [wanted, country, language, keyword].join("\n");
  const inProgress = new Set(
    others
      .flatMap((noted) => KeywordProgress.parse(noted).batches)
      .flatMap((batch) => batch.keywords.map((keyword) => toKey(batch.wanted, keyword, batch))),
  );
  const batches: Batch[] = [];
  for (const wanted of KEYWORD_DATA_KINDS) {
    const most = keywords.maxKeywords[wanted];
    if (most === undefined) continue;
    const forms = [...(await groupKeywordsByForm(reading, wanted)).keys()];
    const open = forms.filter((form) => !inProgress.has(toKey(wanted, form)));
    for (let first = 0; first < open.length && batches.length < MAX_BATCHES; first += most) {
      batches.push({ wanted, keywords: open.slice(first, first + most), ...location });
    }
  }
  return batches;
}

export async function listBatchTexts(
  reading: KeywordReading,
  { wanted, keywords }: Batch,
): Promise<[string, string][]> {
  const asked = new Set(keywords);
  return [...(await groupKeywordsByForm(reading, wanted))].flatMap(([form, texts]) =>
    asked.has(form) ? texts.map((text): [string, string] => [text, form]) : [],
  );
}
