import { setImmediate as nextTurn } from "node:timers/promises";
import { isCurrent, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import { listSightedNames, replaceSightings } from "../../../db/catalog/name-sightings.ts";
import { isMeasured, listStoredAnswers, type StoredAnswer } from "../../../db/answers/readings.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findMentions } from "../../../core/reading/find-mentions.ts";
import { gatherNames, type NameGathering, type NameSighting } from "../../../core/brands/gather-names.ts";
import { storedCapture } from "../../../core/reading/reading.ts";
import { listsResults } from "../../../core/sources/sources.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

const ANSWERS_AT_ONCE = 100;
/** Max names per transaction, to keep write transactions short. */
const NAMES_AT_ONCE = 50;

/** Idempotent. */
export async function suggestBrands(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { subjectId: collectId } = job;
  const store = tenantStore(work.store, job);
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.of(tenant));
    const names = await namesOfCollect(collectId, catalog, work, store);
    if (await storeNames(store, collectId, { names, catalog, work })) return;
  }
}

/** Reads answers in batches. Empty for a collect in progress. */
export async function namesOfCollect(
  collectId: string,
  catalog: VersionedCatalog,
  work: BackgroundWork,
  store: TenantStore,
): Promise<NameSighting[]> {
  const gathering = gatherNames(catalog.compiled);
  if (!(await store.read((tenant) => isMeasured(tenant, collectId)))) return [];
  let after: string | null = null;
  for (;;) {
    const part = { collectId, after, limit: ANSWERS_AT_ONCE };
    const answers: StoredAnswer[] = await store.read((tenant) => listStoredAnswers(tenant, part));
    for (const { id, source, prompt, asked, collectedAt, unreadReason, stored } of answers) {
      work.signal.throwIfAborted();
      // Answers about a decoy name an invented brand.
      if (unreadReason !== null || asked?.lookAlike != null) continue;
      const { text, citations, results } = storedCapture(stored, source);
      const page = results.length > 0 && (listsResults(source) || text === "");
      const urls = (page ? results : citations).map(({ url }) => url);
      const isRead = gathering.add({ id, source, prompt, collectedAt, text: stored.text, page, urls });
      if (!isRead) work.log.warn({ answerId: id }, "names in an answer could not be read");
      await nextTurn();
    }
    after = answers.at(-1)?.id ?? null;
    if (answers.length < ANSWERS_AT_ONCE || after === null) return finish(gathering);
  }
}

async function finish(gathering: NameGathering): Promise<NameSighting[]> {
  const steps = gathering.finish();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

/**
 * Stores names in short transactions, because names are independent. False if the catalog changed;
 * the job for the new catalog stores the rest.
 */
export async function storeNames(
  store: TenantStore,
  collectId: string,
  { names, catalog, work }: { names: readonly NameSighting[]; catalog: VersionedCatalog; work: BackgroundWork },
): Promise<boolean> {
  const isKnown = (name: string) => findMentions(name, catalog.compiled).length > 0;
  const before = await store.read((tenant) => listSightedNames(tenant, collectId));
  const touched = [...new Set([...before, ...names.map(({ folded }) => folded)])];
  for (let first = 0; first < touched.length; first += NAMES_AT_ONCE) {
    work.signal.throwIfAborted();
    const part = new Set(touched.slice(first, first + NAMES_AT_ONCE));
    const sightings = names.filter(({ folded }) => part.has(folded));
    const storing = async (tenant: Tenant) => {
      if (!(await isCurrent(tenant, catalog))) return false;
      const by = { now: work.now(), newId: work.newId, isKnown };
      await replaceSightings(tenant, collectId, { names: [...part], sightings }, by);
      return true;
    };
    if (!(await store.write(storing, { isRepeatable: true }))) return false;
  }
  return true;
}
