import type { Router } from "express";
import { acceptBrandSuggestion } from "../../../../tools/brand-suggestions/accept-brand-suggestion.ts";
import { dismissBrandSuggestion } from "../../../../tools/brand-suggestions/dismiss-brand-suggestion.ts";
import { listBrandSuggestions } from "../../../../tools/brand-suggestions/list-brand-suggestions.ts";
import { mergeBrandSuggestion } from "../../../../tools/brand-suggestions/merge-brand-suggestion.ts";
import { getCatalogReading } from "../../../../tools/brands/get-catalog-reading.ts";
import { listBrands } from "../../../../tools/brands/list-brands.ts";
import { sendPage } from "../page.ts";
import { brandsPage } from "../pages/brands.ts";
import { consolePage } from "../pages/console.ts";
import { queryOf, type Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { pageWithForms, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";

/** Brands of a page, and suggestions beside them. */
const [ROWS, SUGGESTIONS] = [100, 10];

const ofSuggestion = (form: URLSearchParams) => ({ suggestion_id: form.get("suggestion_id") });
const ACCEPT: FormAction = {
  endpoint: acceptBrandSuggestion,
  done: "Added to the catalog. Stored answers are being read again.",
  fields: (form) => ({ ...ofSuggestion(form), relationship: form.get("relationship") }),
};
const MERGE: FormAction = {
  endpoint: mergeBrandSuggestion,
  done: "Added as an alias. Stored answers are being read again.",
  fields: (form) => ({ ...ofSuggestion(form), brand_id: form.get("brand_id") }),
};
const DISMISS: FormAction = {
  endpoint: dismissBrandSuggestion,
  done: "Dismissed. Later collects do not suggest it again.",
  fields: ofSuggestion,
};

/** The brand catalog of a workspace, with names that answers use and it lacks. */
export function brandsRouter(web: Web): Router {
  const forms = { accept: ACCEPT, merge: MERGE, dismiss: DISMISS };
  return pageWithForms(
    web,
    "/brands/:organization_id/:workspace_id",
    (visit, notice) => show(visit, web, notice),
    forms,
  );
}

async function show(visit: Visit, web: Web, { status, done, problem }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const place = {
    organization_id: String(request.params["organization_id"]),
    workspace_id: String(request.params["workspace_id"]),
  };
  const cursor = queryOf(request.originalUrl).get("cursor");
  const [brands, suggestions, reading] = await Promise.all([
    ask(listBrands, { ...place, limit: ROWS, ...(cursor === null ? {} : { cursor }) }),
    ask(listBrandSuggestions, { ...place, status: "open", limit: SUGGESTIONS }),
    ask(getCatalogReading, place),
  ]);
  const mayWrite = visitor.frame.workspace?.role === "editor";
  const content = brandsPage({ place, brands, suggestions, reading, mayWrite, done, problem });
  const body = consolePage("brands", visitor, content, { wide: true });
  sendPage(response, { title: "Brands", body, ...(status ? { status } : {}) });
}
