import { MAX_CRAWL_DELAY_MS } from "../../../core/audits/crawler.ts";
import { MAX_PAGES } from "../../../tools/analyses/kinds/geo-audit/geo-audit-setup.ts";
import type { Config } from "../../config/config.ts";
import { CRAWLER_NAME, buildCrawlerUserAgent } from "../../outside/crawler/user-agent.ts";
import { html, type Html } from "../pages/html.ts";
import { referencePage } from "./pages.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function renderCrawlerPage(config: Config): string {
  const delay = MAX_CRAWL_DELAY_MS / 1000;
  return referencePage(
    CRAWLER_NAME,
    { groups: [], at: "crawler" },
    html` <h1>${CRAWLER_NAME}</h1>
      <p class="lead">
        This crawler may be in the logs of your website. It belongs to a service that checks how well answer engines can
        find, read and quote pages. Owners of websites and their agencies use it.
      </p>
      <dl class="meta">
        <div>
          <dt>Name in robots.txt</dt>
          <dd><code>${CRAWLER_NAME}</code></dd>
        </div>
        <div>
          <dt>User agent</dt>
          <dd><code>${buildCrawlerUserAgent(config)}</code></dd>
        </div>
        <div>
          <dt>Contact</dt>
          <dd>${renderContact(config)}</dd>
        </div>
      </dl>
      <section aria-labelledby="what">
        <h2 id="what">Pages it fetches</h2>
        <p>
          The crawler fetches pages of a website that a customer of this service has named: up to
          ${formatInteger(MAX_PAGES)}, from a list, from the sitemap, or linked from the start page. It follows no other
          links. It also reads <code>robots.txt</code>, sitemaps and <code>llms.txt</code>. To price a check it reads
          only robots.txt and sitemaps, or the start page if there is no sitemap.
        </p>
        <p>
          It checks the response and the content of each page, such as status, title, headings, structured data and
          dates. It stores its findings with excerpts of at most 200 characters, and no copy of the page. Nothing is
          used to train models.
        </p>
        <p>
          If the customer requests it, a page is also opened in a browser. The browser loads scripts, styles and images
          like a visitor's browser, under the same user agent.
        </p>
        <p>
          If the customer has proven that the domain is theirs, the start page is also requested with the user agents of
          eight crawlers of answer engines, to check whether your server admits them. On other domains the crawler
          always uses its own name.
        </p>
      </section>
      <section aria-labelledby="often">
        <h2 id="often">Frequency</h2>
        <p>
          The crawler sends one request at a time to a host. The customer chooses between a single check and a schedule.
          Later checks send conditional requests, so your server need not send unchanged pages again. The crawler
          respects <code>Retry-After</code> on 429 and 503, and stops after four attempts per page.
        </p>
      </section>
      <section aria-labelledby="slow">
        <h2 id="slow">Slow it, or block it</h2>
        <p>It obeys its own group of robots.txt, or else the group <code>*</code> (RFC 9309). To slow it:</p>
        <pre tabindex="0"><code>User-agent: ${CRAWLER_NAME}
Crawl-delay: 10</code></pre>
        <p>
          This is the minimum number of seconds between two requests, up to ${delay}. To block it from the whole site,
          or from a folder by its path:
        </p>
        <pre tabindex="0"><code>User-agent: ${CRAWLER_NAME}
Disallow: /</code></pre>
        <p>
          robots.txt is read at the beginning of each run, so a change applies from the next run on. If robots.txt
          cannot be read because your server fails, nothing is fetched. A page that returns 401, 403 or 429 is skipped.
        </p>
        <p>
          Blocking this crawler does not affect how search engines and assistants show your site, because it belongs to
          none of them. Any program can send this user agent; a program that ignores your robots.txt is not this
          crawler.
        </p>
      </section>`,
  );
}

function renderContact({ CRAWLER_CONTACT: contact, baseUrl }: Config): Html {
  if (contact === undefined) {
    return html`The operator has set no contact. The service runs at <a href="${baseUrl}">${baseUrl}</a>.`;
  }
  const address = contact.includes("://") ? contact : `mailto:${contact}`;
  return html`<a href="${address}">${contact}</a>`;
}
