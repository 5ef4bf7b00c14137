import { z } from "zod";
import { removeInvisible, listSchema } from "../../core/shared/fields.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findClaims, type FoundClaim, listClaimFacts, listFactsOfBrands } from "../../db/metrics/claim-facts.ts";
import { toShownText } from "../answers/shown-text.ts";
import {
  type ClaimQuote,
  countClaims,
  computeClaimMetrics,
  listClaimPages,
  selectClaimQuotes,
  type SourceClaims,
} from "../metric-reads/claims/claim-counts.ts";
import { ClaimRow } from "./claim-row.ts";
import { formatFact } from "../../core/claims/fact.ts";
import { type ClaimVerdict, CLAIM_VERDICTS } from "../../core/claims/statement-verdict.ts";
import { PROMPT_KINDS } from "../../core/prompts/brand-prompt.ts";
import { isResultPageSource } from "../../core/sources/sources.ts";
import type { BrandFactRow } from "../../db/catalog/brand-facts.ts";
import { isBackgroundJobActive } from "../../db/jobs/background-jobs.ts";
import { findProject, listBrandNames, type BrandName } from "../../db/analyses/projects.ts";
import { Basis, CAUSE_NOTE } from "../metric-reads/selection/basis.ts";
import { listIds } from "../metric-reads/selection/choose-collects.ts";
import { judgeClaimChanges } from "../metric-reads/claims/claim-changes.ts";
import { listCounted, openPrompts, type OpenedPrompts } from "../metric-reads/selection/open-prompts.ts";
import { rowNames, type PromptGroup, PROMPT_DIMENSIONS } from "../metric-reads/selection/prompt-groups.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { brandMetricsQuery } from "../metric-reads/selection/prompt-selection.ts";
import { paginateRows, addQuotations } from "../metric-reads/selection/paginate-rows.ts";

const ClaimsInput = z.strictObject({
  ...brandMetricsQuery,
  group_by: z.array(z.enum(PROMPT_DIMENSIONS)).max(2).default([]).describe("Row dimensions, in addition to the fact."),
  brands: brandMetricsQuery.brands.describe("Names or ids; default: your brand and its products."),
  verdict: z
    .enum([...CLAIM_VERDICTS, "not_mentioned"])
    .optional()
    .describe("Only facts with such answers; not_mentioned: only facts without others."),
});
export type ClaimsInput = z.output<typeof ClaimsInput>;

export const listClaims = endpoint({
  name: "listClaims",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/claims",
  group: "Metrics",
  summary: "Facts of a brand in answers: right, wrong or missing",
  description:
    "Find facts of your brand that answers of a brand analysis get wrong (contradicted), right (agreed) or leave out (not_mentioned), most wrong first. Needs declared facts: list_brand_facts.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  whenEmpty: explainMissingFacts,
  input: ClaimsInput,
  toolDefaults: { statistics: true },
  output: listSchema(ClaimRow).extend({
    total_count: z.int(),
    unread: z.int().describe("Declared facts that are not checked yet, so they have no rows."),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, unread, basis } = await readClaimRows(tenant, analysis, input);
    const page = paginateRows("claims", input, rows);
    return { ...(await addQuotations(page, (quotes) => readClaimQuotations(tenant, quotes))), unread, basis };
  },
});

/** Facts are declared per brand; without `brands`, the facts of your brand and its products count. */
async function explainMissingFacts({ analysis_id: id, brands }: ClaimsInput, { tenant }: Context) {
  const project = await findProject(tenant, id);
  const all = await listBrandNames(tenant);
  const own = all.filter((brand) => [brand.id, brand.parentId].includes(project?.brandId ?? ""));
  const among = brands?.length ? brands : own.map((brand) => brand.id);
  if ((await listFactsOfBrands(tenant, among)).length > 0) return undefined;
  return "No facts of these brands are declared. A person declares them on the page /brands/:organization_id/:workspace_id.";
}

const CLAIMS_LEGEND = `answers = answers that name the brand; said = agreed + contradicted; contradicted_rate = contradicted / said, 0 to 1; ci = 95 % confidence interval for prompts like these; pages = pages cited with such statements, ${CAUSE_NOTE}`;

interface RowWithQuotes {
  row: Omit<ClaimRow, "quotations">;
  quotes: ClaimQuote[];
}

