import type { z } from "zod";
import { findBrand } from "../../../db/catalog/brands.ts";
import { foldName } from "../../../core/shared/names.ts";
import { AppError, invalidInput } from "../../../core/shared/errors.ts";
import { acceptBrandSuggestion } from "../../../tools/brand-suggestions/accept-brand-suggestion.ts";
import { dismissBrandSuggestion } from "../../../tools/brand-suggestions/dismiss-brand-suggestion.ts";
import { listBrandSuggestions } from "../../../tools/brand-suggestions/list-brand-suggestions.ts";
import { mergeBrandSuggestion } from "../../../tools/brand-suggestions/merge-brand-suggestion.ts";
import { undoBrandSuggestion } from "../../../tools/brand-suggestions/undo-brand-suggestion.ts";
import { shapeBrand } from "../../../tools/brands/brand.ts";
import { createBrand } from "../../../tools/brands/create-brand.ts";
import { deleteBrand } from "../../../tools/brands/delete-brand.ts";
import { getBrand } from "../../../tools/brands/get-brand.ts";
import { getCatalogReading } from "../../../tools/brands/get-catalog-reading.ts";
import { listBrands } from "../../../tools/brands/list-brands.ts";
import { restoreBrand } from "../../../tools/brands/restore-brand.ts";
import { updateBrand } from "../../../tools/brands/update-brand.ts";
import { invoke } from "../../call/invoke.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { parseBrandInput, toBrandFormValues } from "./brand-form.ts";
import { renderBrandPage } from "./brand-page.ts";
import { renderBrandsPage, CATALOG_COLUMNS, CATALOG_SORTS, showsOnlyArchived } from "./brands-page.ts";
import { parseSuggestionStatus, SUGGESTION_COLUMNS, parseSuggestionSort } from "./suggestions.ts";
import { toSortInput } from "../shared/table-sort.ts";
import type { WorkspaceIds } from "../shared/page-addresses.ts";
import type { WebContext } from "../../http/pages/visit.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import { pageWithForms, type FormAction, type Notice, type FormSubmission } from "../shared/page-with-forms.ts";
import type { Answer, Ask } from "../../http/pages/call-endpoint.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";

const [BRANDS_PER_PAGE, SUGGESTIONS_PER_PAGE, MAX_PROPOSED_NAMES] = [50, 10, 100];

const SAVED_MESSAGE = "Saved. Past answers are being re-processed.";
const parseSuggestionId = (form: URLSearchParams) => ({ suggestion_id: form.get("suggestion_id") });

const LIST_FORMS: Record<string, FormAction> = {
  create: {
    endpoint: createBrand,
    done: "Added.",
    fields: parseBrandInput,
    run: async (sending, web) => invoke(createBrand, await resolveParentId(sending, web), sending.call, web.deps),
    nextQuery: (answer) => `/${(answer as Answer<typeof createBrand>).id}?done=update`,
  },
  archive: {
    endpoint: deleteBrand,
    done: "Archived. You can restore it under Archived.",
    fields: (form) => ({ brand_id: form.get("brand_id") }),
  },
  restore: {
    endpoint: restoreBrand,
    done: "Restored. Past answers are being re-processed.",
    fields: (form) => ({ brand_id: form.get("brand_id") }),
  },
  accept: {
    endpoint: acceptBrandSuggestion,
    done: "Added to the catalog. Past answers are being re-processed.",
    fields: (form) => ({ ...parseSuggestionId(form), relationship: form.get("relationship") }),
  },
  merge: {
    endpoint: mergeBrandSuggestion,
    done: "Added as an alias. Past answers are being re-processed.",
    fields: parseSuggestionId,
    run: async (sending, web) => {
      const brand_id = await findBrandId(sending.typed.get("brand") ?? "", "brand", sending, web);
      return invoke(mergeBrandSuggestion, { ...sending.input, brand_id }, sending.call, web.deps);
    },
  },
  dismiss: {
    endpoint: dismissBrandSuggestion,
    done: "Dismissed. Later runs do not suggest it again.",
    fields: parseSuggestionId,
    nextQuery: () => "?suggested=dismissed&done=dismiss#suggested",
  },
  undo: { endpoint: undoBrandSuggestion, done: "Undone. The suggestion is open again.", fields: parseSuggestionId },
};
const BRAND_FORMS: Record<string, FormAction> = {
  update: {
    endpoint: updateBrand,
    done: SAVED_MESSAGE,
    fields: parseBrandInput,
    stored: async ({ brand_id }, { tenant }) => {
      const row = await findBrand(tenant, String(brand_id));
      const parent = row && row.parentId !== null ? await findBrand(tenant, row.parentId) : undefined;
      return row && toBrandFormValues(shapeBrand(row), parent?.name);
    },
    run: async (sending, web) => invoke(updateBrand, await resolveParentId(sending, web), sending.call, web.deps),
  },
  exclude: { endpoint: updateBrand, done: SAVED_MESSAGE, fields: () => ({}), run: addExcludedPhrases },
};

const BRANDS_PATH = "/brands/:organization_id/:workspace_id";

const BRANDS_SECTION: Section = {
  name: "Brands",
  icon: "M2.5 2.5h5l6 6-5 5-6-6zM5.4 5.4h.01",
};

