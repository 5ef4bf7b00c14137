import { AI_CRAWLERS } from "../../../core/audits/site-files/ai-crawlers.ts";
import { addressOf, ORIGIN, type Draft } from "./draft.ts";
import { createKind, type ExpectedOutcomes, type FaultKind } from "./kind.ts";

/** Has the page be found behind these redirects. */
function addRedirects(draft: Draft, hops: readonly [prefix: string, status: number][]) {
  draft.hops = hops.map(([prefix, status]) => ({ address: `${prefix}${draft.path}`, status }));
  draft.address = draft.hops[0]?.address ?? draft.address;
}
const INSECURE = ORIGIN.replace("https", "http");
const old = (at: number) => `${ORIGIN}/old-${at}`;

const meta = (name: string, content: string) => (draft: Draft) =>
  void draft.head.push(`<meta name="${name}" content="${content}">`);
const header = (value: string) => (draft: Draft) => void (draft.headers["x-robots-tag"] = value);
const canonical = (href: string) => `<link rel="canonical" href="${href}">`;

const REDIRECTS: readonly FaultKind[] = [
  createKind("two_redirects", { parts: "address", finds: { redirect_chain: "warn" } }, [
    (draft) =>
      addRedirects(draft, [
        [old(1), 301],
        [old(2), 308],
      ]),
    (draft) => addRedirects(draft, [[old(1), 301]]),
  ]),
  createKind("five_redirects", { parts: "address", finds: { redirect_chain: "fail" } }, [
    (draft) =>
      addRedirects(
        draft,
        [1, 2, 3, 4, 5].map((at) => [old(at), 301]),
      ),
    (draft) => addRedirects(draft, [[old(1), 308]]),
  ]),
  createKind("temporary_redirect", { parts: "address", finds: { redirect_permanent: "warn" } }, [
    (draft) => addRedirects(draft, [[old(1), 302]]),
    (draft) => addRedirects(draft, [[old(1), 308]]),
  ]),
  createKind("plain_http", { parts: "address canonical robots", finds: { https: "fail" } }, [
    (draft) => {
      draft.address = `${INSECURE}${draft.path}`;
      draft.listed = [draft.address];
      draft.canonical = canonical(draft.address);
    },
    (draft) => addRedirects(draft, [[INSECURE, 301]]),
  ]),
  createKind("by_way_of_http", { parts: "address", finds: { https: "warn", redirect_chain: "warn" } }, [
    (draft) =>
      addRedirects(draft, [
        [old(1), 301],
        [INSECURE, 301],
      ]),
    (draft) => addRedirects(draft, [[INSECURE, 301]]),
  ]),
  createKind("refresh", { parts: "refresh", finds: { refresh_redirect: "warn" } }, [
    (draft) => void draft.head.push('<meta http-equiv="refresh" content="5; url=/blog/">'),
    (draft) => void draft.head.push('<meta http-equiv="refresh" content="600">'),
  ]),
];

const ANSWERS: readonly FaultKind[] = [
  createKind("not_there", { parts: "all", finds: { status: "fail" }, skips: true }, [
    (draft) => void (draft.status = 404),
    (draft) => void (draft.status = 403),
  ]),
  createKind("removed", { parts: "all", finds: { status: "fail" }, skips: true }, [
    (draft) => void (draft.status = 410),
    (draft) => void (draft.status = 429),
  ]),
  createKind("slow", { parts: "time", finds: { response_time: "warn" } }, [
    (draft) => void (draft.responseMs = 801),
    (draft) => void (draft.responseMs = 800),
  ]),
  createKind("very_slow", { parts: "time", finds: { response_time: "fail" } }, [
    (draft) => void (draft.responseMs = 1801),
    (draft) => void (draft.responseMs = 799),
  ]),
  createKind("other_success", { parts: "address", finds: { status: "warn" } }, [
    (draft) => void (draft.status = 203),
    (draft) => void (draft.headers["content-type"] = "application/xhtml+xml; charset=utf-8"),
  ]),
  createKind(
    "app_shell",
    {
      on: ["other"],
      parts: "all",
      finds: { content_without_scripts: "fail", one_h1: "fail", answer_first: "fail", entity_clarity: "warn" },
    },
    [
      (draft) => {
        const empty = { h1: "", byline: "", lead: "", sections: [], figures: "" };
        Object.assign(draft, empty, {
          main: ['<main><div id="root"></div>', '</main><script src="/app.js"></script>'],
        });
      },
      (draft) => {
        draft.main = ['<main><div id="root">', "</div></main>"];
        draft.outside.push('<div id="modals"></div><script src="/app.js"></script>');
      },
    ],
  ),
];

