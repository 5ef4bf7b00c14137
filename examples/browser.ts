// HTTP browser without rendering: cookies by host and path, redirects, meta refresh, forms.

export interface Visit {
  url: URL;
  /** 0 if the browser left for another site, such as a client's callback. */
  status: number;
  headers: Headers;
  text: string;
}

export interface Cookie {
  name: string;
  value: string;
  path: string;
  host: string;
  attributes: string[];
}

/** Fields, or encoded bytes with their content type among the headers. */
type PostedBody = URLSearchParams | Uint8Array<ArrayBuffer>;

const MAX_HOPS = 15;

export class Browser {
  cookies: Cookie[] = [];
  readonly #leavesAt: (url: URL) => boolean;

  /** `leavesAt` matches URLs that the browser reports without requesting them. */
  constructor(leavesAt: (url: URL) => boolean = () => false) {
    this.#leavesAt = (url) => !/^https?:$/.test(url.protocol) || leavesAt(url);
  }

  /** A browser with a copy of the cookies. */
  copy(leavesAt = this.#leavesAt): Browser {
    const copied = new Browser(leavesAt);
    copied.cookies = [...this.cookies];
    return copied;
  }

  get(address: string | URL): Promise<Visit> {
    return this.#go(new URL(address), undefined);
  }

  post(address: string | URL, body: PostedBody, headers: Record<string, string> = {}): Promise<Visit> {
    return this.#go(new URL(address), body, headers);
  }

  /** Submits the form's own fields, overridden by `typed`. `undefined` clears a checkbox. */
  submit(
    page: Visit,
    form: {
      action: RegExp;
      fill?: Record<string, string>;
      untick?: string[];
      press?: [string, string];
      /** Last path segment of the pressed button's `formaction`. */
      to?: string;
    },
  ): Promise<Visit> {
    const found = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(([, action]) =>
      form.action.test(plain(action ?? "")),
    );
    if (!found) throw new Error(`no form for ${String(form.action)} in:\n${page.text}`);
    const fields = new URLSearchParams();
    for (const [, attributes = ""] of (found[2] ?? "").matchAll(/<input([^>]*)>/g)) {
      const name = attribute(attributes, "name");
      const value = attribute(attributes, "value") ?? "";
      const box = attribute(attributes, "type") === "checkbox";
      if (name === undefined || (box && (!/\bchecked\b/.test(attributes) || form.untick?.includes(value)))) continue;
      fields.append(name, value);
    }
    for (const [name, value] of Object.entries(form.fill ?? {})) fields.set(name, value);
    if (form.press) fields.append(...form.press);
    const action = plain(found[1] ?? "");
    const to = form.to === undefined ? action : action.replace(/\/[^/]*$/, form.to);
    return this.post(new URL(to, page.url), fields);
  }

  async #go(start: URL, posted: PostedBody | undefined, extra: Record<string, string> = {}): Promise<Visit> {
    let url = start;
    let body = posted;
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      if (this.#leavesAt(url)) return { url, status: 0, headers: new Headers(), text: "" };
      const sent = {
        method: body ? "POST" : "GET",
        redirect: "manual" as const,
        headers: {
          accept: "text/html",
          cookie: this.cookieHeader(url),
          ...(body ? { origin: url.origin, "sec-fetch-site": "same-origin" } : {}),
          ...extra,
        },
        ...(body ? { body } : {}),
      };
      // A keep-alive connection from before a service restart fails once.
      const response = await fetch(url, sent).catch(() => fetch(url, sent));
      this.#keepCookies(url, response.headers.getSetCookie());
      const text = await response.text();
      const refresh = /http-equiv="refresh"\s+content="0;url=([^"]*)"/.exec(text)?.[1];
      const to = response.headers.get("location") ?? (refresh === undefined ? undefined : plain(refresh));
      if (to === undefined) return { url, status: response.status, headers: response.headers, text };
      url = new URL(to, url);
      body = undefined;
    }
    throw new Error(`more than ${MAX_HOPS} hops, at ${url.href}`);
  }

  cookieHeader(url: URL): string {
    const sent = this.cookies.filter(
      ({ host, path }) =>
        host === url.hostname &&
        (url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`)),
    );
    return sent.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  #keepCookies(url: URL, lines: string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(/;\s*/);
      const name = pair.slice(0, pair.indexOf("="));
      const value = pair.slice(pair.indexOf("=") + 1);
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? "/";
      const ended = value === "" || attributes.some((text) => /^expires=Thu, 01 Jan 1970/i.test(text));
      this.cookies = this.cookies.filter(
        (kept) => kept.name !== name || kept.path !== path || kept.host !== url.hostname,
      );
      if (!ended) this.cookies.push({ name, value, path, host: url.hostname, attributes });
    }
  }
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : plain(value);
}

function plain(escaped: string): string {
  return escaped.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
