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
import { brandInput, brandShown } from "./brand-form.ts";
import { brandPage } from "./brand-page.ts";
import { brandsPage, CATALOG_COLUMNS, CATALOG_SORTS, showsArchived } from "./brands-page.ts";
import { suggestedIn, SUGGESTION_COLUMNS, suggestionSort } from "./suggestions.ts";
import { orderInput } from "../shared/order.ts";
import type { WorkspacePlace } from "../shared/places.ts";
import type { Web } from "../../http/pages/visit.ts";
import { eachPage } from "../shared/each-page.ts";
import { pageWithForms, type FormAction, type Notice, type Sending } from "../shared/page-with-forms.ts";
import type { Answer, Ask } from "../../http/pages/ask.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";
import { placeOf } from "../shared/place-of.ts";
import { showPage } from "../shared/show-page.ts";
import { pageAt, type Route } from "../../http/pages/routes.ts";

/** Page size, max suggestions shown beside it, and max names proposed in a field. */
const [ROWS, SUGGESTIONS, PROPOSED] = [50, 10, 100];

const SAVED = "Saved. Stored answers are being read again.";
const ofSuggestion = (form: URLSearchParams) => ({ suggestion_id: form.get("suggestion_id") });

const ON_LIST: Record<string, FormAction> = {
  create: {
    endpoint: createBrand,
    done: "Added.",
    fields: brandInput,
    run: async (sending, web) => invoke(createBrand, await withParent(sending, web), sending.call, web.deps),
    leadsTo: (answer) => `/${(answer as Answer<typeof createBrand>).id}?done=update`,
  },
  archive: {
    endpoint: deleteBrand,
    done: "Archived. It stands among the archived brands, where it can be restored.",
    fields: (form) => ({ brand_id: form.get("brand_id") }),
  },
  restore: {
    endpoint: restoreBrand,
    done: "Restored. Stored answers are being read again.",
    fields: (form) => ({ brand_id: form.get("brand_id") }),
  },
  accept: {
    endpoint: acceptBrandSuggestion,
    done: "Added to the catalog. Stored answers are being read again.",
    fields: (form) => ({ ...ofSuggestion(form), relationship: form.get("relationship") }),
  },
  merge: {
    endpoint: mergeBrandSuggestion,
    done: "Added as an alias. Stored answers are being read again.",
    fields: ofSuggestion,
    run: async (sending, web) => {
      const brand_id = await idOfBrand(sending.typed.get("brand") ?? "", "brand", sending, web);
      return invoke(mergeBrandSuggestion, { ...sending.input, brand_id }, sending.call, web.deps);
    },
  },
  dismiss: {
    endpoint: dismissBrandSuggestion,
    done: "Dismissed. Later collects do not suggest it again.",
    fields: ofSuggestion,
    leadsTo: () => "?suggested=dismissed&done=dismiss#suggested",
  },
  undo: { endpoint: undoBrandSuggestion, done: "Undone. The suggestion is open again.", fields: ofSuggestion },
};
const ON_BRAND: Record<string, FormAction> = {
  update: {
    endpoint: updateBrand,
    done: SAVED,
    fields: brandInput,
    stored: async ({ brand_id }, { tenant }) => {
      const row = await findBrand(tenant, String(brand_id));
      const parent = row && row.parentId !== null ? await findBrand(tenant, row.parentId) : undefined;
      return row && brandShown(shapeBrand(row), parent?.name);
    },
    run: async (sending, web) => invoke(updateBrand, await withParent(sending, web), sending.call, web.deps),
  },
  exclude: { endpoint: updateBrand, done: SAVED, fields: () => ({}), run: excludeAlso },
};

const PATH = "/brands/:organization_id/:workspace_id";

export const brandRoutes: readonly Route[] = [
  pageAt(`${PATH}/catalog.csv`, sendCatalog),
  pageAt(`${PATH}/suggestions.csv`, sendSuggestions),
  ...pageWithForms(PATH, showBrands, ON_LIST),
  ...pageWithForms(`${PATH}/:brand_id`, showBrand, ON_BRAND),
];

/** Replaces the parent's name in the form by its id. */
async function withParent(sending: Sending, web: Web): Promise<Record<string, unknown>> {
  const name = sending.typed.get("parent")?.trim() ?? "";
  const parent_id = name === "" ? null : await idOfBrand(name, "parent", sending, web);
  return { ...sending.input, parent_id };
}