const INDEXING: readonly FaultKind[] = [
  createKind("noindex", { parts: "robots_meta", finds: { meta_noindex: "fail" } }, [
    meta("robots", "noindex, follow"),
    (draft) =>
      [meta("robots", "index, follow, max-image-preview:large"), meta("gptbot", "noindex")].forEach((add) =>
        add(draft),
      ),
  ]),
  createKind("noindex_for_one", { parts: "robots_meta", finds: { meta_noindex: "warn" } }, [
    meta("googlebot", "noindex"),
    meta("googlebot-news", "noindex"),
  ]),
  createKind("header_noindex", { parts: "robots_header", finds: { header_noindex: "fail" } }, [
    header("noindex"),
    header("unavailable_after: 25 Jun 2030 15:00:00 GMT"),
  ]),
  createKind("header_noindex_for_one", { parts: "robots_header", finds: { header_noindex: "warn" } }, [
    header("bingbot: noindex, nofollow"),
    header("gptbot: noindex, nofollow"),
  ]),
  createKind("nosnippet", { parts: "robots_meta", finds: { meta_nosnippet: "fail" } }, [
    meta("robots", "nosnippet"),
    meta("robots", "max-snippet:-1"),
  ]),
  createKind("short_snippet", { parts: "robots_meta", finds: { meta_nosnippet: "warn" } }, [
    meta("robots", "max-snippet:50"),
    meta("robots", "max-snippet:200, max-video-preview:0"),
  ]),
  createKind("header_nosnippet", { parts: "robots_header", finds: { header_nosnippet: "fail" } }, [
    header("max-snippet:0"),
    header("googlebot: max-snippet:-1"),
  ]),
  createKind("noarchive", { parts: "robots_meta", finds: { meta_noarchive: "fail" } }, [
    meta("robots", "noarchive"),
    meta("googlebot", "noarchive"),
  ]),
  createKind("nocache", { parts: "robots_meta", finds: { meta_noarchive: "warn" } }, [
    meta("bingbot", "noarchive, nocache"),
    meta("googlebot", "nocache"),
  ]),
  createKind("header_noarchive", { parts: "robots_header", finds: { header_noarchive: "fail" } }, [
    header("noarchive"),
    header("googlebot: noarchive"),
  ]),
  createKind("kept_from_snippets", { parts: "sections main", finds: { data_nosnippet: "fail" } }, [
    (draft) => {
      draft.main = [`${draft.main[0]}<div data-nosnippet>`, `</div>${draft.main[1]}`];
    },
    (draft) => void draft.more.push("<p>Ask <span data-nosnippet>the people at the desk</span> for the key.</p>"),
  ]),
];

