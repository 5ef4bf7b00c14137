import { fileURLToPath } from "node:url";
import { Router, type Request, type Response } from "express";
import type { Config } from "../../config.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { html } from "./html.ts";
import { PAGE_HEADERS, PRODUCT, wordmark } from "./page.ts";

const VIEWER = fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")).replace(/[^/\\]+$/, "");
const OWN = fileURLToPath(import.meta.resolve("#root/src/http/web/assets"));
/** Files that the viewer loads, and their directories. */
const FILES = {
  "swagger-ui.css": VIEWER,
  "swagger-ui-bundle.js": VIEWER,
  "style.css": OWN,
  "mark.svg": OWN,
  "docs.css": OWN,
  "docs.js": OWN,
} as const;

/**
 * The reference: `/openapi.json`, and `/docs`, which shows it and can send requests. Nothing is loaded from other
 * origins, and the page has no inline script.
 */
export function docsRouter(config: Config): Router {
  let document: string | undefined;
  const headers = { ...PAGE_HEADERS, "content-security-policy": policy(config), "cache-control": "no-cache" };
  const router = Router({ strict: true });
  router.get("/openapi.json", (_request: Request, response: Response) => {
    document ??= JSON.stringify(openApiDocument(config));
    response.type("json").send(document);
  });
  router.get("/docs/", (_request: Request, response: Response) => response.redirect(308, "/docs"));
  router.get("/docs", (_request: Request, response: Response) => {
    response.set(headers).type("html").send(page());
  });
  for (const [name, root] of Object.entries(FILES)) {
    router.get(`/docs/${name}`, (_request: Request, response: Response, next) => {
      response.sendFile(name, { root, maxAge: "1h" }, (error?: Error) => error && next(error));
    });
  }
  return router;
}

/** Scripts and styles from this origin only; the viewer may call the API, which can have origins of its own. */
function policy({ baseUrl, searchBaseUrl }: Config): string {
  const apiOrigins = [...new Set([baseUrl, searchBaseUrl].map((address) => new URL(address).origin))];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiOrigins.join(" ")}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

function page(): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>REST reference · ${PRODUCT}</title>
        <link rel="icon" href="/docs/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/style.css" />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
        <link rel="stylesheet" href="/docs/docs.css" />
        <script src="/docs/swagger-ui-bundle.js" defer></script>
        <script src="/docs/docs.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#reference">Skip to content</a>
        <header class="bar">
          <a class="home" href="/">${wordmark}</a>
          <nav aria-label="Reference">
            <a href="/docs" aria-current="page">REST reference</a>
            <a href="/openapi.json">OpenAPI document</a>
          </nav>
        </header>
        <div id="reference">
          <noscript>This page needs JavaScript. The OpenAPI document is at /openapi.json.</noscript>
        </div>
      </body>
    </html> `.markup;
}
