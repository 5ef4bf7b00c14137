import { MAX_CRAWL_DELAY_MS } from "../../../core/audits/crawler.ts";
import { MAX_PAGES } from "../../../tools/analyses/kinds/geo-audit/geo-audit-setup.ts";
import type { Config } from "../../config/config.ts";
import { CRAWLER_NAME, crawlerUserAgent } from "../../outside/crawler/user-agent.ts";
import { html, type Html } from "../pages/html.ts";
import { referencePage } from "./pages.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function crawlerPage(config: Config): string {
  const delay = MAX_CRAWL_DELAY_MS / 1000;
  return referencePage(
    CRAWLER_NAME,
    { groups: [], at: "crawler" },
    html` <h1>${CRAWLER_NAME}</h1>
      <p class="lead">
        You may have found this name in the logs of your website. It is the crawler of a service that checks, for those
        who run websites and their agencies, how ready pages are to be found, read and quoted by answer engines.
      </p>
      <dl class="meta">
        <div>
          <dt>Name in robots.txt</dt>
          <dd><code>${CRAWLER_NAME}</code></dd>
        </div>
        <div>
          <dt>User agent</dt>
          <dd><code>${crawlerUserAgent(config)}</code></dd>
        </div>
        <div>
          <dt>Contact</dt>
          <dd>${contactOf(config)}</dd>
        </div>
      </dl>
      <section aria-labelledby="what">
        <h2 id="what">What it fetches, and why</h2>
        <p>
          Pages of a website that a customer of this service has named: up to ${formatInteger(MAX_PAGES)}, from a list,
          from the sitemap, or linked from the start page. It follows no other links. Beside them it reads
          <code>robots.txt</code>, sitemaps and <code>llms.txt</code>; where a customer asks what a check costs,
          robots.txt and sitemaps alone, or the start page where there is no sitemap.
        </p>
        <p>
          It checks how each page answers and is written, such as its status, title, headings, structured data and
          dates. It keeps what it found, with excerpts of at most 200 characters, and no copy of the page. Nothing is
          used to train models.
        </p>
        <p>
          Where the customer asks for it, a page is also opened in a browser, which loads its scripts, styles and images
          as that of a visitor does, under the same user agent.
        </p>
        <p>
          Where the customer has proven that the domain is theirs, the start page is also asked for with the user agents
          of eight crawlers of answer engines, to see whether they are let in. On other domains it always comes under
          its own name.
        </p>
      </section>
      <section aria-labelledby="often">
        <h2 id="often">How often</h2>
        <p>
          One request at a time to a host. The customer says whether a site is checked once or by a schedule. From the
          second time on it asks, where it can, whether a page has changed, so that you need not send it again. Where
          you answer 429 or 503 with <code>Retry-After</code> it heeds that, and it gives a page up after four tries.
        </p>
      </section>
      <section aria-labelledby="slow">
        <h2 id="slow">Slow it, or block it</h2>
        <p>It obeys its own group of robots.txt, or else that of <code>*</code> (RFC 9309). To slow it:</p>
        <pre tabindex="0"><code>User-agent: ${CRAWLER_NAME}
Crawl-delay: 10</code></pre>
        <p>
          That is the least number of seconds between two requests, honoured up to ${delay}. To keep it out of
          everything, or of a folder by its path:
        </p>
        <pre tabindex="0"><code>User-agent: ${CRAWLER_NAME}
Disallow: /</code></pre>
        <p>
          robots.txt is read at the beginning of each run, so a change holds from the next run on. Where it cannot be
          read because your server fails, nothing is fetched. A page that answers 401, 403 or 429 is left out.
        </p>
        <p>
          Blocking it changes nothing in what search engines and assistants show of your site: it belongs to none of
          them. Any program can send this user agent; one that does not obey your robots.txt is not this crawler.
        </p>
      </section>`,
  );
}

function contactOf({ CRAWLER_CONTACT: contact, baseUrl }: Config): Html {
  if (contact === undefined) {
    return html`The operator has named none. The service runs at <a href="${baseUrl}">${baseUrl}</a>.`;
  }
  const address = contact.includes("://") ? contact : `mailto:${contact}`;
  return html`<a href="${address}">${contact}</a>`;
}