const ADDRESSES: readonly FaultKind[] = [
  createKind("no_canonical", { parts: "canonical", finds: { canonical: "warn" } }, [
    (draft) => void (draft.canonical = ""),
    (draft) => {
      draft.canonical = "";
      draft.headers["link"] = `</style.css>; rel=preload, <${addressOf(draft.path)}>; rel="canonical"`;
    },
  ]),
  createKind("two_canonicals", { parts: "canonical", finds: { canonical: "fail" } }, [
    (draft) => void (draft.canonical += canonical("/blog/")),
    (draft) => void (draft.canonical += canonical(draft.path)),
  ]),
  createKind("canonical_elsewhere", { parts: "canonical", finds: { canonical: "fail" } }, [
    (draft) => void (draft.canonical = canonical(`https://rival.test${draft.path}`)),
    (draft) => void (draft.canonical = canonical(`HTTPS://ACME.TEST:443${draft.path}`)),
  ]),
  createKind("canonical_of_other_page", { parts: "canonical address", finds: { canonical: "warn" } }, [
    (draft) => void (draft.canonical = canonical("/")),
    (draft) => {
      draft.address = `${addressOf(draft.path)}?size=2&colour=red`;
      draft.listed = [draft.address.replace("&", "&amp;")];
    },
  ]),
  createKind("unlisted", { parts: "listed address", finds: { sitemap_lists_page: "warn" } }, [
    (draft) => void (draft.listed = []),
    (draft) => void (draft.listed = [`${addressOf(draft.path)}#top`]),
  ]),
  createKind("listed_with_slash", { parts: "listed address", finds: { sitemap_lists_page: "warn" } }, [
    (draft) => void (draft.listed = [`${addressOf(draft.path)}/`]),
    (draft) => void (draft.listed = [`<![CDATA[${addressOf(draft.path)}]]>`]),
  ]),
];

const idOf = (token: string) => `crawler_${token.toLowerCase().replaceAll("-", "_")}`;
const rule = (agents: readonly string[], line: (path: string) => string) => (draft: Draft) =>
  void draft.robots.push(...agents.map((agent) => ({ agent, line: line(draft.path) })));

/** A crawler disallowed for this page; the near miss disallows a similar path. */
function excludeCrawler(token: string, finds: ExpectedOutcomes, spare: (path: string) => string): FaultKind {
  return createKind(`keeps_out_${token}`, { parts: "robots address", finds }, [
    rule([token], (path) => `Disallow: ${path}`),
    rule([token], spare),
  ]);
}

const ADMITTED = "search_crawlers_admitted";
const ALL_OUT: ExpectedOutcomes = {
  [ADMITTED]: "fail",
  ...Object.fromEntries(
    AI_CRAWLERS.filter(({ tier }) => tier !== "training").map(
      ({ token, obeysRobots }) => [idOf(token), obeysRobots ? "fail" : "warn"] as const,
    ),
  ),
};

const ROBOTS: readonly FaultKind[] = [
  excludeCrawler(
    "OAI-SearchBot",
    { [idOf("OAI-SearchBot")]: "fail", [ADMITTED]: "warn" },
    (path) => `Disallow: ${path}/`,
  ),
  excludeCrawler(
    "PerplexityBot",
    { [idOf("PerplexityBot")]: "fail", [ADMITTED]: "warn" },
    (path) => `Disallow: ${path.toUpperCase()}`,
  ),
  excludeCrawler("bingbot", { [idOf("bingbot")]: "fail", [ADMITTED]: "warn" }, (path) => `# Disallow: ${path}`),
  // Apple's crawler obeys Google's group if it has none.
  excludeCrawler(
    "Googlebot",
    { [idOf("Googlebot")]: "fail", [idOf("Applebot")]: "fail", [ADMITTED]: "warn" },
    (path) => `Disallow: /*${path}$`,
  ),
  excludeCrawler("Claude-User", { [idOf("Claude-User")]: "fail" }, (path) => `Disallow: ${path}?`),
  excludeCrawler("ChatGPT-User", { [idOf("ChatGPT-User")]: "warn" }, (path) => `Disallow: ${path}\nAllow: ${path}`),
  createKind("keeps_all_out", { parts: "robots address", finds: ALL_OUT }, [
    rule(["*"], (path) => `Disallow: ${path}`),
    rule(["GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Bytespider"], (path) => `Disallow: ${path}`),
  ]),
];

export const CRAWLABILITY_KINDS = [...ANSWERS, ...REDIRECTS, ...INDEXING, ...ADDRESSES, ...ROBOTS];
