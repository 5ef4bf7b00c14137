import { registrableDomain } from "../../core/identity/domains.ts";
import type { BrandRank, Citation, Reading, TrackedBrand } from "../../core/reading/capture.ts";
import type { Question } from "../../src/outside/sources/provider.ts";
import { planBrandAnswer } from "../../src/outside/sources/simulated/brand-plan.ts";
import {
  planAnswer,
  type AnswerPlan,
  type BrandAppearance,
  type PlannedPage,
} from "../../src/outside/sources/simulated/plan.ts";
import type { SimulatedWorld } from "../../src/outside/sources/simulated/world-file.ts";
import { perceptionTruth, type SimulatedPerception } from "./simulated-perception.ts";

/** Expected reading of a simulated answer. */
export type SimulatedTruth = Pick<Reading, "isInformative" | "brandRanks" | "citations"> & {
  /** Present for brand analyses. */
  perception?: SimulatedPerception;
};

/**
 * The expected reading of one simulated answer, computed from its plan. Exact for catalogs of
 * brands without parents, with unambiguous names and their own domains.
 */
export function simulatedTruth(world: SimulatedWorld, question: Question): SimulatedTruth {
  const { asked } = question;
  if (asked) {
    const plan = planBrandAnswer(world, question, asked);
    return { ...readPlan(plan, question), perception: perceptionTruth(plan, question, asked) };
  }
  return readPlan(planAnswer(world, question), question);
}

function readPlan(plan: AnswerPlan, question: Question): SimulatedTruth {
  const places = plan.style === "results" ? resultPlaces(plan) : answerPlaces(plan);
  const order = new Map(question.brands.map((brand, index) => [brand.id, index]));
  const citations = plan.pages.map((page, index) => citationOf(page, index, question));
  return {
    isInformative: places.length > 0 || plan.pages.some((page) => ownerOf(page, question) !== undefined),
    brandRanks: places.toSorted(
      (a, b) => a.rank - b.rank || (order.get(a.brand_id) ?? 0) - (order.get(b.brand_id) ?? 0),
    ),
    citations,
  };
}

/**
 * Ranks by item if the answer lists a tracked brand, otherwise by first mention of tracked brands.
 */
function answerPlaces({ style, listed, aside, pages }: AnswerPlan): BrandRank[] {
  const lists = style !== "prose" && tracked(listed).length > 0;
  const inList = lists ? listed : [];
  const after = tracked([...(lists ? [] : listed), ...aside]);
  const url = ({ member }: BrandAppearance) => pages.find((page) => page.member === member)?.url ?? null;
  return [
    ...inList.map((appearance, index) => ({ appearance, rank: index + 1 })),
    ...after.map((appearance, index) => ({ appearance, rank: inList.length + index + 1 })),
  ].flatMap(({ appearance, rank }) => {
    const { tracked: brand } = appearance.member;
    // A brand is listed at most once.
    return brand
      ? [{ brand_id: brand.id, rank, brand_rank: rank, mentions: appearance.mentionCount, url: url(appearance) }]
      : [];
  });
}

function tracked(appearances: BrandAppearance[]): BrandAppearance[] {
  return appearances.filter(({ member }) => member.tracked !== null);
}

/** A result of a brand's own names it in the title and in the snippet. */
function resultPlaces({ pages }: AnswerPlan): BrandRank[] {
  return pages.flatMap(({ member, url }, index) =>
    member?.tracked ? [{ brand_id: member.tracked.id, rank: index + 1, brand_rank: index + 1, mentions: 2, url }] : [],
  );
}

function citationOf(page: PlannedPage, index: number, question: Question): Citation {
  const { url, title } = page;
  const owner = ownerOf(page, question);
  const host = page.site?.domain ?? page.member?.domain ?? "";
  return {
    url,
    title,
    position: index + 1,
    domain: registrableDomain(host),
    competitor_type: owner ? "BRANDED_WEBSITE" : (page.site?.competitor_type ?? "UNKNOWN"),
    brand_id: owner?.id ?? null,
  };
}

/** The catalog brand that owns a page's domain. */
function ownerOf({ site, member }: PlannedPage, { brands }: Question): TrackedBrand | undefined {
  if (member?.tracked) return member.tracked;
  const host = site?.domain ?? member?.domain ?? "";
  return brands.find((brand) => brand.domains.some((domain) => host === domain || host.endsWith(`.${domain}`)));
}
