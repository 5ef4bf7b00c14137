import { setImmediate as nextTurn } from "node:timers/promises";
import { isCurrent, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import { replaceSightings } from "../../../db/catalog/name-sightings.ts";
import { isMeasured, listStoredAnswers, type StoredAnswer } from "../../../db/measuring/readings.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findMentions } from "../../../core/reading/find-mentions.ts";
import { gatherNames, type NameGathering, type NameSighting } from "../../../core/brands/gather-names.ts";
import { storedCapture } from "../../../core/reading/reading.ts";
import { listsResults } from "../../../core/sources.ts";
import type { BackgroundJob, BackgroundWork } from "./background.ts";

const ANSWERS_AT_ONCE = 100;

/** Looks for names in the answers of a collect that no brand of the catalog has. Run again, it finds the same. */
export async function suggestBrands(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { subjectId: collectId } = job;
  const store = tenantStore(work.store, job);
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.of(tenant));
    const names = await namesOfCollect(collectId, catalog, work, store);
    const stored = await store.write(async (tenant) => {
      if (!(await isCurrent(tenant, catalog))) return false;
      await storeNames(tenant, collectId, { names, catalog, work });
      return true;
    });
    if (stored) return;
  }
}

/** The names in the answers of a collect, read some at a time. Nothing for a collect that has not ended. */
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
    for (const { id, source, prompt, collectedAt, stored } of answers) {
      work.signal.throwIfAborted();
      const { text, citations, results } = storedCapture(stored, source);
      const page = results.length > 0 && (listsResults(source) || text === "");
      const urls = (page ? results : citations).map(({ url }) => url);
      gathering.add({ id, source, prompt, collectedAt, text: stored.text, page, urls });
      // Reading is work: what else waits for this thread goes first.
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

/** Stores the names of a collect in the transaction of `tenant`, which made sure that the catalog is still this one. */
export async function storeNames(
  tenant: Tenant,
  collectId: string,
  { names, catalog, work }: { names: readonly NameSighting[]; catalog: VersionedCatalog; work: BackgroundWork },
): Promise<void> {
  const isKnown = (name: string) => findMentions(name, catalog.compiled).length > 0;
  await replaceSightings(tenant, collectId, names, { now: work.now(), newId: work.newId, isKnown });
}
