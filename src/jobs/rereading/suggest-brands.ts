import { setImmediate as nextTurn } from "node:timers/promises";
import { isCurrentCatalog, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import { listSightedNames, replaceNameSightings } from "../../../db/catalog/name-sightings.ts";
import { isMeasuredCollect, listStoredAnswers, type StoredAnswer } from "../../../db/answers/readings.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findMentions } from "../../../core/reading/find-mentions.ts";
import {
  createNameGatherer,
  type NameGatherer,
  type NameSighting,
  type NamingAnswer,
} from "../../../core/brands/name-gatherer.ts";
import { groupBySize } from "../../../core/shared/run-within-time.ts";
import { restoreCapture } from "../../../core/reading/reading.ts";
import { isResultPageSource } from "../../../core/sources/sources.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

const ANSWERS_PER_BATCH = 100;
/** Keeps write transactions short. */
const NAMES_PER_TRANSACTION = 50;

/** Idempotent. */
export async function suggestBrands(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { subjectId: collectId } = job;
  const store = tenantStore(work.store, job);
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.load(tenant));
    const names = await gatherCollectNames(collectId, catalog, work, store);
    if (await storeNames(store, collectId, { names, catalog, work })) return;
  }
}

/** Empty for a collect in progress. */
export async function gatherCollectNames(
  collectId: string,
  catalog: VersionedCatalog,
  work: BackgroundWork,
  store: TenantStore,
): Promise<NameSighting[]> {
  const gathering = createNameGatherer(catalog.compiled);
  if (!(await store.read((tenant) => isMeasuredCollect(tenant, collectId)))) return [];
  let after: string | null = null;
  for (;;) {
    const part = { collectId, after, limit: ANSWERS_PER_BATCH };
    const answers: StoredAnswer[] = await store.read((tenant) => listStoredAnswers(tenant, part));
    // Skips answers about a decoy, which name an invented brand.
    const naming = answers.filter(({ unreadReason, asked }) => unreadReason === null && asked?.lookAlike == null);
    for (const group of groupBySize(naming.map(toNamingAnswer), ({ text }) => text.length)) {
      work.signal.throwIfAborted();
      for (const { id } of gathering.add(group)) {
        work.log.warn({ answerId: id }, "could not extract names from an answer");
      }
      await nextTurn();
    }
    after = answers.at(-1)?.id ?? null;
    if (answers.length < ANSWERS_PER_BATCH || after === null) return finishGathering(gathering);
  }
}

function toNamingAnswer({ id, source, prompt, collectedAt, stored }: StoredAnswer): NamingAnswer {
  const { text, citations, results } = restoreCapture(stored, source);
  const isSearchPage = results.length > 0 && (isResultPageSource(source) || text === "");
  const urls = (isSearchPage ? results : citations).map(({ url }) => url);
  return { id, source, prompt, collectedAt, text: stored.text, isSearchPage, urls };
}

async function finishGathering(gathering: NameGatherer): Promise<NameSighting[]> {
  const steps = gathering.finish();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

/** False if the catalog changed; the job for the new catalog stores the rest. */
export async function storeNames(
  store: TenantStore,
  collectId: string,
  { names, catalog, work }: { names: readonly NameSighting[]; catalog: VersionedCatalog; work: BackgroundWork },
): Promise<boolean> {
  const isKnown = (name: string) => findMentions(name, catalog.compiled).length > 0;
  const before = await store.read((tenant) => listSightedNames(tenant, collectId));
  const touched = [...new Set([...before, ...names.map(({ folded }) => folded)])];
  for (let first = 0; first < touched.length; first += NAMES_PER_TRANSACTION) {
    work.signal.throwIfAborted();
    const part = new Set(touched.slice(first, first + NAMES_PER_TRANSACTION));
    const sightings = names.filter(({ folded }) => part.has(folded));
    const storing = async (tenant: Tenant) => {
      if (!(await isCurrentCatalog(tenant, catalog))) return false;
      const by = { now: work.now(), newId: work.newId, isKnown };
      await replaceNameSightings(tenant, collectId, { foldedNames: [...part], sightings }, by);
      return true;
    };
    if (!(await store.write(storing, { isRepeatable: true }))) return false;
  }
  return true;
}