export const brandRoutes: readonly Route[] = [
  pageRoute(`${BRANDS_PATH}/catalog.csv`, sendCatalogCsv),
  pageRoute(`${BRANDS_PATH}/suggestions.csv`, sendSuggestionsCsv),
  ...inBar(BRANDS_SECTION, pageWithForms(BRANDS_PATH, showBrands, LIST_FORMS)),
  ...pageWithForms(`${BRANDS_PATH}/:brand_id`, showBrand, BRAND_FORMS),
];

async function resolveParentId(sending: FormSubmission, web: WebContext): Promise<Record<string, unknown>> {
  const name = sending.typed.get("parent")?.trim() ?? "";
  const parent_id = name === "" ? null : await findBrandId(name, "parent", sending, web);
  return { ...sending.input, parent_id };
}

async function addExcludedPhrases({ input, call, typed }: FormSubmission, { deps }: WebContext): Promise<unknown> {
  const { excluded_phrases: currentPhrases } = (await invoke(getBrand, input, call, deps)) as Answer<typeof getBrand>;
  const excluded_phrases = [...new Set([...currentPhrases, ...typed.getAll("phrase")])];
  return invoke(updateBrand, { ...input, excluded_phrases }, call, deps);
}

/** VALIDATION_FAILED if the catalog has no such brand. */
async function findBrandId(name: string, path: string, { input, call }: FormSubmission, { deps }: WebContext) {
  const { organization_id, workspace_id } = input;
  const filter = { organization_id, workspace_id, text: name.trim() || " ", sort: "name", limit: MAX_PROPOSED_NAMES };
  const { data } = (await invoke(listBrands, filter, call, deps)) as Answer<typeof listBrands>;
  const found = data.find((one) => foldName(one.name) === foldName(name.trim()));
  if (!found) throw invalidInput([{ path, message: `names no brand of the catalog: “${name}”` }]);
  return found.id;
}

function buildCatalogInput(query: URLSearchParams) {
  const parameters = { text: query.get("text"), relationship: query.get("is"), kind: query.get("kind") };
  return {
    ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value)),
    archived: showsOnlyArchived(query),
    ...(toSortInput(query, CATALOG_SORTS) ?? { sort: "name" }),
  };
}

function buildSuggestionsInput(query: URLSearchParams) {
  return { status: parseSuggestionStatus(query), sort: parseSuggestionSort(query) };
}

async function showBrands(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const { call, query, visitor } = visit;
  const ids = getWorkspaceIds(visit);
  const at = (name: string) => (query.get(name) ? { cursor: query.get(name) } : {});
  const [brands, suggestions, reading] = await Promise.all([
    call(listBrands, { ...ids, ...buildCatalogInput(query), limit: BRANDS_PER_PAGE, ...at("cursor") }),
    call(listBrandSuggestions, {
      ...ids,
      ...buildSuggestionsInput(query),
      limit: SUGGESTIONS_PER_PAGE,
      ...at("after"),
    }),
    call(getCatalogReading, { ...ids }),
  ]);
  const parentNameById = await readParentNames(call, ids, brands.data);
  const canEdit = visitor.frame.workspace?.role === "editor";
  const content = renderBrandsPage({
    ids,
    query,
    brands,
    parentNameById,
    suggestions,
    reading,
    canEdit,
    done,
    problem,
  });
  showPage(visit, { title: "Brands", section: "brands", isWide: true, status, content });
}

type ListedBrands = z.output<typeof listBrands.output>["data"];

/** Omits archived brands. */
async function readParentNames(call: Ask, ids: WorkspaceIds, brands: ListedBrands): Promise<Map<string, string>> {
  const known = new Map(brands.map(({ id, name }) => [id, name]));
  const wanted = new Set(brands.flatMap(({ parent_id: id }) => (id === null || known.has(id) ? [] : [id])));
  await Promise.all(
    [...wanted].map(async (brand_id) => {
      try {
        known.set(brand_id, (await call(getBrand, { ...ids, brand_id })).name);
      } catch (error) {
        if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error;
      }
    }),
  );
  return known;
}

async function showBrand(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const { call, request, visitor } = visit;
  const ids = getWorkspaceIds(visit);
  const [brand, others, reading] = await Promise.all([
    call(getBrand, { ...ids, brand_id: request.params["brand_id"] }),
    call(listBrands, { ...ids, kind: "brand", sort: "name", limit: MAX_PROPOSED_NAMES }),
    call(getCatalogReading, { ...ids }),
  ]);
  const parents = await readParentNames(call, ids, [brand]);
  const parentName = brand.parent_id === null ? undefined : parents.get(brand.parent_id);
  const canEdit = visitor.frame.workspace?.role === "editor";
  const content = renderBrandPage({
    ids,
    brand,
    parentName,
    parentChoices: others.data,
    reading,
    canEdit,
    done,
    problem,
  });
  showPage(visit, { title: brand.name, section: "brands", status, content });
}

async function sendCatalogCsv(visit: Visit): Promise<void> {
  const input = { ...getWorkspaceIds(visit), ...buildCatalogInput(visit.query) };
  const parts = iteratePages(visit.call, listBrands, input);
  await sendCsv(visit.response, "catalog.csv", { columns: CATALOG_COLUMNS, parts });
}

async function sendSuggestionsCsv(visit: Visit): Promise<void> {
  const input = { ...getWorkspaceIds(visit), ...buildSuggestionsInput(visit.query) };
  const parts = iteratePages(visit.call, listBrandSuggestions, input);
  await sendCsv(visit.response, "suggestions.csv", { columns: SUGGESTION_COLUMNS, parts });
}
