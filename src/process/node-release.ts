/** First release line that the Node.js project supports: nodejs.org/en/about/previous-releases. Node.js 20 ended on 2026-04-30. */
const FIRST_SUPPORTED = 22;

/** What to say of a Node.js release that gets no security fixes any more; undefined for later ones. */
export function releaseWarning(version: string): string | undefined {
  const [major = ""] = version.replace(/^v/, "").split(".");
  if (Number(major) >= FIRST_SUPPORTED) return undefined;
  const end = major === "20" ? " since April 2026" : "";
  return `Node.js ${major} gets no security fixes any more${end}. Run the service with Node.js 24.`;
}
