import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Router, type Response } from "express";
import { notFound } from "../../../core/shared/errors.ts";
import type { Config } from "../../config/config.ts";
import { CRAWLER_PAGE } from "../../outside/crawler/user-agent.ts";
import { parseQuery } from "../body.ts";
import { renderCalibrationPage } from "./calibration-page.ts";
import { buildOpenApiDocument } from "../rest/openapi.ts";
import { PAGE_HEADERS } from "../pages/page.ts";
import { groupOperations, searchOperations, type Group } from "./operations.ts";
import { renderCrawlerPage } from "./crawler-page.ts";
import { renderGroupPage, renderSearchPage, renderStartPage } from "./pages.ts";

const ASSETS_FOLDER = fileURLToPath(import.meta.resolve("#root/src/http/pages/assets"));
const DOCS_FILES = ["style.css", "mark.svg", "docs.css"];

/** Browsers may cache these public pages but must revalidate them. */
const DOCS_HEADERS = { ...PAGE_HEADERS, "cache-control": "no-cache" };

/** The pages need no script, are the same for everyone and contain no secret. */
export function createDocsRouter(config: Config): Router {
  const reference = memoise(() => makeReference(config));
  const crawler = memoise(() => renderCrawlerPage(config));
  const router = Router({ strict: true });
  router.get("/openapi.json", (_request, response) => {
    sendCacheable(reference().document, "json", response);
  });
  router.get("/docs/", (_request, response) => response.redirect(308, "/docs"));
  router.get("/docs", (request, response) => {
    const { groups, start } = reference();
    const text = parseQuery(request.originalUrl).get("search")?.trim().slice(0, 200) ?? "";
    const page = text === "" ? start : renderSearchPage(groups, text, searchOperations(groups, text));
    sendCacheable(page, "html", response);
  });
  for (const name of DOCS_FILES) {
    router.get(`/docs/${name}`, (_request, response, next) => {
      response.sendFile(name, { root: ASSETS_FOLDER, maxAge: "1h" }, (error?: Error) => error && next(error));
    });
  }
  router.get("/docs/calibration", (_request, response) => sendCacheable(reference().calibration(), "html", response));
  router.get(CRAWLER_PAGE, (_request, response) => sendCacheable(crawler(), "html", response));
  router.get("/docs/:group", (request, response) => {
    const page = reference().page(request.params["group"]);
    if (page === undefined) throw notFound("reference page");
    sendCacheable(page, "html", response);
  });
  return router;
}

function makeReference(config: Config) {
  const document = buildOpenApiDocument(config);
  const groups = groupOperations(document);
  const pages = new Map(groups.map((group: Group) => [group.slug, memoise(() => renderGroupPage(groups, group))]));
  return {
    document: JSON.stringify(document),
    groups,
    start: renderStartPage(groups, config.baseUrl),
    calibration: memoise(() => renderCalibrationPage(groups)),
    page: (slug: string) => pages.get(slug)?.(),
  };
}

function memoise<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

/** Responds 304 for a matching ETag, which is weak because it covers every compression. */
function sendCacheable(text: string, type: "html" | "json", response: Response): void {
  if (type === "html") response.set(DOCS_HEADERS);
  else response.set("cache-control", "no-cache");
  response
    .set("etag", `W/"${hash("sha256", text, "base64url")}"`)
    .type(type)
    .send(text);
}