async function readClaimRows(tenant: Tenant, project: { id: string; brandId: string }, input: ClaimsInput) {
  const opened = await openPrompts(tenant, project, {
    input,
    kinds: PROMPT_KINDS,
    isCounted: ({ lookAlike }) => lookAlike === null,
  });
  const brands = selectBrands(opened, input);
  const facts = await listFactsOfBrands(
    tenant,
    brands.map(({ id }) => id),
  );
  const claims = await readClaims(tenant, opened, brands);
  const current = new Set(listIds(opened.collects.current));
  const isRead = (fact: BrandFactRow) =>
    claims.some(
      ({ collectId, claims: { held } }) =>
        current.has(collectId) && held.some(({ id, revision }) => id === fact.id && revision === fact.revision),
    );
  const read = facts.filter(isRead);
  const counted = brands.flatMap((brand) => {
    const own = claims.filter(({ brandNumber }) => brandNumber === brand.number);
    const declared = read.filter(({ brandId }) => brandId === brand.id);
    return opened.groups.flatMap((group) =>
      declared.flatMap((brandFact) => {
        const of = { group, brand, brandFact, own, opened, input };
        const one = buildRow(of);
        return one ? [{ ...of, ...one }] : [];
      }),
    );
  });
  const changes = opened.isJudged ? await judgeClaimChanges(tenant, counted, opened) : undefined;
  const rows = counted.map(({ row, quotes }, at) => {
    return { row: changes ? { ...row, change: changes[at] ?? null } : row, quotes };
  });
  const hasAnswers = opened.slices.some(
    ({ collectId, source }) => current.has(collectId) && !isResultPageSource(source),
  );
  return {
    rows: rows.filter(({ row }) => matchesVerdict(row, input.verdict)).toSorted(compareWorstFirst),
    unread: hasAnswers ? facts.length - read.length : 0,
    basis: await opened.basis(CLAIMS_LEGEND, {
      isReading: await isBackgroundJobActive(tenant, "read_claims", tenant.workspaceId),
    }),
  };
}

function selectBrands({ shown, brands, analysis }: OpenedPrompts, { brands: named }: ClaimsInput): BrandName[] {
  if (named?.length) return shown.flatMap(({ brand, isShown }) => (isShown ? [brand] : []));
  return [
    ...brands.filter(({ id }) => id === analysis.brandId),
    ...brands.filter(({ parentId }) => parentId === analysis.brandId).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ];
}

type BrandClaims = SourceClaims & { brandNumber: number };

async function readClaims({ db }: Tenant, opened: OpenedPrompts, brands: readonly BrandName[]): Promise<BrandClaims[]> {
  const numbers = brands.map(({ number }) => number);
  return listCounted(opened, (collectId) => listClaimFacts(db, collectId, numbers));
}

interface RowInput {
  group: PromptGroup;
  brand: BrandName;
  brandFact: BrandFactRow;
  own: readonly BrandClaims[];
  opened: OpenedPrompts;
  input: ClaimsInput;
}

/** Undefined if no answer of the group was checked against the fact. */
function buildRow({ group, brand, brandFact, own, opened, input }: RowInput): RowWithQuotes | undefined {
  const counts = countClaims(own, { group, prompts: opened.prompts, brandFact });
  if (!counts) return undefined;
  const sourceCount = group.sourceCount;
  const { attribute, value, asOf, sourceUrl } = brandFact;
  const only = input.verdict === "not_mentioned" ? undefined : input.verdict;
  return {
    row: {
      ...rowNames(group, brand, opened.analysis),
      attribute,
      value: formatFact(value),
      as_of: asOf,
      source_url: sourceUrl,
      ...computeClaimMetrics(counts, { sourceCount, includesStatistics: input.statistics }),
      pages: listClaimPages(counts, only),
    },
    quotes: selectClaimQuotes(counts, only),
  };
}

function matchesVerdict(row: RowWithQuotes["row"], verdict: ClaimVerdict | "not_mentioned" | undefined): boolean {
  if (verdict === undefined) return true;
  return verdict === "not_mentioned" ? row.said === 0 : row[verdict] > 0;
}

function compareWorstFirst({ row: a }: RowWithQuotes, { row: b }: RowWithQuotes): number {
  return b.contradicted - a.contradicted || b.agreed - a.agreed;
}

async function readClaimQuotations(tenant: Tenant, rows: readonly (readonly ClaimQuote[])[]) {
  const wanted = rows.flat().map(({ brandFact, ...one }) => ({ ...one, factId: brandFact.id }));
  const found = new Map(
    (await findClaims(tenant, wanted)).map((one) => [`${one.claim.answerKey} ${one.claim.factId}`, one]),
  );
  return rows.map((quotes) =>
    quotes.flatMap(({ answerKey, brandFact, verdict }) => {
      const one = found.get(`${answerKey} ${brandFact.id}`);
      const isSame = one?.claim.revision === brandFact.revision && one.claim.verdict === verdict;
      return one && isSame ? [toQuotation(one)] : [];
    }),
  );
}

function toQuotation({ claim, id, source, text: whole }: FoundClaim): ClaimRow["quotations"][number] {
  const { text, shift } = toShownText(whole);
  const [start, end] = [shift(claim.start), shift(claim.end)];
  const url = claim.url === null ? null : removeInvisible(claim.url);
  return { answer_id: id, source, verdict: claim.verdict, start, end, text: text.slice(start, end), url };
}
