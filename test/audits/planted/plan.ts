import type { PageType } from "../../../core/audits/page-type.ts";
import { seeded } from "../seeded-pages.ts";
import { BODY_KINDS } from "./body.ts";
import { CRAWLABILITY_KINDS } from "./crawlability.ts";
import { cleanDraft, type Draft } from "./draft.ts";
import { EVIDENCE_KINDS } from "./evidence.ts";
import { HEAD_KINDS } from "./head.ts";
import { ANY, type ExpectedOutcomes, type FaultKind } from "./kind.ts";
import { pick, type Draw } from "./text.ts";

export const FAULT_KINDS: readonly FaultKind[] = [
  ...CRAWLABILITY_KINDS,
  ...HEAD_KINDS,
  ...BODY_KINDS,
  ...EVIDENCE_KINDS,
];

/** Faults of the whole site, with their findings. */
export const SITE_FAULT_KINDS = {
  misspelt_rule: { robots_readable: "warn" },
  sitemap_unnamed: { robots_names_sitemap: "warn" },
  sitemap_date: { sitemap_readable: "warn" },
  llms_without_heading: { llms_txt: "warn" },
  crawler_refused: { crawlers_not_blocked: "fail" },
} as const satisfies Record<string, ExpectedOutcomes>;
export type SiteFaultKind = keyof typeof SITE_FAULT_KINDS;
const isOfSite = (id: string): id is SiteFaultKind => id in SITE_FAULT_KINDS;

interface Placement {
  kind: FaultKind;
  isFault: boolean;
  seed: number;
}
interface PlannedPage {
  type: PageType;
  number: number;
  seed: number;
  has: Placement[];
}

/** Pages with planted faults, and ids of the faults fixed first. */
export interface Plan {
  pages: readonly PlannedPage[];
  fixed: ReadonlySet<string>;
}

const MIN_PAGES = 60;

/** Plans each fault on a page, and its near miss on another. */
export function planSite(seed: number): Plan {
  const draw = seeded(seed);
  const pages: PlannedPage[] = [];
  const addPage = (type: PageType): PlannedPage => {
    const page = { type, number: pages.length, seed: draw(2 ** 31), has: [] };
    pages.push(page);
    return page;
  };
  addPage("home");
  while (pages.length < MIN_PAGES) addPage(ANY[pages.length % ANY.length] as PageType);
  for (const kind of shuffled(draw, FAULT_KINDS)) {
    for (const isFault of [true, false]) {
      const free = pages.filter((page) => canTake(page, kind));
      const page = free.length === 0 ? addPage(kind.on[0] as PageType) : pick(draw, free);
      page.has.push({ kind, isFault, seed: draw(2 ** 31) });
    }
  }
  const faults = shuffled(draw, [...FAULT_KINDS.map(({ id }) => id), ...Object.keys(SITE_FAULT_KINDS)]);
  return { pages, fixed: new Set(faults.slice(0, faults.length / 2)) };
}

const ALL = "all";

function canTake({ type, has }: PlannedPage, kind: FaultKind): boolean {
  if (!kind.on.includes(type)) return false;
  const taken = new Set(has.flatMap((one) => partsOf(one.kind)));
  if (taken.has(ALL)) return false;
  const parts = partsOf(kind);
  return has.length === 0 || !parts.some((part) => part === ALL || taken.has(part));
}

/** A check's finding counts as a part, too. */
const partsOf = ({ parts, finds }: FaultKind) => [...parts, ...Object.keys(finds)];

function shuffled<Item>(draw: Draw, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: draw(2 ** 31) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The pages as they are once some faults are fixed: the rest of them is the same to the letter. */
export function createDrafts({ pages }: Plan, fixed: ReadonlySet<string>): Draft[] {
  return pages.map(({ type, number, seed, has }) => {
    const draft = cleanDraft(type, number, seeded(seed));
    for (const { kind, isFault, seed: own } of has) {
      const change = isFault ? (fixed.has(kind.id) ? kind.fix : kind.plant) : kind.nearMiss;
      change(draft, seeded(own));
    }
    return draft;
  });
}

const lines = (of: string, finds: ExpectedOutcomes) =>
  Object.entries(finds).map(([check, outcome]) => `${of} ${check} ${outcome}`);

/** Expected findings, sorted, one per line: `path check outcome`, or `site check outcome`. */
export function expectedFindings({ pages }: Plan, fixed: ReadonlySet<string>): string[] {
  const onPages = pages.flatMap(({ type, number, has }) =>
    has
      .filter(({ kind, isFault }) => isFault && !fixed.has(kind.id))
      .flatMap(({ kind }) => lines(`${type} ${number}`, kind.finds)),
  );
  const ofSite = Object.entries(SITE_FAULT_KINDS).filter(([id]) => !fixed.has(id));
  return [...onPages, ...ofSite.flatMap(([, finds]) => lines("site", finds))].toSorted();
}

export const remainingSiteFaults = (fixed: ReadonlySet<string>): ReadonlySet<SiteFaultKind> =>
  new Set(
    Object.keys(SITE_FAULT_KINDS)
      .filter(isOfSite)
      .filter((id) => !fixed.has(id)),
  );

/** Pages planned to be skipped. */
export const countSkipped = ({ pages }: Plan): number =>
  pages.filter(({ has }) => has.some(({ kind, isFault }) => !isFault && kind.skips)).length;
