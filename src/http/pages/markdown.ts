import MarkdownIt from "markdown-it";
import type { Html } from "./html.ts";

const reader = new MarkdownIt("commonmark", { html: false }).enable("table").disable("image");
reader.validateLink = (address) => /^https?:\/\//i.test(address);
reader.core.ruler.push("inside_a_page", ({ tokens }) => {
  for (const token of tokens) {
    // A page and its sections have the headings above.
    if (token.type.startsWith("heading")) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 2, 6)}`;
    // The policy of pages allows no style in an element.
    token.attrs = token.attrs?.filter(([name]) => name !== "style") ?? null;
    for (const child of token.children ?? []) {
      if (child.type === "link_open") child.attrSet("rel", "noopener noreferrer nofollow");
    }
  }
});

/** Markdown as it reads. HTML in it is text, links lead to the web alone, and no image is loaded. */
export function markdown(text: string): Html {
  return { markup: reader.render(text) };
}
