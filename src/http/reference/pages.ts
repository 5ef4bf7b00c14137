import { html, type Html } from "../pages/html.ts";
import { scrollTable } from "../pages/table.ts";
import { PRODUCT_NAME, wordmark } from "../pages/page.ts";
import type { Group, Operation } from "./operations.ts";
import type { Field } from "./schema-fields.ts";

export function renderStartPage(groups: readonly Group[], baseUrl: string): string {
  const first = html`curl -s "$BASE/v1/auth/me" -H "authorization: Bearer $TOKEN"`;
  return referencePage(
    "REST reference",
    { groups },
    html` <h1>REST reference</h1>
      <p class="lead">Requests and responses are JSON. Machine-readable: <a href="/openapi.json">OpenAPI</a>.</p>
      ${renderSearchForm("")}
      <section aria-labelledby="sign-in">
        <h2 id="sign-in">Sign in</h2>
        <p>
          Create an API key under <a href="/api-keys">API keys</a>, and exchange it for an access token. The token is
          valid for 15 minutes; <code>POST /v1/auth/refresh</code> returns the next one.
        </p>
        <pre tabindex="0"><code>BASE=${baseUrl}
curl -s $BASE/v1/auth/token -H 'content-type: application/json' -d '{"api_key":"bva_usr_…"}'
TOKEN=…  # access_token of the response
${first}</code></pre>
        <p>
          Every error has the same body: <code>code</code>, a <code>message</code> with the remedy,
          <code>request_id</code>, and <code>fields</code> for invalid fields. Lists are paged: send
          <code>next_cursor</code> as <code>cursor</code> to get the next page. A <code>POST</code> with an
          <code>Idempotency-Key</code> can be repeated safely.
        </p>
      </section>
      ${groups.map(
        ({ name, slug, description, operations }) =>
          html`<section aria-labelledby="${slug}">
            <h2 id="${slug}"><a href="/docs/${slug}">${name}</a></h2>
            <p>${description}</p>
            ${renderOperationList(operations)}
            <pre tabindex="0"><code>${chooseExample(operations)}</code></pre>
          </section>`,
      )}`,
  );
}

export function renderGroupPage(groups: readonly Group[], group: Group): string {
  const { name, description, operations } = group;
  return referencePage(
    name,
    { groups, at: group.slug },
    html` <h1>${name}</h1>
      <p class="lead">${description}</p>
      ${renderOperationList(operations)} ${operations.map(renderOperation)}`,
  );
}

export function renderSearchPage(groups: readonly Group[], text: string, operations: readonly Operation[]): string {
  const count = operations.length === 1 ? "1 operation" : `${operations.length} operations`;
  return referencePage(
    "Search",
    { groups },
    html` <h1>Search</h1>
      ${renderSearchForm(text)}
      <p>
        ${operations.length === 0 ? "No operation has all of these words. Try fewer words, or browse the groups." : `${count}.`}
      </p>
      ${renderOperationList(operations)}`,
  );
}

function buildOperationAddress({ groupName, id }: Operation): string {
  return `/docs/${groupName.toLowerCase().replaceAll(" ", "-")}#${id}`;
}

/** Prefers an operation that reads a list, which needs no input; else the first one. */
function chooseExample(operations: readonly Operation[]): string {
  return (operations.find(({ method }) => method === "GET") ?? operations[0])?.example ?? "";
}

function renderSearchForm(text: string): Html {
  return html`<form method="get" action="/docs" class="search" role="search">
    <label class="field"
      >Search all operations
      <input type="search" name="search" value="${text}" maxlength="200" placeholder="create tag"
    /></label>
    <button class="secondary">Search</button>
  </form>`;
}

function renderOperationList(operations: readonly Operation[]): Html {
  return html`<ul class="operations">
    ${operations.map(
      (one) =>
        html`<li>
          <a href="${buildOperationAddress(one)}">${one.summary}</a>
          <code><b>${one.method}</b> ${addLineBreaks(one.path)}</code>
        </li>`,
    )}
  </ul>`;
}

function renderOperation(operation: Operation): Html {
  return html`<section class="operation" aria-labelledby="${operation.id}">
    <h2 id="${operation.id}">${operation.summary}</h2>
    <p class="address"><b>${operation.method}</b> <code>${addLineBreaks(operation.path)}</code></p>
    <p>${operation.description}</p>
    <p class="hint">Requires: ${operation.requiredAccess} For assistants: ${operation.agents}</p>
    ${renderFieldTable("Parameters", operation.parameters, operation.id)}
    ${renderFieldTable("Body", operation.body, operation.id)}
    <h3>Example</h3>
    <pre tabindex="0"><code>${operation.example}</code></pre>
    ${renderFieldTable(`Response ${operation.response.status}`, operation.response.fields, operation.id)}
    <details>
      <summary>Errors<span class="unseen"> of ${operation.id}</span></summary>
      <dl class="refusals">
        ${operation.errorResponses.map(
          ({ status, description }) =>
            html`<dt>${status}</dt>
              <dd>${description}</dd>`,
        )}
      </dl>
    </details>
  </section>`;
}

function renderFieldTable(title: string, fields: readonly Field[], id: string): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<h3>${title}<span class="unseen"> of ${id}</span></h3>
    ${scrollTable({
      label: `${title} of ${id}`,
      columns: ["Field", "Type", "Meaning"],
      rows: fields.map(
        ({ path, type, isRequired, description }) =>
          html`<tr>
            <td><code>${addLineBreaks(path)}</code>${isRequired && html` <small>required</small>`}</td>
            <td>${type}</td>
            <td>${description}</td>
          </tr>`,
      ),
    })}`;
}

/** Lets narrow screens break a path after slashes and dots. */
function addLineBreaks(path: string): Html[] {
  return path.split(/(?<=[/.])/).map((part) => html`${part}<wbr />`);
}

export function referencePage(title: string, { groups, at }: { groups: readonly Group[]; at?: string }, content: Html) {
  const main = html`<main class="part" id="content">${content}</main>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${PRODUCT_NAME}</title>
        <link rel="icon" href="/docs/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/style.css" />
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <a class="home" href="/">${wordmark}</a>
          <nav aria-label="Reference">
            <a href="/docs" ${at === undefined && html` aria-current="page"`}>REST reference</a>
            <a href="/openapi.json">OpenAPI document</a>
            <a href="/docs/calibration" ${at === "calibration" && html` aria-current="page"`}>Calibration</a>
          </nav>
        </header>
        <div class="console reference">${groups.length === 0 ? main : addGroupNavigation(main, { groups, at })}</div>
      </body>
    </html> `.markup;
}

function addGroupNavigation(main: Html, { groups, at }: { groups: readonly Group[]; at: string | undefined }): Html {
  return html`<div class="beside">
    <nav class="parts" aria-label="Groups">
      ${groups.map(
        ({ name, slug }) => html`<a href="/docs/${slug}" ${slug === at && html` aria-current="page"`}>${name}</a>`,
      )}
    </nav>
    ${main}
  </div>`;
}
