import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isAllowed, parseRobots } from "../../core/audits/site-files/robots.ts";

const REFERENCE = new URL("../../../shared/data/robots/matcher-cases.json", import.meta.url);

const hasReference = existsSync(REFERENCE);

interface Case {
  group: string;
  robots_txt: string;
  user_agent: string;
  url: string;
  allowed: boolean;
}

/** Reference cases that RFC 9309 decides otherwise, by group and address. */
const NOT_OF_THE_STANDARD: Readonly<Record<string, string>> = {
  "ID_Encoding http://foo.bar/foo/bar/ツ":
    "holds of addresses that are not percent-encoded; section 2.2.2 encodes them before they are compared",
  "ID_Encoding http://foo.bar/foo/bar/baz":
    "compares %62%61%7A as it stands; section 2.2.2 decodes unreserved characters, and its table has this example",
  "GoogleOnly_IndexHTMLisDirectory http://foo.com/allowed-slash/":
    "Google takes a rule for index.html for one of its folder; the standard does not",
};

describe.skipIf(!hasReference)("reference cases", () => {
  const cases = hasReference ? (JSON.parse(readFileSync(REFERENCE, "utf8")) as Case[]) : [];
  const differing = cases.filter(
    ({ robots_txt, user_agent, url, allowed }) =>
      isAllowed(parseRobots(robots_txt), user_agent, url).isAllowed !== allowed,
  );

  test("each case passes except the four that the standard decides otherwise", () => {
    expect(cases.length).toBe(142);
    expect(differing.length).toBe(4);
    expect(new Set(differing.map(({ group, url }) => `${group} ${url}`))).toEqual(
      new Set(Object.keys(NOT_OF_THE_STANDARD)),
    );
  });
});