/** Adds the form's phrases to the excluded phrases. */
async function excludeAlso({ input, call, typed }: Sending, { deps }: Web): Promise<unknown> {
  const { excluded_phrases: now } = (await invoke(getBrand, input, call, deps)) as Answer<typeof getBrand>;
  const excluded_phrases = [...new Set([...now, ...typed.getAll("phrase")])];
  return invoke(updateBrand, { ...input, excluded_phrases }, call, deps);
}

/** VALIDATION_FAILED if the catalog has no such brand. */
async function idOfBrand(name: string, path: string, { input, call }: Sending, { deps }: Web): Promise<string> {
  const { organization_id, workspace_id } = input;
  const of = { organization_id, workspace_id, text: name.trim() || " ", sort: "name", limit: PROPOSED };
  const { data } = (await invoke(listBrands, of, call, deps)) as Answer<typeof listBrands>;
  const found = data.find((one) => foldName(one.name) === foldName(name.trim()));
  if (!found) throw invalidInput([{ path, message: `is no brand of the catalog: “${name}”` }]);
  return found.id;
}

function catalogInput(query: URLSearchParams) {
  const given = { text: query.get("text"), relationship: query.get("is"), kind: query.get("kind") };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    archived: showsArchived(query),
    ...(orderInput(query, CATALOG_SORTS) ?? { sort: "name" }),
  };
}

function suggestionsInput(query: URLSearchParams) {
  return { status: suggestedIn(query), sort: suggestionSort(query) };
}

async function showBrands(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const { ask, query, visitor } = visit;
  const place = placeOf(visit);
  const at = (name: string) => (query.get(name) ? { cursor: query.get(name) } : {});
  const [brands, suggestions, reading] = await Promise.all([
    ask(listBrands, { ...place, ...catalogInput(query), limit: ROWS, ...at("cursor") }),
    ask(listBrandSuggestions, { ...place, ...suggestionsInput(query), limit: SUGGESTIONS, ...at("after") }),
    ask(getCatalogReading, { ...place }),
  ]);
  const parents = await namesOfParents(ask, place, brands.data);
  const mayWrite = visitor.frame.workspace?.role === "editor";
  const content = brandsPage({ place, query, brands, parents, suggestions, reading, mayWrite, done, problem });
  showPage(visit, { title: "Brands", section: "brands", wide: true, status, content });
}

type Brands = z.output<typeof listBrands.output>["data"];

/** Parent names by id, without archived brands. */
async function namesOfParents(ask: Ask, place: WorkspacePlace, brands: Brands): Promise<Map<string, string>> {
  const known = new Map(brands.map(({ id, name }) => [id, name]));
  const wanted = new Set(brands.flatMap(({ parent_id: id }) => (id === null || known.has(id) ? [] : [id])));
  await Promise.all(
    [...wanted].map(async (brand_id) => {
      try {
        known.set(brand_id, (await ask(getBrand, { ...place, brand_id })).name);
      } catch (error) {
        if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error;
      }
    }),
  );
  return known;
}

async function showBrand(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const { ask, request, visitor } = visit;
  const place = placeOf(visit);
  const [brand, others, reading] = await Promise.all([
    ask(getBrand, { ...place, brand_id: request.params["brand_id"] }),
    ask(listBrands, { ...place, kind: "brand", sort: "name", limit: PROPOSED }),
    ask(getCatalogReading, { ...place }),
  ]);
  const parents = await namesOfParents(ask, place, [brand]);
  const parent = brand.parent_id === null ? undefined : parents.get(brand.parent_id);
  const mayWrite = visitor.frame.workspace?.role === "editor";
  const content = brandPage({ place, brand, parent, others: others.data, reading, mayWrite, done, problem });
  showPage(visit, { title: brand.name, section: "brands", status, content });
}

async function sendCatalog(visit: Visit): Promise<void> {
  const input = { ...placeOf(visit), ...catalogInput(visit.query) };
  const parts = eachPage(visit.ask, listBrands, input);
  await sendCsv(visit.response, "catalog.csv", { columns: CATALOG_COLUMNS, parts });
}

async function sendSuggestions(visit: Visit): Promise<void> {
  const input = { ...placeOf(visit), ...suggestionsInput(visit.query) };
  const parts = eachPage(visit.ask, listBrandSuggestions, input);
  await sendCsv(visit.response, "suggestions.csv", { columns: SUGGESTION_COLUMNS, parts });
}
